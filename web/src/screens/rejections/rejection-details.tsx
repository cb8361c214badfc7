/** One rejected request: its cause, what to do, its body and headers, and what can be made of it. */
import { FlaskConical, Send, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { InletError, type Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { BackToList } from '../../ui/layout/list-detail.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import styles from './rejections.module.css';

export type Rejection = Answer<'getWebhookRejection'>;

type Props = {
  readonly webhookId: string;
  readonly rejectionId: string;
  readonly onClose: () => void;
};

export function RejectionDetails({ webhookId, rejectionId, onClose }: Props) {
  const { formatMessage } = useIntl();
  const rejection = useApiQuery('getWebhookRejection', { params: { id: webhookId, rejectionId } });
  const back = <BackToList label={formatMessage({ id: 'rejections.back' })} onPress={onClose} />;
  if (rejection.isPending) return <Loading lines={8} />;
  if (rejection.isError)
    return (
      <div className="stack tight">
        {back}
        <ErrorNote error={rejection.error} onRetry={() => void rejection.refetch()} />
      </div>
    );
  const { code, message, detail, headers, query } = rejection.data;
  return (
    <div className="stack tight">
      {back}
      <Card title={formatMessage({ id: `rejections.code.${code}` })}>
        <div className="stack tight">
          <p>{message}</p>
          {detail !== null && <p className="soft">{detail}</p>}
          <p>{formatMessage({ id: `rejections.help.${code}` })}</p>
        </div>
        <Actions webhookId={webhookId} rejection={rejection.data} onClose={onClose} />
        <DescriptionList items={useFacts(rejection.data)} />
        <Body rejection={rejection.data} />
        <Named title={formatMessage({ id: 'rejections.headers' })} values={headers} />
        <Named title={formatMessage({ id: 'rejections.query' })} values={query} />
      </Card>
    </div>
  );
}

function useFacts({ receivedAt, address, contentType, bytes }: Rejection): Description[] {
  const { formatMessage, formatNumber } = useIntl();
  const label = (id: string) => formatMessage({ id: `rejections.fact.${id}` });
  return [
    [label('received'), <Timestamp key="at" at={receivedAt} />],
    [label('address'), address === '' ? '–' : <code key="address">{address}</code>],
    [label('contentType'), contentType === '' ? '–' : <code key="type">{contentType}</code>],
    [
      label('size'),
      bytes === null
        ? '–'
        : formatMessage({ id: 'rejections.bytes' }, { bytes: formatNumber(bytes) }),
    ],
  ];
}

/** A body of JSON as a tree, any other as text. */
function Body({ rejection: { body, complete } }: { readonly rejection: Rejection }) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'rejections.body' });
  if (body === null || body === '')
    return <p className="soft">{formatMessage({ id: 'rejections.noBody' })}</p>;
  const parsed = complete ? parseJson(body) : undefined;
  return (
    <section className="stack tight" aria-label={label}>
      {parsed === undefined ? (
        <pre className={styles.body}>{body}</pre>
      ) : (
        <JsonView value={parsed} label={label} />
      )}
      {!complete && <p className="small soft">{formatMessage({ id: 'rejections.cut' })}</p>}
    </section>
  );
}

/** Undefined for anything but an object or a list. */
function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

type NamedProps = { readonly title: string; readonly values: object };

function Named({ title, values }: NamedProps) {
  const items = Object.entries(values as Readonly<Record<string, string>>);
  if (items.length === 0) return null;
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <div className="small">
        <DescriptionList items={items} />
      </div>
    </section>
  );
}

type ActionProps = Pick<Props, 'webhookId' | 'onClose'> & { readonly rejection: Rejection };

const changed = ['listWebhookRejections', 'getWebhookRejection'] as const;

function Actions({ webhookId, rejection, onClose }: ActionProps) {
  const { formatMessage } = useIntl();
  const mayChange = useHasScope('operator');
  const { id: rejectionId, code, complete, sampleId, eventId } = rejection;
  const mayRecord = mayChange && complete && eventId === null;
  const request = { params: { id: webhookId, rejectionId } };
  const keep = useApiMutation('addWebhookRejectionAsSample', {
    invalidates: [...changed, 'listWebhookSamples', 'getWebhook'],
    onDone: () => showToast(formatMessage({ id: 'rejections.kept' })),
  });
  const record = useApiMutation('recordWebhookRejection', {
    invalidates: [...changed, 'listEvents'],
    onDone: () => showToast(formatMessage({ id: 'rejections.recorded' })),
  });
  const remove = useApiMutation('deleteWebhookRejection', {
    invalidates: ['listWebhookRejections'],
    onDone: () => showToast(formatMessage({ id: 'rejections.deleted' })),
    onClose,
  });
  const isBusy = keep.isPending || record.isPending || remove.isPending;
  const error = keep.error ?? record.error ?? remove.error;
  return (
    <div className="stack tight">
      {mayRecord && code === 'invalid_signature' && (
        <Note tone="warn" isLive>
          {formatMessage({ id: 'rejections.unproven' })}
        </Note>
      )}
      <div className="row">
        {sampleId !== null && (
          <Link href={`/webhooks/${webhookId}/samples?sample=${sampleId}`}>
            {formatMessage({ id: 'rejections.toSample' })}
          </Link>
        )}
        {eventId !== null && (
          <Link href={`/events/${eventId}`}>{formatMessage({ id: 'rejections.toEvent' })}</Link>
        )}
        {mayChange && complete && sampleId === null && (
          <Button isDisabled={isBusy} onPress={() => keep.mutate(request)}>
            <FlaskConical aria-hidden />
            {formatMessage({ id: 'rejections.keep' })}
          </Button>
        )}
        {mayRecord && (
          <Button isDisabled={isBusy} onPress={() => record.mutate(request)}>
            <Send aria-hidden />
            {formatMessage({ id: 'rejections.record' })}
          </Button>
        )}
        {mayChange && (
          <IconButton
            isSmall
            isDisabled={isBusy}
            label={formatMessage({ id: 'rejections.delete' })}
            onPress={() => remove.mutate(request)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
      {error && <Refusal error={error} />}
    </div>
  );
}

const states = ['incomplete', 'unreadable', 'needs_split', 'test_request'];

/** Why nothing was made of the request. */
function Refusal({ error }: { readonly error: unknown }): ReactNode {
  const { formatMessage } = useIntl();
  const state =
    error instanceof InletError ? states.find((one) => one === error.details.state) : '';
  if (!state) return <ErrorNote error={error} />;
  return (
    <Note tone="warn" isLive>
      {formatMessage({ id: `rejections.state.${state}` })}
    </Note>
  );
}
