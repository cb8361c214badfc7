/**
 * Processing: the only path from a recorded event to its contact, chat and message. One event is a set of one.
 *
 * take → read (pure) → split, prepare → one transaction. The set is one small document, and its transaction writes all effects together
 * with the outcomes of their events. Promises: dying at any line and running twice gives the same contacts, chats and messages, since
 * a set is committed as a whole or not at all; an event that cannot be processed ends with a reason and never fails the others of its
 * set; an event that was taken is finished, or free again when its set ends.
 */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import {
  DeadlineExceeded,
  runWithoutDeadline,
  type RunWithDeadline,
} from '../base/process/deadline.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Tracing } from '../base/observability/tracing.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { Db } from '../store/db/connection.ts';
import type { Finish } from '../store/events/outcomes.ts';
import { CommitUnknown, SetEnded, type Tx } from '../store/sets/set-transaction.ts';
import {
  beatSet,
  dropSet,
  dropUnknownSet,
  leaveSet,
  takeEvents,
  type TakenEvent,
} from '../store/sets/sets.ts';
import { prepareLeads, type PrepareLeadsDeps } from './effects/prepare-leads.ts';
import { fanOut, type FanOutDeps } from './fan-out.ts';
import { planFinish, type PlanFinishDeps } from './plan-finish.ts';
import type { Lead, ParentEvent, ReadResult } from './read/read-event.ts';
import { readSet, type ReadSetDeps } from './read/read-set.ts';
import { reportFinished, type ReportDeps } from './report.ts';
import { commitPart, type CommitDeps, type Part } from './sets/commit-part.ts';
import { partsOf } from './sets/divide-set.ts';
import { holdSet, type HeldSet } from './sets/held-set.ts';
import type { InFlightSets } from './sets/in-flight.ts';
import { retryWhileUnavailable } from './sets/retry-while-unavailable.ts';
import { startSetSpans, type SetSpans } from './set-spans.ts';
import { settleStatuses } from './settle-statuses.ts';
import { timeStep } from './time-step.ts';

