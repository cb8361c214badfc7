/**
 * Runs over many events: progress of running ones, results of recent ones.
 *
 * Promises: for a replay it says that events were requeued, never that they were processed; their results are
 * counted separately.
 */
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import type { Tone } from '../../ui/tone.ts';
import { reasonText } from '../../ui/reasons/reasons.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { ReplayOutcome } from '../repair/replay-outcome.tsx';
import { QueueProgress } from './queue-progress.tsx';
import styles from './dead-letters.module.css';

export type Run = Answer<'getReplay'>;

/** Whether the run includes the group. */
export const isRunOf = (
  { state, filter }: Run,
  { webhookId, reason }: { readonly webhookId: string; readonly reason: string },
): boolean =>
  state === 'running' &&
  (filter.webhookId?.includes(webhookId) ?? true) &&
  (filter.reason?.includes(reason) ?? true);

const shown = 10;
const [pollIntervalMs, progressMs] = [15_000, 1_000];

/** Runs that had finished when the screen opened are listed as earlier; the others stay in place when they finish. */
export function useRuns() {
  const found = useApiQuery(
    'listReplays',
    { query: { per_page: shown } },
    { refetchInterval: pollIntervalMs },
  );
  const [past, setPast] = useState<ReadonlySet<string> | null>(null);
  const runs = found.data?.results ?? [];
  if (past === null && found.data) {
    setPast(new Set(runs.filter(({ state }) => state !== 'running').map(({ id }) => id)));
  }
  return {
    now: runs.filter(({ id }) => past !== null && !past.has(id)),
    before: runs.filter(({ id }) => past === null || past.has(id)),
    error: found.error,
    retry: () => void found.refetch(),
  };
}

type RunsProps = {
  readonly title: string;
  readonly runs: readonly Run[];
  /** The progress bar stays when a run finishes. */
  readonly isNow?: boolean;
};

export function RunList({ title, runs, isNow = false }: RunsProps) {
  return runs.length === 0 ? null : (
    <Card title={title}>
      <ul className={styles.runs}>
        {runs.map((run) => (
          <li key={run.id}>
            <OneRun listed={run} isNow={isNow} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Polled while running; afterwards the changed data is reloaded. */
function useRun(listed: Run): Run {
  const isRunning = listed.state === 'running';
  const followed = useApiQuery(
    'getReplay',
    { params: { id: listed.id } },
    { enabled: isRunning, refetchInterval: isRunning ? progressMs : false },
  );
  const run = isRunning ? (followed.data ?? listed) : listed;
  const refresh = useInvalidate();
  const hasEnded = isRunning && run.state !== 'running';
  useEffect(() => {
    if (hasEnded) refresh('listReplays', 'listDeadLetters', 'listEvents');
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it ends
  }, [hasEnded]);
  return run;
}

const tones: Readonly<Record<Run['state'], Tone>> = {
  running: 'info',
  done: 'plain',
  cancelled: 'plain',
  failed: 'bad',
};

function OneRun({ listed, isNow }: { readonly listed: Run; readonly isNow: boolean }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const run = useRun(listed);
  const { kind, state, filter, total, totalExact, replayed, discarded, skipped } = run;
  const done = replayed + discarded;
  const text = formatMessage(
    { id: totalExact ? 'dead.progress' : 'dead.progressAtLeast' },
    { done, total, kind },
  );
  // The text beside it says it all; "finished" would be read as a state of the events.
  const isGivenBack = state === 'done' && kind !== 'discard';
  const [webhookId, ...others] = filter.webhookId ?? [];
  return (
    <div className="stack tight">
      <div className="row spread">
        <span className="row">
          <strong>{formatMessage({ id: `dead.run.${kind}` })}</strong>
          {!isGivenBack && (
            <Badge tone={tones[state]}>{formatMessage({ id: `dead.run.${state}` })}</Badge>
          )}
          <span className="numbers" role={state === 'running' ? 'status' : undefined}>
            {text}
          </span>
        </span>
        {state === 'running' && kind !== 'resume' && <Cancel run={run} />}
      </div>
      {isNow && kind !== 'replay' && (
        <Meter value={(done + skipped) / Math.max(1, total)} label={text} />
      )}
      {isNow && kind === 'replay' && (
        <ReplayOutcome runId={run.id} webhookId={others.length === 0 ? webhookId : undefined} />
      )}
      {isNow && kind === 'resume' && webhookId !== undefined && others.length === 0 && (
        <QueueProgress webhookId={webhookId} isRunning={state === 'running'} />
      )}
      <div className="row small soft">
        {filter.webhookId?.map((id) => (
          <WebhookName key={id} id={id} />
        ))}
        {filter.reason?.map((reason) => (
          <span key={reason} className="break">
            {reasonText(intl, reason)}
          </span>
        ))}
        {skipped > 0 && <span>{formatMessage({ id: 'dead.skipped' }, { count: skipped })}</span>}
        {state === 'failed' && run.reason && (
          <span>{formatMessage({ id: `dead.failed.${run.reason}` })}</span>
        )}
        <span>
          {formatMessage({ id: 'dead.by' }, { name: <Actor key="by" name={run.createdBy} /> })}{' '}
          <RelativeTime at={run.createdAt} />
        </span>
      </div>
    </div>
  );
}

function Cancel({ run }: { readonly run: Run }) {
  const { formatMessage } = useIntl();
  const mayChange = useHasScope('operator');
  const cancel = useApiMutation('cancelReplay', {
    invalidates: ['listReplays', 'listDeadLetters'],
    onDone: () => showToast(formatMessage({ id: 'dead.cancelled' })),
  });
  if (!mayChange) return null;
  const onError = (error: Error) =>
    showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
  return (
    <Button
      isSmall
      isDisabled={cancel.isPending}
      onPress={() => cancel.mutate({ params: { id: run.id }, body: {} }, { onError })}
    >
      {formatMessage({ id: 'dead.stop' })}
    </Button>
  );
}
