/**
 * Detects a worker that is stuck, for example on a connection that never answers: there is work, and none of it is finished.
 *
 * Promises: no failure is reported while there is no work to claim, while other workers have it, while Redis or MongoDB is
 * away, or while a set merely takes long. Costs nothing while events are finished.
 */
import type { Clock } from '../src/base/clock.ts';
import type { Logger } from '../src/base/observability/logger.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { hintEvents, type EventQueue } from '../src/queue/process-events.ts';

type LivenessDeps = {
  readonly events: {
    findOverdue(lateMs: number): Promise<readonly { _id: string; webhookId: string }[]>;
  };
  readonly queue: Pick<EventQueue, 'hint' | 'isReady' | 'depth'>;
  /** How long the worker may finish nothing while there is work. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, at the second check in a row that finds the worker stuck. */
  readonly onStuck: () => void;
};

type Liveness = {
  /** Returns the same function, observed. */
  watch(process: ProcessEvents): ProcessEvents;
  check(): Promise<void>;
  /** Returns why the worker counts as dead; empty while it is alive. */
  failures(): string[];
  close(): void;
};

/** A set may take this many times the limit. Each of its database operations has a timeout, so it ends. */
const maxSetLimits = 5;

export function startLiveness(deps: LivenessDeps): Liveness {
  const { events, queue, limitMs, clock, logger } = deps;
  const inProgress = new Set<{ readonly atMs: number }>();
  let quietSinceMs = clock.elapsedMs();
  let failure: string | null = null;
  let isReported = false;

  function reset(): void {
    quietSinceMs = clock.elapsedMs();
    failure = null;
  }

  /** Returns null while the worker is not stuck, or that cannot be known. */
  async function findFailure(): Promise<string | null> {
    const oldest = Math.min(...[...inProgress].map(({ atMs }) => atMs));
    if (clock.elapsedMs() - oldest > maxSetLimits * limitMs) return 'a set in progress never ends';
    if (inProgress.size > 0 || !queue.isReady) return resetToNull();
    const overdue = await events.findOverdue(limitMs / 2);
    if (overdue.length === 0) return resetToNull();
    if ((await queue.depth()) > 0) return 'jobs wait and none is taken';
    // There is no job to take: the hints are lost, or other workers have them.
    hintEvents(queue, overdue);
    return resetToNull();
  }

  function resetToNull(): null {
    reset();
    return null;
  }

  async function check(): Promise<void> {
    const quietMs = clock.elapsedMs() - quietSinceMs;
    if (quietMs < limitMs / 2) return;
    const found = await findFailure().catch(resetToNull);
    if (found === null || quietMs < limitMs) return;
    if (failure === null) logger.error({ reason: found }, 'worker.stuck');
    else if (!isReported) {
      isReported = true;
      deps.onStuck();
    }
    failure = `nothing was finished for ${Math.round(quietMs / 1_000)} s although there is work: ${found}`;
  }

  const timer = setInterval(() => void check(), limitMs / 4);
  timer.unref();
  return {
    watch: (process) => async (eventIds, options) => {
      const begun = { atMs: clock.elapsedMs() };
      inProgress.add(begun);
      try {
        await process(eventIds, options);
        reset();
      } finally {
        inProgress.delete(begun);
      }
    },
    check,
    failures: () => (failure === null ? [] : [failure]),
    close: () => clearInterval(timer),
  };
}
