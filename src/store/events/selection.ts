/** Selects the events of a run in order of receipt, in bounded steps, and counts them before the run. */
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import { transitions } from '../../domain/events/lifecycle.ts';
import type { RunCursor, RunFilter, RunKind } from '../../domain/events/run.ts';
import type { IndexSpec } from '../db/connection.ts';
import { isTimeLimitExceeded } from '../db/errors.ts';
import { idBounds, idIndex, listIds, rejectTooSlow } from '../db/queries.ts';
import type { Events } from './state-change.ts';
import { listIdsByState, stateBranches } from './by-state.ts';
import { eventConditions } from './event-filter.ts';

export type Selection = {
  readonly kind: RunKind;
  readonly filter: RunFilter;
  readonly remap: boolean;
};

/** The count stops at this number, because an exact count may take hours. Counting 100,000 events takes about a second. */
export const maxCounted = 100_000;
const maxCountMs = 5_000;
const maxSelectMs = 20_000;
const maxReasons = 100;

const changeOf = ({ kind, remap }: Selection) => {
  if (kind === 'discard') return 'discard';
  return remap ? 'remap' : 'replay';
};

export const selectableStates = (selection: Selection): EventState[] => {
  const { filter } = selection;
  const allowed: readonly EventState[] = transitions[changeOf(selection)].from;
  return allowed.filter((state) => filter.state?.includes(state) ?? true);
};

/** A split body is `done`, so only a remap has to exclude it. The other selections are counted without reading documents. */
const conditions = (selection: Selection) => {
  const { ids, state: _state, ...filter } = selection.filter;
  return eventConditions({ ...filter, ...(ids && { id: ids }), parents: !selection.remap });
};

/** A replay requires that the event ended before the date; a discard, that it was received before it. */
const endedOrReceivedBy = ({ kind }: Selection, before: Date) =>
  kind === 'discard' ? { _id: idBounds({ to: before }) } : { finishedAt: { $lte: before } };

/**
 * For a replay the events ended, for a discard they were received, at or before `before`. The change repeats the condition, also for
 * events that were revived. Throws QueryTooSlow.
 */
export async function selectEvents(
  events: Events,
  selection: Selection,
  { cursor, before, limit }: { cursor: RunCursor | null; before: Date; limit: number },
): Promise<RunCursor[]> {
  const behind = cursor ? [{ _id: { $gt: cursor._id } }] : [];
  const where = { $and: [conditions(selection), endedOrReceivedBy(selection, before), ...behind] };
  const part = { sort: { _id: 1 }, limit, maxTimeMS: maxSelectMs } as const;
  const ids = await listSelected(events, { selection, where }, part).catch(rejectTooSlow);
  return ids.map((_id) => ({ _id }));
}

type Selected = { readonly selection: Selection; readonly where: object };
type Step = { readonly sort: { readonly _id: 1 }; readonly limit: number; maxTimeMS: number };

function listSelected(events: Events, { selection, where }: Selected, step: Step) {
  const states = selectableStates(selection);
  const branches = isSelective(selection) ? null : stateBranches(states);
  if (branches) return listIdsByState(events, { branches, where }, step);
  const options = { ...step, ...hintOf(selection) };
  return listIds(events, { $and: [{ state: { $in: states } }, where] }, options);
}

/** For events that neither a selective field nor their state leads to. */
function hintOf(selection: Selection) {
  if (isSelective(selection)) return {};
  return { hint: selection.filter.webhookId ? 'by_webhook' : idIndex };
}

/** Whether the filter selects fewer events than the states do. */
const isSelective = ({ filter: { ids, reason, externalId, parentId } }: Selection): boolean =>
  (ids ?? reason ?? externalId ?? parentId) !== undefined;

/** When `exact` is false, at least `count` events match. */
export type BoundedCount = { readonly count: number; readonly exact: boolean };

type SelectionCount = BoundedCount & {
  readonly byState: { readonly state: EventState; readonly count: number }[];
  readonly byReason: { readonly reason: string | null; readonly count: number }[];
};

type Part = { readonly where: object; readonly hint?: string };
type Group = { readonly _id: Pick<EventRecord, 'state' | 'reason'>; count: number };

/** Counts the selected events until `maxCounted` or the time limit is reached. */
export function countSelection(events: Events, selection: Selection) {
  const where = conditions(selection);
  const states = selectableStates(selection);
  const branches = isSelective(selection) ? null : stateBranches(states);
  if (!branches) {
    const part = { where: { ...where, state: { $in: states } }, ...hintOf(selection) };
    return countByState(events, [part]);
  }
  const parts = branches.map(({ index: hint, where: own }) => {
    return { where: { $and: [own, where] }, hint };
  });
  return countByState(events, parts);
}

/** Of the events that a run has changed, and that no other run has changed since. Reads only an index. */
export const runIndex: IndexSpec = {
  collection: 'events',
  name: 'by_run',
  key: { runId: 1, state: 1, reason: 1 },
  where: { runId: { $gt: '' } },
};

/** Counts the events of a run by their present states, within the same limits. */
export const countOutcome = (events: Events, runId: string) =>
  countByState(events, [{ where: { runId } }]);

async function countByState(events: Events, parts: readonly Part[]): Promise<SelectionCount> {
  const groups = new Map<string, Group>();
  let count = 0;
  let exact = true;
  try {
    for await (const { state, reason } of statesOf(events, parts)) {
      exact = count < maxCounted;
      if (!exact) break;
      count += 1;
      const key = `${state} ${reason}`;
      const group = groups.get(key);
      if (group) group.count += 1;
      else groups.set(key, { _id: { state, reason }, count: 1 });
    }
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    exact = false;
  }
  const byState = sumBy([...groups.values()], ({ state }) => state);
  const byReason = sumBy([...groups.values()], ({ reason }) => reason);
  return {
    count,
    exact,
    byState: byState.map(([state, n]) => ({ state, count: n })),
    byReason: byReason.slice(0, maxReasons).map(([reason, n]) => ({ reason, count: n })),
  };
}

/** The batches are small, so that the count up to the time limit is known. */
async function* statesOf(events: Events, parts: readonly Part[]) {
  for (const { where, ...hint } of parts) {
    yield* events.find<Pick<EventRecord, 'state' | 'reason'>>(where, {
      projection: { _id: 0, state: 1, reason: 1 },
      limit: maxCounted + 1,
      batchSize: 1_000,
      maxTimeMS: maxCountMs,
      ...hint,
    });
  }
}

function sumBy<Key>(groups: readonly Group[], keyOf: (id: Group['_id']) => Key): [Key, number][] {
  const sums = new Map<Key, number>();
  for (const { _id, count } of groups) sums.set(keyOf(_id), (sums.get(keyOf(_id)) ?? 0) + count);
  return [...sums].toSorted((a, b) => b[1] - a[1]);
}
