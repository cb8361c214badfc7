/**
 * The outcomes of events, as writes of the transaction of their set. Each is guarded by the state and the fence with which its event
 * was taken, and counts the attempt.
 */
import { groupBy } from '../../base/group-by.ts';
import type { EventProblem, EventRecord } from '../../domain/events/event.ts';
import type { MappingProblem } from '../../domain/mappings/mapping.ts';
import type { StateAfter } from '../../domain/events/lifecycle.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import { idIndex, literal, msFromNow, valueById } from '../db/queries.ts';
import { updateByShape } from '../db/update-by-shape.ts';
import type { Tx } from '../sets/set-transaction.ts';
import { timelineWith } from './state-change.ts';
import type { TakenEvent } from '../sets/sets.ts';
import { renderText } from '../../base/texts/texts.ts';

export type Finish = {
  readonly event: TakenEvent;
  readonly outcome: Outcome;
  /** The delay before the next attempt, in milliseconds. Only a retry uses it. */
  readonly delayMs: number;
};

/** An event was changed since it was taken: replayed, discarded, erased, or processed by another worker. Nothing may be written. */
export class StaleEvents extends Error {
  override readonly name = 'StaleEvents';
}

const stateOf = ({ kind }: Outcome): StateAfter<'finish'> => {
  if (kind === 'retry') return 'waiting';
  return kind === 'split' ? 'done' : kind;
};

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null);

/** An event of a blocked person is stored without its body and its external id. */
const isBlocked = (outcome: Outcome): boolean =>
  outcome.kind === 'ignored' && outcome.reason === 'blocked';

const storedProblem = ({ target, code, message }: MappingProblem): EventProblem => ({
  target,
  code,
  message: renderText(message, 'en'),
  text: message,
});

/** The fields of the event that its outcome sets besides its state. */
const fieldsOf = (outcome: Outcome) => ({
  ...('eventType' in outcome && { eventType: outcome.eventType ?? null }),
  ...('eventDate' in outcome && { eventDate: outcome.eventDate ?? null }),
  ...('problems' in outcome && { problems: (outcome.problems ?? []).map(storedProblem) }),
  ...(outcome.kind === 'done' && { effects: outcome.effects }),
  ...(outcome.kind === 'split' && { items: outcome.items }),
  ...(isBlocked(outcome) && { erased: true as const, delivery: null, externalId: null }),
});

/** Throws StaleEvents when an event is not as it was taken. */
export async function writeOutcomes(
  tx: Tx,
  finishes: readonly Finish[],
  worker: string,
): Promise<void> {
  for (const group of groupsOf(finishes).values()) {
    const matched = await updateByShape(tx, 'events', outcomeWrite(group, worker));
    if (matched < group.length) throw new StaleEvents('An event has changed.');
  }
}

/** Finishes that lead to one state, of events that were taken at once in one state with one fence: nearly always all. */
const groupsOf = (finishes: readonly Finish[]) =>
  groupBy(finishes, ({ event: { state, fence }, outcome }) =>
    [state, fence, stateOf(outcome)].join(),
  );

function outcomeWrite(group: readonly Finish[], worker: string) {
  const [{ event, outcome }] = group as [Finish];
  const state = stateOf(outcome);
  const dueAt = state === 'waiting' ? msFromNow(valueById(valuesOf(group, delayOf))) : null;
  const attempt = { worker: literal(worker), startedAt: event.takenAt };
  return {
    where: { state: event.state, fence: event.fence },
    changes: group.map((finish) => ({
      _id: finish.event._id,
      set: { reason: reasonOf(finish.outcome), ...fieldsOf(finish.outcome) },
    })),
    set: {
      state,
      dueAt,
      nextAt: dueAt,
      attempts: { $add: ['$attempts', 1] },
      fence: { $add: ['$fence', 1] },
      // The sweep starts with its shortest delay.
      sweeps: 0,
      finishedAt: dueAt ? null : '$$NOW',
      timeline: timelineWith(state, reasonsOf(group), { ...attempt, ...(dueAt && { dueAt }) }),
    },
    unset: ['lock', ...(dueAt ? [] : ['open', 'alone'])],
  };
}

const delayOf = ({ delayMs }: Finish): number => delayMs;

const valuesOf = (group: readonly Finish[], valueOf: (finish: Finish) => unknown) =>
  new Map(group.map((finish) => [finish.event._id, valueOf(finish)]));

/** Nearly always the same for all. */
function reasonsOf(group: readonly Finish[]) {
  const reasons = valuesOf(group, ({ outcome }) => reasonOf(outcome));
  const [reason = null, ...others] = new Set(reasons.values());
  return others.length === 0 ? literal(reason) : valueById(reasons);
}

/**
 * Locks the events until the end of the transaction, before anything is read: another writer of one of them waits or conflicts, so that
 * a set that lost against a stream of such writers is committed. The outcomes remove the mark.
 */
export async function lockEvents(tx: Tx, ids: readonly string[], mark: string): Promise<void> {
  await runCommand(tx, 'update', (options) =>
    nativeCollection<EventRecord & { lock?: string }>(tx.connection, 'events').updateMany(
      { _id: { $in: ids.toSorted() } },
      { $set: { lock: mark } },
      { ...options, hint: idIndex },
    ),
  );
}

/** Returns which of the events are still as they were taken. */
export async function listUnchanged(
  tx: Pick<Tx, 'connection'>,
  taken: readonly TakenEvent[],
): Promise<ReadonlySet<string>> {
  const ids = taken.map(({ _id }) => _id);
  const found = await runCommand(tx, 'find', (options) =>
    nativeCollection<EventRecord>(tx.connection, 'events')
      .find({ _id: { $in: ids } }, { ...options, projection: { state: 1, fence: 1 } })
      .toArray(),
  );
  const now = new Map(found.map((event) => [event._id, event]));
  return new Set(
    taken.flatMap(({ _id, state, fence }) => {
      const event = now.get(_id);
      return event?.state === state && event.fence === fence ? [_id] : [];
    }),
  );
}

/** After a lost answer: returns the events whose outcomes are written. Their fences have risen by this outcome. */
export async function listWritten(
  tx: Pick<Tx, 'connection'>,
  finishes: readonly Finish[],
): Promise<ReadonlySet<string>> {
  const ids = finishes.map(({ event }) => event._id);
  const found = await runCommand(tx, 'find', (options) =>
    nativeCollection<EventRecord>(tx.connection, 'events')
      .find({ _id: { $in: ids } }, { ...options, projection: { timeline: 1 } })
      .toArray(),
  );
  const lines = new Map(found.map(({ _id, timeline }) => [_id, timeline]));
  const isWritten = ({ event: { _id, takenAt } }: Finish): boolean =>
    lines.get(_id)?.some(({ startedAt }) => startedAt && +startedAt === +takenAt) === true;
  return new Set(finishes.filter(isWritten).map(({ event }) => event._id));
}