export type ProcessEventsDeps = Omit<ReadSetDeps, 'withDeadline'> &
  Omit<FanOutDeps, 'tx' | 'set' | 'signal' | 'withDeadline'> &
  PrepareLeadsDeps &
  Db &
  PlanFinishDeps &
  ReportDeps &
  Pick<CommitDeps, 'wakeDelivery' | 'onStep'> & {
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
   * Nothing else is in progress in this process, so that events which may have ended a worker before are taken too.
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

type SetDeps = ProcessEventsDeps & {
  readonly yieldTurn: (() => Promise<void>) | undefined;
  readonly withDeadline: RunWithDeadline;
  readonly signal: AbortSignal;
  readonly tx: Tx;
  readonly set: HeldSet;
  readonly spans: SetSpans;
  readonly sinceMs: number;
};

/** Rejects only when MongoDB did not answer at all; the events are found again by the sweep. */
export async function processEvents(
  ownDeps: ProcessEventsDeps,
  eventIds: readonly string[],
  { alone = false, yieldTurn }: ProcessOptions = {},
): Promise<void> {
  const { inFlight, clock, connection, worker, metrics } = ownDeps;
  if (inFlight.draining.aborted) return;
  const deps = { ...ownDeps, yieldTurn, signal: inFlight.draining };
  const session = connection.getClient().startSession();
  try {
    const sinceMs = clock.elapsedMs();
    const token = newId();
    const found = await timeStep(deps, 'take', () =>
      take(deps, eventIds, { token, worker, session, alone, now: clock.now() }),
    );
    if (found.length === 0) return;
    const spans = startSetSpans(deps.tracing, found);
    const { events: taken } = spans;
    metrics.setEvents.observe(taken.length);
    const set = holdSet({ ...deps, beat: () => beatSet(connection, token) }, { token, taken });
    const withDeadline = alone ? deps.deadline : runWithoutDeadline;
    const tx = { connection, session };
    await holding({ ...deps, withDeadline, tx, set, spans, sinceMs });
  } finally {
    await session.endSession().catch(() => undefined);
  }
}

/** When the answer is lost, the set may exist: it is dropped before this throws. */
async function take(
  deps: ProcessEventsDeps & Pick<SetDeps, 'signal'>,
  eventIds: readonly string[],
  terms: Parameters<typeof takeEvents>[2],
): Promise<readonly TakenEvent[]> {
  const { connection } = deps;
  try {
    return await takeEvents(connection, eventIds, terms);
  } catch (error) {
    const drop = () => dropSet(connection, terms.token);
    await retryWhileUnavailable({ ...deps, forMs: deps.leaseMs }, drop).catch(() => undefined);
    throw error;
  }
}

/** Processes the set while it is held, and ends it. */
async function holding(deps: SetDeps): Promise<void> {
  const { set, inFlight, metrics, spans } = deps;
  const size = set.events.length;
  inFlight.sets.add(set);
  metrics.inFlight.inc({ stage: 'processing' }, size);
  metrics.inFlight.inc({ stage: 'sets' });
  try {
    await deps.onStep?.('taken');
    if (inFlight.draining.aborted) await inFlight.drop(set);
    else await settleSet(deps);
  } catch (error) {
    if (!set.isDropped) await giveUp(deps, error);
  } finally {
    set.end();
    inFlight.leave(set);
    spans.end();
    metrics.inFlight.dec({ stage: 'processing' }, size);
    metrics.inFlight.dec({ stage: 'sets' });
  }
}

/** When the last events left the set without an outcome, no transaction has deleted it. */
async function settleSet(deps: SetDeps): Promise<void> {
  const { set, connection } = deps;
  await settleEvents(deps, set.events);
  if (!set.isDeleted) await dropSet(connection, set.token);
}

/** The events that have no outcome are free again, without an attempt. */
async function giveUp(deps: SetDeps, error: unknown): Promise<void> {
  const { set, tx, connection, queue, logger, metrics } = deps;
  const { events } = set;
  if (error instanceof SetEnded) {
    if (events.length > 0) {
      metrics.leasesLost.inc(events.length);
      logger.warn({ events: events.map(({ _id }) => _id) }, 'lease.lost');
    }
  } else logger.warn({ err: error, events: events.map(({ _id }) => _id) }, 'set.failed');
  set.drop();
  const isUnknown = error instanceof CommitUnknown;
  const drop = () => (isUnknown ? dropUnknownSet(tx, set.token) : dropSet(connection, set.token));
  await retryWhileUnavailable({ ...deps, forMs: deps.leaseMs }, drop);
  hintEvents(queue, events);
}

/**
 * Gives each of the events an outcome. What fails a set is looked for in its halves, down to the event that fails alone, which is tried
 * again later.
 */
async function settleEvents(deps: SetDeps, events: readonly TakenEvent[]): Promise<void> {
  const open = events.filter(({ _id }) => deps.set.event(_id));
  if (open.length === 0) return;
  try {
    return await applySet(deps, open);
  } catch (error) {
    if (isOfTheSet(error)) throw error;
    const ids = open.map(({ _id }) => _id);
    deps.logger.warn({ err: error, events: ids, reason: 'internal_error' }, 'batch.failed');
  }
  const left = open.filter(({ _id }) => deps.set.event(_id));
  const [only] = left;
  if (!only) return;
  if (left.length === 1) {
    const retry = await planFinish(deps, only, { kind: 'retry', reason: 'internal_error' });
    return commit(deps, { leads: [], ended: [retry] });
  }
  const middle = Math.ceil(left.length / 2);
  await settleEvents(deps, left.slice(0, middle));
  await settleEvents(deps, left.slice(middle));
}

/** Whether none of the events is at fault: the set is over, or the database is away. */
const isOfTheSet = (error: unknown): boolean =>
  error instanceof SetEnded ||
  error instanceof CommitUnknown ||
  (error instanceof AppError && error.code === 'unavailable');

async function applySet(deps: SetDeps, events: readonly TakenEvent[]): Promise<void> {
  const results = await timeStep(deps, 'read', () => readSet(deps, events));
  const outcomes = new Map<string, Outcome>(
    results.flatMap((one) => (one.kind === 'ended' ? [[one.event._id, one.outcome]] : [])),
  );
  const statuses = ofKind(results, 'status').map(({ received }) => received);
  for (const [id, outcome] of await settleStatuses(deps, statuses)) outcomes.set(id, outcome);
  for (const { parent } of ofKind(results, 'parent')) {
    const outcome = await timeStep(deps, 'split', () => split(deps, parent));
    outcomes.set(parent.event._id, outcome);
  }
  const leads = ofKind(results, 'lead').map(({ lead }) => lead);
  const free = await enter(deps, leads);
  const prepared = await timeStep(deps, 'prepare', () => prepareLeads(deps, free));
  const ended = await Promise.all(
    [...outcomes].flatMap(([id, outcome]) => {
      const event = deps.set.event(id);
      return event ? [planFinish(deps, event, outcome)] : [];
    }),
  );
  for (const part of partsOf({ leads: prepared, ended })) await commit(deps, part);
}

type Kind = ReadResult['kind'];

const ofKind = <K extends Kind>(results: readonly ReadResult[], kind: K) =>
  results.filter((one): one is Extract<ReadResult, { kind: K }> => one.kind === kind);

/** How soon an event is looked at again whose person another set of this process has. */
const busyPersonMs = 200;

/** Events whose people another set of this process has leave the set. They would only conflict with it. */
async function enter(deps: SetDeps, leads: readonly Lead[]): Promise<readonly Lead[]> {
  const { inFlight, set, connection, queue } = deps;
  const free = inFlight.enter(set, leads);
  if (free.length === leads.length) return leads;
  const stays = new Set(free);
  const busy = leads.flatMap((lead) => {
    const event = stays.has(lead) ? undefined : set.event(lead.event._id);
    return event ? [event] : [];
  });
  const ids = busy.map(({ _id }) => _id);
  await leaveSet(connection, set.token, ids);
  set.remove(ids);
  hintEvents(queue, busy, busyPersonMs);
  return free;
}

async function split(deps: SetDeps, parent: ParentEvent): Promise<Outcome> {
  try {
    await fanOut(deps, parent);
    return { kind: 'split', items: parent.items.filter((item) => item !== null).length };
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { kind: 'dead', reason: 'too_much_work' };
  }
}

const commit = (deps: SetDeps, part: Part): Promise<void> =>
  timeStep(deps, 'commit', () =>
    commitPart({ ...deps, onCommitted: (finishes) => report(deps, finishes) }, part),
  );

function report(deps: SetDeps, finishes: readonly Finish[]): void {
  deps.spans.finished(finishes);
  reportFinished(deps, finishes, deps.clock.elapsedMs() - deps.sinceMs);
  for (const { event, outcome, delayMs } of finishes) {
    if (outcome.kind !== 'retry') continue;
    const { _id, webhookId, alone } = event;
    const groups = [{ webhookId, eventIds: [_id] }];
    deps.queue.hint({ groups, ...(alone && { alone }) }, delayMs);
  }
}
