/**
 * Processing: the only path from a recorded event to its contact, chat and message. One event is a set of one.
 *
 * claim → read (pure) → identify → enrich → converse → finish, each one bulk for the set, outcome for each event.
 * Promises: dying at any line and running twice give the same contacts, chats and messages; an event that cannot be
 * processed ends with a reason, and never takes its neighbours with it; what was claimed is finished, or given back, or
 * found again when its lease ends.
 */
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Claim, ClaimedEvent } from '../store/events/claim.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Finish } from '../store/events/finish.ts';
import { createInFlightSets, type Drain } from './claim/in-flight.ts';
import { createInsist } from './claim/retry-while-unavailable.ts';
import { LeaseLost, startLease, type HeldLease } from './claim/lease.ts';
import type { Report } from './report.ts';
import type { Settle } from './plan-finish.ts';
import type { Work } from './run-stages.ts';

export type ProcessDeps = {
  readonly events: Pick<EventStore, 'claim' | 'renew' | 'release' | 'finish'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  /** Must not reject but with LeaseLost. */
  readonly work: Work;
  readonly settle: Settle;
  readonly report: Report;
  readonly leaseMs: number;
  /** What this process is called in the timelines of its events. */
  readonly worker: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

/**
 * Rejects only when MongoDB did not answer at all; then the events are found again when their leases end. Events that may
 * have ended a worker are left out unless `alone` says that nothing else is in hand here.
 */
export type ProcessEvents = (eventIds: readonly string[], alone?: boolean) => Promise<void>;

export type Processing = { readonly processEvents: ProcessEvents; readonly drain: Drain };

export function createProcessEvents(deps: ProcessDeps): Processing {
  const { events, queue, work, settle, report, leaseMs, worker, metrics, clock } = deps;
  const hands = createInFlightSets(deps);
  const insist = createInsist({ clock, forMs: leaseMs, signal: hands.leaving });

  /** A claim whose answer is lost may have been made: what it has is given back before anybody gives up. */
  async function claim(eventIds: readonly string[], terms: Claim): Promise<ClaimedEvent[]> {
    try {
      return await events.claim(eventIds, terms);
    } catch (error) {
      await insist(() => events.release(terms.token, eventIds)).catch(() => undefined);
      throw error;
    }
  }

  async function carry(claimed: readonly ClaimedEvent[], lease: HeldLease): Promise<void> {
    const outcomes = await work(claimed, lease);
    const kept = claimed.filter(({ _id }) => lease.holds(_id));
    const finishes = await settle(kept, outcomes);
    const lost = await insist(() => {
      lease.require();
      return events.finish(finishes);
    });
    if (lost.size > 0) tellLost(deps, [...lost]);
    const written = finishes.filter(({ event }) => !lost.has(event._id));
    report.finished(written, clock.elapsedMs() - lease.sinceMs);
    for (const entry of written) if (entry.outcome.kind === 'retry') hintRetry(entry);
  }

  async function processEvents(eventIds: readonly string[], alone = false): Promise<void> {
    if (hands.leaving.aborted) return;
    const token = newId();
    const sinceMs = clock.elapsedMs();
    const won = await claim(eventIds, { token, leaseMs, worker, alone });
    report.spent(won.filter(({ state }) => state === 'dead'));
    const claimed = won.filter(({ state }) => state === 'processing');
    if (claimed.length === 0) return;
    const lease = startLease(deps, { token, claimed, sinceMs });
    hands.leases.add(lease);
    metrics.inFlight.inc({ stage: 'processing' }, claimed.length);
    try {
      if (hands.leaving.aborted) await hands.giveBack(lease);
      else await carry(claimed, lease);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      if (!lease.isDropped && lease.held.length > 0) tellLost(deps, idsOf(lease.held));
    } finally {
      lease.end();
      hands.leases.delete(lease);
      metrics.inFlight.dec({ stage: 'processing' }, claimed.length);
    }
  }

  function hintRetry({ event, delayMs }: Finish): void {
    const { _id, webhookId, alone } = event;
    queue.hint({ webhookId, eventIds: [_id], ...(alone && { alone }) }, delayMs);
  }

  return { processEvents, drain: hands.drain };
}

const idsOf = (claimed: readonly ClaimedEvent[]): string[] => claimed.map(({ _id }) => _id);

function tellLost({ logger, metrics }: ProcessDeps, lost: readonly string[]): void {
  metrics.leasesLost.inc(lost.length);
  logger.warn({ events: lost }, 'lease.lost');
}
