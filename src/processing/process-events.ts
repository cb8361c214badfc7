/**
 * Processing: the only path from a recorded event to its contact, chat and message. One event is a set of one.
 *
 * claim → read (pure) → identify → enrich → converse → finish. Each step has the same number of round trips for a set of any
 * size, and each event has an outcome of its own. Promises: dying at any line and running twice gives the same contacts, chats and messages; an event that cannot be
 * processed ends with a reason and never fails the others of its set; a claimed event is finished, or given back, or found
 * again when its lease ends.
 */
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { runWithoutDeadline, type RunWithDeadline } from '../base/process/deadline.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Tracing } from '../base/observability/tracing.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Claim, ClaimedEvent } from '../store/events/claim.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Finish } from '../store/events/finish.ts';
import type { InFlightSets } from './claim/in-flight.ts';
import { LeaseLost, startLease, type HeldLease } from './claim/lease.ts';
import { retryWhileUnavailable } from './claim/retry-while-unavailable.ts';
import { isolateFailures } from './isolate-failures.ts';
import { planFinishes, type PlanFinishDeps } from './plan-finish.ts';
import { reportFinished, reportSpent, type ReportDeps } from './report.ts';
import { runStages, type StageDeps } from './run-stages.ts';
import { startSetSpans, type SetSpans } from './set-spans.ts';
import { timeStep } from './time-step.ts';

export type ProcessEventsDeps = Omit<StageDeps, 'lease' | 'withDeadline'> &
  PlanFinishDeps &
  ReportDeps & {
    readonly events: Pick<EventStore, 'claim' | 'renew' | 'release' | 'finish'>;
    readonly queue: Pick<EventQueue, 'hint'>;
    readonly inFlight: InFlightSets;
    readonly leaseMs: number;
    /** For an event that is processed alone, because it may have hung its last worker. */
    readonly deadline: RunWithDeadline;
    /** The name of this process in the timelines of its events. */
    readonly worker: string;
    readonly logger: Logger;
    readonly metrics: Metrics;
    readonly tracing: Tracing;
    readonly clock: Clock;
  };

type ProcessOptions = {
  /**
   * Nothing else is in progress in this process, so that events which may have ended a worker before are claimed too.
   * Without it they are left out.
   */
  readonly alone?: boolean;
  /** Called before each step of the set, which begins when it resolves. Short sets overtake long ones there. */
  readonly yieldTurn?: () => Promise<void>;
};

export type ProcessEvents = (
  eventIds: readonly string[],
  options?: ProcessOptions,
) => Promise<void>;

/** Rejects only when MongoDB did not answer at all; the events are found again when their leases end. */
export async function processEvents(
  ownDeps: ProcessEventsDeps,
  eventIds: readonly string[],
  { alone = false, yieldTurn }: ProcessOptions = {},
): Promise<void> {
  const deps = { ...ownDeps, yieldTurn };
  const { inFlight, clock, leaseMs, worker } = deps;
  if (inFlight.draining.aborted) return;
  const token = newId();
  const sinceMs = clock.elapsedMs();
  const won = await timeStep(deps, 'claim', () =>
    claimEvents(deps, eventIds, { token, leaseMs, worker, alone }),
  );
  reportSpent(
    deps,
    won.filter(({ state }) => state === 'dead'),
  );
  const processing = won.filter(({ state }) => state === 'processing');
  if (processing.length === 0) return;
  const spans = startSetSpans(deps.tracing, processing);
  const { events: claimed } = spans;
  deps.metrics.setEvents.observe(claimed.length);
  const withDeadline = alone ? deps.deadline : runWithoutDeadline;
  const stageDeps = { ...deps, withDeadline, spans };
  const lease = startLease(deps, { token, claimed, sinceMs });
  await processUnderLease(stageDeps, claimed, lease).finally(() => spans.end());
}

/** When the answer of a claim is lost, the claim may have been made: its events are released before this throws. */
async function claimEvents(
  deps: ProcessEventsDeps,
  eventIds: readonly string[],
  claim: Claim,
): Promise<ClaimedEvent[]> {
  const { events } = deps;
  try {
    return await events.claim(eventIds, claim);
  } catch (error) {
    const release = () => events.release(claim.token, eventIds);
    await retryWhileUnavailable(retryTerms(deps), release).catch(() => undefined);
    throw error;
  }
}

type SetDeps = ProcessEventsDeps & Pick<StageDeps, 'withDeadline'> & { readonly spans: SetSpans };

async function processUnderLease(
  deps: SetDeps,
  claimed: readonly ClaimedEvent[],
  lease: HeldLease,
): Promise<void> {
  const { inFlight, metrics } = deps;
  inFlight.leases.add(lease);
  metrics.inFlight.inc({ stage: 'processing' }, claimed.length);
  metrics.inFlight.inc({ stage: 'sets' });
  try {
    if (inFlight.draining.aborted) await inFlight.release(lease);
    else await processClaimed(deps, claimed, lease);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    if (!lease.isDropped && lease.held.length > 0)
      reportLost(
        deps,
        lease.held.map(({ _id }) => _id),
      );
  } finally {
    lease.end();
    inFlight.leases.delete(lease);
    metrics.inFlight.dec({ stage: 'processing' }, claimed.length);
    metrics.inFlight.dec({ stage: 'sets' });
  }
}

async function processClaimed(
  deps: SetDeps,
  claimed: readonly ClaimedEvent[],
  lease: HeldLease,
): Promise<void> {
  const stageDeps: StageDeps = { ...deps, lease };
  const outcomes = await isolateFailures(stageDeps, claimed, (events) =>
    runStages(stageDeps, events),
  );
  const held = claimed.filter(({ _id }) => lease.holds(_id));
  const finishes = await planFinishes(deps, held, outcomes);
  const write = () => {
    lease.require();
    return deps.events.finish(finishes);
  };
  const lost = await timeStep(deps, 'finish', () => retryWhileUnavailable(retryTerms(deps), write));
  if (lost.size > 0) reportLost(deps, [...lost]);
  const written = finishes.filter(({ event }) => !lost.has(event._id));
  deps.spans.finished(written);
  reportFinished(deps, written, deps.clock.elapsedMs() - lease.sinceMs);
  for (const finish of written) if (finish.outcome.kind === 'retry') hintRetry(deps, finish);
}

/** Giving up costs an event an attempt, so the database is asked for as long as a lease lasts. */
const retryTerms = ({ clock, leaseMs, inFlight }: ProcessEventsDeps) => ({
  clock,
  forMs: leaseMs,
  signal: inFlight.draining,
});

function hintRetry({ queue }: ProcessEventsDeps, { event, delayMs }: Finish): void {
  const { _id, webhookId, alone } = event;
  const groups = [{ webhookId, eventIds: [_id] }];
  queue.hint({ groups, ...(alone && { alone }) }, delayMs);
}

function reportLost({ logger, metrics }: ProcessEventsDeps, lost: readonly string[]): void {
  metrics.leasesLost.inc(lost.length);
  logger.warn({ events: lost }, 'lease.lost');
}
