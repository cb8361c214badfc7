/**
 * Processing: the only path from a recorded event to its contact, chat and message. One event is a set of one.
 *
 * claim → read (pure) → identify → enrich → converse → finish, each one bulk for the set, outcome for each event.
 * Promises: dying at any line and running twice give the same contacts, chats and messages; an event that cannot be
 * processed ends with a reason, and never takes its neighbours with it.
 */
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { EventRecord } from '../domain/event.ts';
import { maxAttempts, retryDelayMs, type Outcome, type Reason } from '../domain/outcome.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { ClaimedEvent } from '../store/events/claim.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Finish } from '../store/events/finish.ts';
import { isStoreError } from '../store/errors.ts';
import { Contended } from './enrich.ts';
import type { Report } from './report.ts';

export type ProcessDeps = {
  readonly events: Pick<EventStore, 'claim' | 'finish'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly work: Work;
  readonly report: Report;
  readonly leaseMs: number;
  readonly random?: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

/** Everything between claim and finish. */
export type Work = (events: readonly EventRecord[]) => Promise<ReadonlyMap<string, Outcome>>;

export type ProcessEvents = (eventIds: readonly string[]) => Promise<void>;

/** Rejects only when MongoDB did not answer at all; then the events' leases end and they are found again. */
export function createProcessEvents(deps: ProcessDeps): ProcessEvents {
  const {
    events,
    queue,
    work,
    report,
    leaseMs,
    random = Math.random,
    logger,
    metrics,
    clock,
  } = deps;

  return async function processEvents(eventIds) {
    const startedMs = clock.elapsedMs();
    const claimed = await events.claim(eventIds, { token: newId(), leaseMs });
    report.spent(claimed.filter(({ state }) => state === 'dead'));
    const mine = claimed.filter(({ state }) => state === 'processing');
    if (mine.length === 0) return;
    metrics.inFlight.inc({ stage: 'processing' }, mine.length);
    try {
      const outcomes = await workApart(mine);
      const finishes = mine.map((event) => finishOf(event, outcomes.get(event._id)));
      const lost = await events.finish(finishes);
      if (lost.size > 0) logger.warn({ events: [...lost] }, 'lease.lost');
      const written = finishes.filter(({ event }) => !lost.has(event._id));
      report.finished(written, clock.elapsedMs() - startedMs);
      for (const entry of written) if (entry.outcome.kind === 'retry') hintRetry(entry);
    } finally {
      metrics.inFlight.dec({ stage: 'processing' }, mine.length);
    }
  };

  function hintRetry({ event, delayMs }: Finish): void {
    const { _id, webhookId, alone } = event;
    queue.hint({ webhookId, eventIds: [_id], ...(alone && { alone }) }, delayMs);
  }

  /** The set together; if that fails for a reason of its own, each event apart, so that one cannot fail the others. */
  async function workApart(set: readonly ClaimedEvent[]): Promise<ReadonlyMap<string, Outcome>> {
    try {
      return await work(set);
    } catch (error) {
      const reason = reasonOf(error);
      logger.warn({ err: error, events: set.map(({ _id }) => _id), reason }, 'set.failed');
      if (set.length === 1 || reason === 'store_unavailable') {
        return new Map(set.map(({ _id }) => [_id, { kind: 'retry', reason }]));
      }
    }
    const outcomes = new Map<string, Outcome>();
    for (const event of set) {
      for (const [id, outcome] of await workApart([event])) outcomes.set(id, outcome);
    }
    return outcomes;
  }

  function finishOf(event: ClaimedEvent, outcome: Outcome | undefined): Finish {
    const settled = outcome ?? { kind: 'retry', reason: 'unforeseen' };
    if (settled.kind !== 'retry') return { event, outcome: settled, delayMs: 0 };
    if (event.attempts >= maxAttempts) {
      return {
        event,
        outcome: { kind: 'dead', reason: `attempts_spent:${settled.reason}` },
        delayMs: 0,
      };
    }
    return { event, outcome: settled, delayMs: retryDelayMs(event.attempts, random) };
  }
}

function reasonOf(error: unknown): Reason {
  if (error instanceof Contended) return 'effect_contended';
  return isStoreError(error) ? 'store_unavailable' : 'unforeseen';
}
