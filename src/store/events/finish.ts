/**
 * Writes the outcomes of a set of events, each guarded by its claim's token and fence. One statement writes all outcomes of one
 * shape: in a set that succeeds, all of them.
 */
import { AppError } from '../../base/errors.ts';
import { statesBefore, type StateAfter } from '../../domain/events/lifecycle.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import { isUnavailable } from '../db/errors.ts';
import { idIndex, msFromNow, valueById } from '../db/queries.ts';
import type { ClaimedEvent } from './claim.ts';
import { stateChange, timelineWith, type Events } from './state-change.ts';

export type Finish = {
  readonly event: ClaimedEvent;
  readonly outcome: Outcome;
  /** The delay before the next attempt, in milliseconds. Only a retry uses it. */
  readonly delayMs: number;
};

const stateOf = ({ kind }: Outcome): StateAfter<'finish'> => {
  if (kind === 'retry') return 'waiting';
  return kind === 'split' ? 'done' : kind;
};

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null);

/** The fields of the event that its outcome sets besides its state. */
function fieldsOf(outcome: Outcome) {
  return {
    reason: reasonOf(outcome),
    ...('eventType' in outcome && { eventType: outcome.eventType ?? null }),
    ...('eventDate' in outcome && { eventDate: outcome.eventDate ?? null }),
    ...('problems' in outcome && { problems: outcome.problems ?? [] }),
    ...(outcome.kind === 'done' && { effects: outcome.effects }),
    ...(outcome.kind === 'split' && { items: outcome.items }),
    ...(isBlocked(outcome) && { erased: true, delivery: null, externalId: null }),
  };
}

/** An event of a blocked person is stored without its body and its external id. */
const isBlocked = (outcome: Outcome): boolean =>
  outcome.kind === 'ignored' && outcome.reason === 'blocked';

/** Finishes that one statement writes: they have the same state and set the same fields. */
type Group = {
  readonly state: StateAfter<'finish'>;
  readonly fields: readonly string[];
  readonly finishes: Finish[];
};

function groupsOf(finishes: readonly Finish[]): Group[] {
  const groups = new Map<string, Group>();
  for (const finish of finishes) {
    const state = stateOf(finish.outcome);
    const fields = Object.keys(fieldsOf(finish.outcome));
    const key = [state, ...fields].join();
    const group = groups.get(key) ?? { state, fields, finishes: [] };
    groups.set(key, group);
    group.finishes.push(finish);
  }
  return [...groups.values()];
}

/** A field of the update that holds the values of the event's own outcome, and is removed by the last stage. */
const own = 'outcome';

function stagesOf({ state, fields, finishes }: Group) {
  const waits = state === 'waiting';
  const reason = `$${own}.reason`;
  const when = waits ? msFromNow(`$${own}.delayMs`) : null;
  const values = finishes.map(
    ({ event, outcome, delayMs }) => [event._id, { ...fieldsOf(outcome), delayMs }] as const,
  );
  return [
    { $set: { [own]: valueById(new Map(values)) } },
    {
      $set: {
        ...stateChange('finish', state, reason),
        ...(waits && { timeline: timelineWith('waiting', reason, { dueAt: when ?? '' }) }),
        dueAt: when,
        nextAt: when,
        finishedAt: waits ? null : '$$NOW',
        ...Object.fromEntries(fields.map((field) => [field, `$${own}.${field}`])),
      },
    },
    { $unset: [own, 'claimToken', ...(waits ? [] : ['open', 'alone'])] },
  ];
}

/** The claims that are still to be held: the token of the claim, and the fence of each event. */
function claimsOf({ finishes }: Group) {
  const events = finishes.map(({ event }) => event);
  const fences = new Map(events.map(({ _id, fence }) => [_id, fence]));
  const [fence, ...others] = new Set(fences.values());
  return {
    _id: { $in: [...fences.keys()] },
    claimToken: { $in: [...new Set(events.map(({ claimToken }) => claimToken))] },
    state: statesBefore('finish'),
    // Events at their first attempt have the same fence, which costs less to compare.
    ...(others.length === 0 ? { fence } : { $expr: { $eq: ['$fence', valueById(fences)] } }),
  };
}

/**
 * Returns the ids of the events whose outcome was not written, because their claim was lost. Throws `unavailable` when an
 * outcome could not be written; others may be written then. A repeated call does not write an outcome twice, because the
 * first write ended the claim.
 */
export async function finishEvents(
  events: Events,
  finishes: readonly Finish[],
): Promise<ReadonlySet<string>> {
  if (finishes.length === 0) return new Set();
  const groups = groupsOf(finishes).map((group) => writeGroup(events, group));
  const matched = await sumOf(groups).catch((cause: unknown) => {
    throw new AppError('unavailable', { cause, retryAfterMs: 2_000 });
  });
  return matched === finishes.length ? new Set() : lostOf(events, finishes);
}

/** When a statement fails because of some of its events, the others are written without them. */
async function writeGroup(events: Events, group: Group): Promise<number> {
  const write = async (some: Group): Promise<number> =>
    (await events.updateMany(claimsOf(some), stagesOf(some), { hint: idIndex })).matchedCount;
  try {
    return await write(group);
  } catch (error) {
    if (isUnavailable(error) || group.finishes.length === 1) throw error;
    return sumOf(group.finishes.map((finish) => write({ ...group, finishes: [finish] })));
  }
}

/** Waits for all, and rejects with the first failure. */
async function sumOf(counts: readonly Promise<number>[]): Promise<number> {
  await Promise.allSettled(counts);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The results have totals only. A claim is lost when the fence has changed or the event no longer exists. */
async function lostOf(events: Events, finishes: readonly Finish[]): Promise<ReadonlySet<string>> {
  const ids = finishes.map(({ event }) => event._id);
  const found = await events
    .find({ _id: { $in: ids } }, { projection: { fence: 1, state: 1 } })
    .toArray();
  const now = new Map(found.map((event) => [event._id, event]));
  const isLost = ({ event }: Finish): boolean => {
    const { fence, state } = now.get(event._id) ?? {};
    return fence !== event.fence || state === 'received';
  };
  return new Set(finishes.filter(isLost).map(({ event }) => event._id));
}
