/**
 * Ids of events by state. Each state that is not `done` is in a small partial index, which holds the id too, so that no document
 * is read.
 */
import type { EventRecord, EventState } from '../../domain/events/event.ts';
import { statesBefore } from '../../domain/events/lifecycle.ts';
import { endedIndex } from './dead-letters.ts';
import type { Events } from './state-change.ts';

type StateGroup = {
  readonly index: string;
  readonly states: readonly EventState[];
  readonly where: object;
};

const groups: readonly StateGroup[] = [
  { index: 'due_by_webhook', states: statesBefore('finish').$in, where: { open: true } },
  { index: 'held', states: ['held'], where: {} },
  { index: endedIndex.name, states: statesBefore('replay').$in, where: {} },
];

/** Conditions with the index that they use. */
type StateBranch = { readonly index: string; readonly where: object };

/** Returns null for a state without an index. */
export function stateBranches(states: readonly string[]): StateBranch[] | null {
  if (!states.every((state) => groups.some((group) => hasState(group, state)))) return null;
  return groups.flatMap((group) => {
    const own = states.filter((state) => hasState(group, state));
    return partsOf(group, own).map((part) => {
      return { index: group.index, where: { ...group.where, state: { $in: part } } };
    });
  });
}

/** MongoDB uses a partial index of several states for all of them or for a single one. */
const partsOf = ({ states }: StateGroup, own: readonly string[]): string[][] =>
  own.length === states.length ? [[...own]] : own.map((state) => [state]);

const hasState = ({ states }: StateGroup, state: string): boolean =>
  (states as readonly string[]).includes(state);

/** The conditions must be met by the indexes alone where they can: any other field makes MongoDB read documents. */
export type StateQuery = { readonly branches: readonly StateBranch[]; readonly where: object };

type Part = {
  /** Further fields to sort by. */
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit: number;
  readonly maxTimeMS: number;
};

/** Only the first part of a union takes a hint. The others have no other index to choose, but for that of the ids. */
function unionOf(events: Events, { branches, where }: StateQuery) {
  const [first, ...rest] = branches;
  if (!first) throw new RangeError('A union has at least one branch.');
  const stagesOf = (branch: StateBranch, shown: object) => [
    { $match: { $and: [branch.where, where] } },
    { $project: shown },
  ];
  return <Found extends object>(shown: object, stages: readonly object[], maxTimeMS: number) =>
    events
      .aggregate<Found>(
        [
          ...stagesOf(first, shown),
          ...rest.map((branch) => ({
            $unionWith: { coll: 'events', pipeline: stagesOf(branch, shown) },
          })),
          ...stages,
        ],
        { hint: first.index, maxTimeMS },
      )
      .toArray();
}

export async function listIdsByState(
  events: Events,
  query: StateQuery,
  { sort, skip = 0, limit, maxTimeMS }: Part,
): Promise<string[]> {
  if (query.branches.length === 0) return [];
  const shown = Object.fromEntries(Object.keys(sort).map((field) => [field, 1]));
  const stages = [
    { $sort: sort },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    { $limit: limit },
    { $project: { _id: 1 } },
  ];
  const read = unionOf(events, query);
  const found = await read<Pick<EventRecord, '_id'>>({ _id: 1, ...shown }, stages, maxTimeMS);
  return found.map(({ _id }) => _id);
}

export async function countByStateQuery(
  events: Events,
  query: StateQuery,
  { limit, maxTimeMS }: Pick<Part, 'limit' | 'maxTimeMS'>,
): Promise<number> {
  if (query.branches.length === 0) return 0;
  const stages = [{ $limit: limit }, { $count: 'n' }];
  const [found] = await unionOf(events, query)<{ n: number }>({ _id: 1 }, stages, maxTimeMS);
  return found?.n ?? 0;
}
