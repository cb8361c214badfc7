/** One sample: details, payload, pin, rename and delete. */
import { clsx } from 'clsx';
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button, IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { BackToList } from '../../ui/layout/list-detail.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { Size, type Sample } from './sample-item.tsx';
import styles from './samples.module.css';

type Texts = Readonly<Record<string, string>>;

type Props = {
  readonly webhookId: string;
  readonly sampleId: string;
  readonly mayChange: boolean;
  readonly onBack: () => void;
  readonly onDelete: () => void;
};

export function SampleDetails({ webhookId, sampleId, mayChange, onBack, onDelete }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const sample = useApiQuery('getWebhookSample', { params: { id: webhookId, sampleId } });
  const back = <BackToList label={formatMessage({ id: 'samples.back' })} onPress={onBack} />;
  if (sample.isPending) return <Loading lines={8} />;
  if (sample.isError) {
    return (
      <div className="stack tight">
        {back}
        <ErrorNote error={sample.error} onRetry={() => void sample.refetch()} />
      </div>
    );
  }
  const { name, receivedAt, body, headers, query } = sample.data;
  const title = name ?? formatDate(receivedAt, { dateStyle: 'medium', timeStyle: 'medium' });
  // As `header` and `query` sources of a mapping.
  const around = [
    ...Object.entries(headers as Texts),
    ...Object.entries(query as Texts).map(([key, value]): Description => [`?${key}`, value]),
  ];
  return (
    <div className="stack tight">
      {back}
      <Card
        title={title}
        actions={mayChange && <SampleActions {...{ webhookId, onDelete }} sample={sample.data} />}
      >
        <DescriptionList items={useFacts(sample.data)} />
        <JsonView value={body} label={formatMessage({ id: 'samples.body' })} />
        {around.length > 0 && (
          <section className="stack tight" aria-label={formatMessage({ id: 'samples.around' })}>
            <h3>{formatMessage({ id: 'samples.around' })}</h3>
            <div className="small">
              <DescriptionList items={around} />
            </div>
          </section>
        )}
        <div>
          <LinkButton href={`/webhooks/${webhookId}/mapping`}>
            {formatMessage({ id: 'samples.toMapping' })}
          </LinkButton>
        </div>
      </Card>
    </div>
  );
}

function useFacts({ receivedAt, contentType, eventId, source, body }: Sample): Description[] {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `samples.fact.${id}` });
  return [
    [label('received'), <Timestamp key="at" at={receivedAt} />],
    [
      label('source'),
      eventId === null ? (
        formatMessage({ id: `samples.from.${source}` })
      ) : (
        <Link key="event" href={`/events/${eventId}`}>
          {formatMessage({ id: 'samples.from.event' })}
        </Link>
      ),
    ],
    [label('contentType'), contentType === '' ? '–' : <code key="type">{contentType}</code>],
    [label('size'), <Size key="size" body={body} />],
  ];
}

const touched = ['listWebhookSamples', 'getWebhookSample'] as const;

type SampleActionsProps = Pick<Props, 'webhookId' | 'onDelete'> & { readonly sample: Sample };

function SampleActions({ webhookId, sample, onDelete }: SampleActionsProps) {
  const { formatMessage } = useIntl();
  const [isNaming, setNaming] = useState(false);
  const pin = useApiMutation('updateWebhookSample', { invalidates: touched });
  const params = { id: webhookId, sampleId: sample.id };
  return (
    <span className="stack tight">
      <span className={clsx('row', styles.sampleActions)}>
        <Button
          isSmall
          isDisabled={pin.isPending}
          onPress={() => pin.mutate({ params, body: { pinned: !sample.pinned } })}
        >
          {sample.pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
          {formatMessage({ id: sample.pinned ? 'samples.unpin' : 'samples.pin' })}
        </Button>
        <IconButton
          isSmall
          label={formatMessage({ id: 'samples.rename' })}
          onPress={() => setNaming(true)}
        >
          <Pencil aria-hidden />
        </IconButton>
        <IconButton isSmall label={formatMessage({ id: 'samples.delete' })} onPress={onDelete}>
          <Trash2 aria-hidden />
        </IconButton>
      </span>
      {pin.isError && !isNaming && <ErrorNote error={pin.error} />}
      {isNaming && <Naming params={params} name={sample.name} onClose={() => setNaming(false)} />}
    </span>
  );
}

type NamingProps = {
  readonly params: { readonly id: string; readonly sampleId: string };
  readonly name: string | null;
  readonly onClose: () => void;
};

function Naming({ params, name, onClose }: NamingProps) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(name ?? '');
  const change = useApiMutation('updateWebhookSample', { invalidates: touched, onClose });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'samples.rename' })}
      isOpen
      onClose={onClose}
      action={formatMessage({ id: 'ui.save' })}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ params, body: { name: text.trim() || null } })}
    >
      <TextField
        label={formatMessage({ id: 'samples.name' })}
        hint={formatMessage({ id: 'samples.nameHint' })}
        value={text}
        onChange={setText}
        maxLength={100}
      />
    </ConfirmDialog>
  );
}
