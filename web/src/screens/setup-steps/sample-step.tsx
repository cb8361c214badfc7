/** Waits for the first event and continues automatically. Users without a sender can paste, drop or send a sample. */
import { useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { DropZone, FileTrigger, Link, Text } from 'react-aria-components';
import { ClipboardPaste, FileUp, Send } from 'lucide-react';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useSampleArrivals } from './sample-arrivals.ts';
import { exampleLead } from './example-lead.ts';
import { WaitingStatus } from './waiting-status.tsx';
import { parsePastedSample, type PastedSample } from './pasted-sample.ts';
import styles from './setup-steps.module.css';

type Webhook = Answer<'getWebhook'>;

const pollIntervalMs = 5_000;

export function SampleStep({ webhook: { id, setup } }: { readonly webhook: Webhook }) {
  const { refetchInterval, isLost } = useSampleArrivals(id);
  // The page polls the same data less often.
  useApiQuery(
    'getWebhook',
    { params: { id } },
    { refetchInterval: setup.sample ? false : refetchInterval },
  );
  return (
    <>
      {setup.sample ? (
        <Arrived webhookId={id} refetchInterval={refetchInterval} />
      ) : (
        <>
          <Listening isLost={isLost} />
          <Rejected webhookId={id} />
        </>
      )}
      <Ways webhookId={id} isFirst={!setup.sample} />
    </>
  );
}

function Listening({ isLost }: { readonly isLost: boolean }) {
  const { formatMessage } = useIntl();
  return (
    <WaitingStatus isLost={isLost} title={formatMessage({ id: 'setup.listening' })}>
      {formatMessage({ id: 'setup.listeningHint' })}
    </WaitingStatus>
  );
}

/** A request that was rejected is no sample: the wait would have no end. */
function Rejected({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const { data } = useApiQuery(
    'countWebhookRejections',
    { params: { id: webhookId }, query: {} },
    { refetchInterval: pollIntervalMs },
  );
  const count = data?.total ?? 0;
  if (count === 0) return null;
  return (
    <Note tone="warn" isLive>
      <p>
        {formatMessage(
          { id: 'setup.rejected' },
          {
            count,
            a: (text: ReactNode[]) => (
              <Link key="rejections" href={`/webhooks/${webhookId}/rejections`}>
                {text}
              </Link>
            ),
          },
        )}
      </p>
    </Note>
  );
}

type ArrivedProps = { readonly webhookId: string; readonly refetchInterval: number | false };

function Arrived({ webhookId, refetchInterval }: ArrivedProps) {
  const { formatMessage } = useIntl();
  const samples = useApiQuery(
    'listWebhookSamples',
    { params: { id: webhookId }, query: { per_page: 1 } },
    { refetchInterval },
  );
  const newest = samples.data?.results[0];
  return (
    <div className="row spread">
      <p role="status">
        {formatMessage({ id: 'setup.samples' }, { count: samples.data?.pagings.total ?? 0 })}{' '}
        {newest && (
          <span className="soft">
            {formatMessage(
              { id: 'setup.lastCame' },
              { when: <RelativeTime key="at" at={newest.receivedAt} /> },
            )}
          </span>
        )}
      </p>
      <LinkButton isSmall href={`/webhooks/${webhookId}/samples`}>
        {formatMessage({ id: 'setup.toSamples' })}
      </LinkButton>
    </div>
  );
}

function useAdding(webhookId: string) {
  const { formatMessage } = useIntl();
  const [problem, setProblem] = useState<string | null>(null);
  const create = useApiMutation('createWebhookSample', {
    invalidates: ['getWebhook', 'listWebhookSamples'],
  });
  const send = (sample: PastedSample, name?: string) =>
    create.mutate({ params: { id: webhookId }, body: { ...sample, ...(name && { name }) } });
  return {
    isBusy: create.isPending,
    error: create.error,
    problem,
    clear: () => setProblem(null),
    send,
    sendText(text: string, name?: string) {
      const sample = parsePastedSample(text);
      setProblem(sample ? null : formatMessage({ id: 'setup.unreadable' }));
      if (sample) send(sample, name);
    },
  };
}

type WaysProps = { readonly webhookId: string; readonly isFirst: boolean };

function Ways({ webhookId, isFirst }: WaysProps) {
  const { formatMessage } = useIntl();
  const [isPasting, setPasting] = useState(false);
  const adding = useAdding(webhookId);

  async function takeFile(file: File | undefined) {
    if (file) adding.sendText(await file.text(), file.name.slice(0, 100));
  }

  return (
    <div className="stack">
      <h3>{formatMessage({ id: isFirst ? 'setup.noSender' : 'setup.moreSamples' })}</h3>
      <div className="row">
        <Button
          isDisabled={adding.isBusy}
          onPress={() => adding.send({ body: exampleLead }, formatMessage({ id: 'setup.example' }))}
        >
          <Send aria-hidden />
          {formatMessage({ id: 'setup.sendExample' })}
        </Button>
        <Button aria-expanded={isPasting} onPress={() => setPasting(!isPasting)}>
          <ClipboardPaste aria-hidden />
          {formatMessage({ id: 'setup.paste' })}
        </Button>
      </div>
      {isPasting && <Paste adding={adding} />}
      <DropZone
        className={styles.drop}
        aria-label={formatMessage({ id: 'setup.drop' })}
        getDropOperation={() => 'copy'}
        onDrop={({ items }) => {
          const dropped = items.find((item) => item.kind === 'file');
          if (dropped?.kind === 'file') void dropped.getFile().then(takeFile);
        }}
      >
        <Text slot="label" className="soft small">
          {formatMessage({ id: 'setup.drop' })}
        </Text>
        <FileTrigger
          acceptedFileTypes={['.json', '.xml', '.txt']}
          onSelect={(files) => void takeFile(files?.[0])}
        >
          <Button isSmall>
            <FileUp aria-hidden />
            {formatMessage({ id: 'setup.chooseFile' })}
          </Button>
        </FileTrigger>
      </DropZone>
      {!isPasting && <Trouble adding={adding} />}
    </div>
  );
}

type AddingProps = { readonly adding: ReturnType<typeof useAdding> };

function Trouble({ adding: { problem, error } }: AddingProps) {
  return (
    <>
      {problem !== null && (
        <Note tone="bad" isLive>
          {problem}
        </Note>
      )}
      {error && <ErrorNote error={error} />}
    </>
  );
}

function Paste({ adding }: AddingProps) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState('');
  return (
    <div className="stack tight">
      <TextField
        label={formatMessage({ id: 'setup.pasteLabel' })}
        hint={formatMessage({ id: 'setup.pasteHint' })}
        lines={7}
        value={text}
        onChange={(next) => {
          adding.clear();
          setText(next);
        }}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user just opened it
        autoFocus
      />
      <Trouble adding={adding} />
      <div>
        <Button
          variant="primary"
          isDisabled={adding.isBusy || text.trim() === ''}
          onPress={() => adding.sendText(text)}
        >
          {formatMessage({ id: 'setup.useSample' })}
        </Button>
      </div>
    </div>
  );
}
