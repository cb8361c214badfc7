/** Sends a sample through a version as a test event, shows its progress, and deletes it. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { problemText, Reason, targetText } from '../../ui/reasons/reasons.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import styles from '../version-comparison/version-comparison.module.css';

type Props = {
  readonly webhookId: string;
  readonly version: number;
  readonly onClose: () => void;
};

export function TestEvent({ webhookId, version, onClose }: Props) {
  const { formatMessage } = useIntl();
  const [eventId, setEventId] = useState<string | null>(null);
  return (
    <Dialog
      title={formatMessage({ id: 'versions.testTitle' }, { version })}
      isOpen
      onClose={onClose}
    >
      <p className="soft">{formatMessage({ id: 'versions.testHint' })}</p>
      {eventId === null ? (
        <Sending {...{ webhookId, version, onClose }} onSent={setEventId} />
      ) : (
        <Became {...{ webhookId, eventId, onClose }} />
      )}
    </Dialog>
  );
}

function Sending({
  webhookId,
  version,
  onClose,
  onSent,
}: Props & { readonly onSent: (eventId: string) => void }) {
  const { formatMessage, formatDate } = useIntl();
  const [chosen, setChosen] = useState<string | null>(null);
  const samples = useApiQuery('listWebhookSamples', {
    params: { id: webhookId },
    query: { per_page: 50 },
  });
  const send = useApiMutation('createWebhookTestEvent', {
    onDone: (created) => onSent(created.eventId),
  });
  if (samples.isPending) return <Loading />;
  if (samples.isError)
    return <ErrorNote error={samples.error} onRetry={() => void samples.refetch()} />;
  const { results } = samples.data;
  const sampleId = chosen ?? results[0]?.id;
  if (sampleId === undefined) {
    return (
      <EmptyState
        title={formatMessage({ id: 'versions.testNoSamples' })}
        action={
          <LinkButton href={`/webhooks/${webhookId}/samples`}>
            {formatMessage({ id: 'versions.step.samples' })}
          </LinkButton>
        }
      />
    );
  }
  const stamp = (at: string) => formatDate(at, { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <>
      <Select
        label={formatMessage({ id: 'versions.testSample' })}
        value={sampleId}
        onChange={setChosen}
        choices={results.map(({ id, name, receivedAt }) => ({
          id,
          label: name ?? stamp(receivedAt),
          ...(name !== null && { hint: stamp(receivedAt) }),
        }))}
      />
      {send.isError && <ErrorNote error={send.error} />}
      <div className="actions">
        <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
        <Button
          variant="primary"
          isDisabled={send.isPending}
          onPress={() => send.mutate({ params: { id: webhookId }, body: { sampleId, version } })}
        >
          {formatMessage({ id: 'versions.testSend' })}
        </Button>
      </div>
    </>
  );
}

const ends = new Set(['done', 'ignored', 'dead', 'discarded']);
const pollIntervalMs = 800;

function Became({
  webhookId,
  eventId,
  onClose,
}: Omit<Props, 'version'> & { readonly eventId: string }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const params = { id: webhookId, eventId };
  const [isOver, setOver] = useState(false);
  const event = useApiQuery(
    'getWebhookTestEvent',
    { params },
    { refetchInterval: isOver ? false : pollIntervalMs },
  );
  if (event.data && ends.has(event.data.state) && !isOver) setOver(true);
  const remove = useApiMutation('deleteWebhookTestEvent', {
    onDone: () => showToast(formatMessage({ id: 'versions.testDeleted' })),
    onClose,
  });
  if (event.isPending) return <Loading />;
  if (event.isError) return <ErrorNote error={event.error} onRetry={() => void event.refetch()} />;
  const { state, reason, effects, problems } = event.data;
  return (
    <>
      <div role="status" className="stack tight">
        <div className="row">
          <EventStateBadge state={state} />
          {reason !== null && <Reason reason={reason} />}
          {!isOver && (
            <span className="soft">{formatMessage({ id: 'versions.testUnderWay' })}</span>
          )}
        </div>
        {problems.length > 0 && (
          <Note tone="warn">
            <ul className={styles.versionsDifferences}>
              {problems.map((problem) => (
                <li key={`${problem.target} ${problem.code}`}>
                  {targetText(intl, problem.target)}: {problemText(intl, problem)}
                </li>
              ))}
            </ul>
          </Note>
        )}
      </div>
      {remove.isError && <ErrorNote error={remove.error} />}
      <div className="actions">
        <Button
          variant="danger"
          isDisabled={!isOver || remove.isPending}
          onPress={() => remove.mutate({ params })}
        >
          {formatMessage({ id: 'versions.testDelete' })}
        </Button>
        <LinkButton href={`/events/${eventId}`}>
          {formatMessage({ id: 'versions.testEvent' })}
        </LinkButton>
        {effects && (
          <LinkButton variant="primary" href={`/inbox?chat=${effects.chatId}`}>
            {formatMessage({ id: 'versions.testChat' })}
          </LinkButton>
        )}
      </div>
    </>
  );
}
