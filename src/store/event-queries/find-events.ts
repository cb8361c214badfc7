/** Reads events by id, and the size and age of the backlog. */
import { majorityRead } from '../db/connection.ts';
import type { Events } from '../events/collection.ts';
import { textIn } from './event-filter.ts';

export const findEvent = (events: Events) => (id: string) =>
  events.findOne({ _id: id }, { ...majorityRead });

export const findEvents = (events: Events) => (ids: readonly string[]) =>
  events.find({ _id: { $in: [...ids] } }, { ...majorityRead }).toArray();

/** Returns events without bodies, timelines and resends. */
export const findRecords = (events: Events) => (ids: readonly string[]) =>
  events
    .find(
      { _id: { $in: [...ids] } },
      { projection: { delivery: 0, timeline: 0, resends: 0 }, ...majorityRead },
    )
    .toArray();

/** Returns the ids of the bodies that have at least one item. */
export const findSplitBodies = (events: Events) => async (ids: readonly string[]) =>
  new Set(
    (await events.distinct('parentId', { parentId: textIn(ids) }, { ...majorityRead })).filter(
      (id) => id !== null,
    ),
  );

/** Returns the items of these bodies that are not `done`, without erased items and items of tests. */
export const findUnfinishedItems = (events: Events) => async (parentIds: readonly string[]) =>
  parentIds.length === 0
    ? []
    : events
        .find(
          {
            parentId: textIn(parentIds),
            state: { $ne: 'done' },
            erased: { $exists: false },
            test: { $exists: false },
          },
          { projection: { timeline: 0, resends: 0 }, ...majorityRead },
        )
        .toArray();

/** Returns a cursor over the newest events of a webhook that store a body. Events of tests are excluded. */
export const streamLatestBodies = (events: Events) => (webhookId: string, limit: number) =>
  events
    .find(
      { webhookId, delivery: { $ne: null }, test: { $exists: false } },
      { sort: { receivedAt: -1, _id: -1 }, limit },
    )
    .batchSize(20);

type EventBacklog = { readonly open: number; readonly held: number; readonly dead: number };

/** Matches are counted up to this number. */
export const maxBacklog = 100_000;

/** Returns the numbers of open, held and dead events. Each is counted in an index, up to `maxBacklog`. */
export function countBacklog(events: Events) {
  const counted = (where: object, hint: string) =>
    events.countDocuments(where, { hint, limit: maxBacklog, maxTimeMS: 2_000 });
  return async function backlog(): Promise<EventBacklog> {
    const [open, held, dead] = await Promise.all([
      counted({ open: true }, 'oldest'),
      counted({ state: 'held' }, 'held'),
      counted({ state: 'dead' }, 'by_state'),
    ]);
    return { open, held, dead };
  };
}

/** Returns the time of receipt of the oldest event that is neither terminal nor held, or null. */
export function oldestOpenAt(events: Events) {
  return async function oldest(): Promise<Date | null> {
    const [event] = await events
      .find(
        { open: true },
        { projection: { receivedAt: 1 }, sort: { receivedAt: 1 }, limit: 1, maxTimeMS: 2_000 },
      )
      .toArray();
    return event?.receivedAt ?? null;
  };
}
