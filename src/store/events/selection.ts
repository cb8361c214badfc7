/** Which events a run is about: chosen in the order of receipt, a bounded number at a time, and counted before. */
import type { EventState } from '../../domain/event.ts';
import { transitions } from '../../domain/lifecycle.ts';
import type { RunCursor, RunFilter } from '../../domain/run.ts';
import { decisive } from '../connection.ts';
import type { Events } from './collection.ts';
import { conditionsOf } from './query.ts';

export type Selection = {
  readonly filter: RunFilter;
  readonly remap: boolean;
};

const maxCountMs = 20_000;
const maxReasons = 100;

const statesOf = ({ filter, remap }: Selection): EventState[] => {
  const allowed: readonly EventState[] = transitions[remap ? 'remap' : 'replay'].from;
  return allowed.filter((state) => filter.state?.includes(state) ?? true);
};

const conditions = (selection: Selection) => {
  const { ids, ...filter } = selection.filter;
  return {
    ...conditionsOf({ ...filter, parents: false }),
    state: { $in: statesOf(selection) },
    ...(ids && { _id: { $in: [...ids] } }),
  };
};

/** The next ones behind the cursor, of those that had ended before `before`. */
export function selectEvents(events: Events) {
  return async function select(
    selection: Selection,
    from: { cursor: RunCursor | null; before: Date; limit: number },
  ): Promise<RunCursor[]> {
    const { cursor, before, limit } = from;
    const behind = cursor && {
      receivedAt: { $gte: cursor.receivedAt },
      $or: [{ receivedAt: { $gt: cursor.receivedAt } }, { _id: { $gt: cursor._id } }],
    };
    const found = await events
      .find(
        { $and: [{ ...conditions(selection), finishedAt: { $lte: before } }, behind ?? {}] },
        {
          projection: { receivedAt: 1 },
          sort: { receivedAt: 1, _id: 1 },
          limit,
          maxTimeMS: maxCountMs,
          ...decisive,
        },
      )
      .toArray();
    return found.map(({ _id, receivedAt }) => ({ _id, receivedAt }));
  };
}

export type Tally = {
  readonly count: number;
  readonly byState: { readonly state: EventState; readonly count: number }[];
  /** The most frequent hundred. */
  readonly byReason: { readonly reason: string | null; readonly count: number }[];
};

type Group = { _id: { state: EventState; reason: string | null }; count: number };

export function tallyEvents(events: Events) {
  return async function tally(selection: Selection): Promise<Tally> {
    const groups = await events
      .aggregate<Group>(
        [
          { $match: conditions(selection) },
          { $group: { _id: { state: '$state', reason: '$reason' }, count: { $sum: 1 } } },
        ],
        { maxTimeMS: maxCountMs, ...decisive },
      )
      .toArray();
    const byState = sumBy(groups, ({ state }) => state);
    const byReason = sumBy(groups, ({ reason }) => reason);
    return {
      count: groups.reduce((sum, { count }) => sum + count, 0),
      byState: byState.map(([state, count]) => ({ state, count })),
      byReason: byReason.slice(0, maxReasons).map(([reason, count]) => ({ reason, count })),
    };
  };
}

/** The largest first. */
function sumBy<Key>(groups: readonly Group[], keyOf: (id: Group['_id']) => Key): [Key, number][] {
  const sums = new Map<Key, number>();
  for (const { _id, count } of groups) sums.set(keyOf(_id), (sums.get(keyOf(_id)) ?? 0) + count);
  return [...sums].toSorted((a, b) => b[1] - a[1]);
}
