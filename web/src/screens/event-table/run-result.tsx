/** What became of the events of a bulk action. The list is read again when it ends. */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { IconButton } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ReplayOutcome } from '../repair/replay-outcome.tsx';
import styles from './event-table.module.css';

const pollIntervalMs = 1_000;

export type BulkRun = { readonly id: string; readonly kind: 'replay' | 'discard' };

type Props = { readonly run: BulkRun; readonly onClose: () => void };

export function RunResult({ run: { id, kind }, onClose }: Props) {
  const { formatMessage } = useIntl();
  return (
    <section
      className={styles.runResult}
      aria-label={formatMessage({ id: `events.bulk.${kind}.result` })}
    >
      {kind === 'replay' ? (
        <ReplayOutcome runId={id} webhookId={undefined} />
      ) : (
        <DiscardResult runId={id} />
      )}
      <IconButton isSmall label={formatMessage({ id: 'ui.close' })} onPress={onClose}>
        <X aria-hidden />
      </IconButton>
    </section>
  );
}

function DiscardResult({ runId }: { readonly runId: string }) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const run = useApiQuery('getReplay', { params: { id: runId } });
  const { refetch, data } = run;
  const isRunning = data?.state === 'running';
  useEffect(() => {
    if (!isRunning) {
      refresh('listReplays', 'listDeadLetters', 'listEvents', 'getStatsHealth');
      return undefined;
    }
    const timer = setInterval(() => void refetch(), pollIntervalMs);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it ends
  }, [isRunning, refetch]);
  if (run.isError && !data) return <ErrorNote error={run.error} />;
  return (
    <div role="status">
      <Note tone={isRunning ? 'info' : 'good'}>
        {formatMessage({ id: 'events.bulk.discarded' }, { count: data?.discarded ?? 0 })}
      </Note>
    </div>
  );
}
