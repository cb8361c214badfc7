/** What became of the events of a replay: how many are done, how many failed again and why. Followed until all have ended. */
import { useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';

type Outcome = Answer<'getReplayOutcome'>;
type State = Outcome['byState'][number]['state'];

const pollIntervalMs = 1_000;
const openStates: readonly State[] = ['received', 'processing', 'waiting', 'held'];

const countOf = ({ byState }: Outcome, states: readonly State[]): number =>
  byState.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);

/** Undefined until loaded. */
function useReplayOutcome(runId: string) {
  const [isSettled, setSettled] = useState(false);
  const options = { refetchInterval: isSettled ? false : pollIntervalMs } as const;
  const run = useApiQuery('getReplay', { params: { id: runId } }, options);
  const found = useApiQuery('getReplayOutcome', { params: { id: runId } }, options);
  const refresh = useInvalidate();
  const hasEnded = run.data !== undefined && run.data.state !== 'running';
  const open = found.data ? countOf(found.data, openStates) : null;
  // The counts may be older than the end of the run.
  const isComplete = hasEnded && open === 0 && (found.data?.count ?? 0) >= run.data.replayed;
  useEffect(() => {
    if (!isComplete) return;
    setSettled(true);
    refresh('listReplays', 'listDeadLetters', 'listEvents', 'getStatsHealth');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it ends
  }, [isComplete]);
  return { run: run.data, outcome: found.data, isSettled, error: run.error ?? found.error };
}

type Props = {
  readonly runId: string;
  /** Of a run of one webhook. */
  readonly webhookId: string | undefined;
};

export function ReplayOutcome({ runId, webhookId }: Props) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { run, outcome, isSettled, error } = useReplayOutcome(runId);
  if (error && !outcome) return <ErrorNote error={error} />;
  const total = Math.max(run?.total ?? 0, outcome?.count ?? 0);
  const [done, failed] = [countIn(['done']), countIn(['dead'])];
  const ignored = countIn(['ignored', 'discarded']);
  const ended = done + failed + ignored;
  const text = formatMessage({ id: 'repair.outcome' }, { done, failed });
  const reasons = (outcome?.byReason ?? []).flatMap(({ reason, count }) =>
    reason === null || failed === 0 ? [] : [{ reason, count }],
  );
  return (
    <div className="stack tight">
      <Meter value={total === 0 ? 0 : ended / total} label={text} />
      <div role="status">
        <Note tone={failed > 0 ? 'bad' : isSettled ? 'good' : 'info'}>
          <p>
            <strong className="numbers">{text}</strong>
            {ignored > 0 && <> · {formatMessage({ id: 'repair.ignored' }, { count: ignored })}</>}
            {!isSettled && (
              <> · {formatMessage({ id: 'repair.open' }, { count: Math.max(0, total - ended) })}</>
            )}
          </p>
          {reasons.map(({ reason, count }) => (
            <p key={reason}>
              {formatMessage(
                { id: 'repair.failedAgain' },
                { count, reason: reasonText(intl, reason) },
              )}
            </p>
          ))}
        </Note>
      </div>
      {isSettled && failed > 0 && (
        <Link
          href={webhookId === undefined ? '/dead-letters' : `/dead-letters?webhookId=${webhookId}`}
        >
          {formatMessage({ id: 'repair.toFailed' }, { count: failed })}
        </Link>
      )}
    </div>
  );

  function countIn(states: readonly State[]): number {
    return outcome ? countOf(outcome, states) : 0;
  }
}
