/**
 * Whether this worker still does what it is there for. A process may look alive and be wedged, on a connection or in a
 * lane that never comes back; only that work lies there and none gets finished tells.
 *
 * Promises: no alarm while there is no work to claim, while it is in others' hands, while Redis or MongoDB is away, or
 * while a set in hand merely takes long. Costs nothing while events are finished.
 */
import type { Clock } from '../src/base/clock.ts';
import type { Logger } from '../src/base/observability/logger.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { hintEvents, type EventQueue } from '../src/queue/process-events.ts';

export type LivenessDeps = {
  readonly events: {
    findOverdue(lateMs: number): Promise<readonly { _id: string; webhookId: string }[]>;
  };
  readonly queue: Pick<EventQueue, 'hint' | 'isReady' | 'depth'>;
  /** How long nothing may be finished while there is work. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, at the second check in a row that finds the worker stuck. */
  readonly onStuck: () => void;
};

export type Liveness = {
  /** Sees what begins and what is finished. */
  watch(process: ProcessEvents): ProcessEvents;
  check(): Promise<void>;
  /** Why the worker is not alive; empty while it is. */
  failures(): string[];
  close(): void;
};

/** Each database operation of a set has an end of its own, so a whole set has one too. */
const maxLimitsInHand = 5;

export function startLiveness(deps: LivenessDeps): Liveness {
  const { events, queue, limitMs, clock, logger } = deps;
  const begunMs = new Set<{ readonly atMs: number }>();
  let quietSinceMs = clock.elapsedMs();
  let trouble: string | null = null;
  let isTold = false;

  function excuse(): void {
    quietSinceMs = clock.elapsedMs();
    trouble = null;
  }

  /** What stands in the way; null while nothing does or nobody can know. */
  async function judge(): Promise<string | null> {
    const oldest = Math.min(...[...begunMs].map(({ atMs }) => atMs));
    if (clock.elapsedMs() - oldest > maxLimitsInHand * limitMs) return 'a set in hand never ends';
    if (begunMs.size > 0 || !queue.isReady) return excused();
    const overdue = await events.findOverdue(limitMs / 2);
    if (overdue.length === 0) return excused();
    if ((await queue.depth()) > 0) return 'jobs wait and none is taken';
    // Nothing to take: its hints are lost, or in others' hands.
    hintEvents(queue, overdue);
    return excused();
  }

  function excused(): null {
    excuse();
    return null;
  }

  async function check(): Promise<void> {
    const quietMs = clock.elapsedMs() - quietSinceMs;
    if (quietMs < limitMs / 2) return;
    const found = await judge().catch(excused);
    if (found === null || quietMs < limitMs) return;
    if (trouble === null) logger.error({ reason: found }, 'worker.stuck');
    else if (!isTold) {
      isTold = true;
      deps.onStuck();
    }
    trouble = `nothing was finished for ${Math.round(quietMs / 1_000)} s although there is work: ${found}`;
  }

  const timer = setInterval(() => void check(), limitMs / 4);
  timer.unref();
  return {
    watch: (process) => async (eventIds, options) => {
      const begun = { atMs: clock.elapsedMs() };
      begunMs.add(begun);
      try {
        await process(eventIds, options);
        excuse();
      } finally {
        begunMs.delete(begun);
      }
    },
    check,
    failures: () => (trouble === null ? [] : [trouble]),
    close: () => clearInterval(timer),
  };
}
