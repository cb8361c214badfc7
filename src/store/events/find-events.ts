/** Reads events by id, and the size and age of the backlog. */
import type { EventRecord } from '../../domain/events/event.ts';
import type { Events } from './state-change.ts';
import { nullIfTooSlow } from '../db/queries.ts';
import { endedIndex } from './dead-letters.ts';
import { textIn } from './event-filter.ts';

/** Returns a cursor over the newest events of a webhook that store a body. Events of tests are excluded. */
export const streamLatestBodies = (events: Events, webhookId: string, limit: number) =>
  events.find(
    { webhookId, delivery: { $ne: null }, test: { $exists: false } },
    { sort: { _id: -1 }, limit, hint: 'by_webhook', batchSize: 20 },
  );

/** Returns the newest events that are done with their bodies, or those of their parents. Empty after 2 s of search. */
export async function findDoneBodies(events: Events, webhookId: string, limit: number) {
  const where = {
    webhookId,
    state: 'done' as const,
    items: null,
    strippedAt: { $exists: false },
    test: { $exists: false },
  };
  const projection = { timeline: 0, resends: 0 };
  const order = { sort: { _id: -1 }, hint: 'by_webhook', limit, maxTimeMS: 2_000 } as const;
  const found = await events
    .find(where, { ...order, projection })
    .toArray()
    .catch(nullIfTooSlow);
  if (!found) return [];
  const ids = new Set(found.flatMap(({ parentId }) => parentId ?? []));
  const parents = await events.find({ _id: { $in: [...ids] } }, { projection }).toArray();
  return [...found, ...parents].filter(({ delivery }) => delivery !== null);
}

/** Matches are counted up to this number. */
export const maxBacklog = 100_000;

export function createEventReads(events: Events) {
  const counted = (where: object, hint: string) =>
    events.countDocuments(where, { hint, limit: maxBacklog, maxTimeMS: 2_000 });

  return {
    get: (id: string): Promise<EventRecord | null> => events.findOne({ _id: id }),

    getMany: (ids: readonly string[]) => events.find({ _id: { $in: [...ids] } }).toArray(),

    getRecords: (ids: readonly string[]): Promise<EventRecord[]> =>
      events
        .find({ _id: { $in: [...ids] } }, { projection: { delivery: 0, timeline: 0, resends: 0 } })
        .toArray(),

    findSplitBodies: async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
      const found = await events.distinct('parentId', { parentId: textIn(ids) });
      return new Set(found.filter((id) => id !== null));
    },

    /** Returns the items of these bodies that are not `done`, without erased items and items of tests. */
    findUnfinishedItems: async (parentIds: readonly string[]): Promise<EventRecord[]> => {
      if (parentIds.length === 0) return [];
      const lives = { erased: { $exists: false }, test: { $exists: false } };
      const where = { parentId: textIn(parentIds), state: { $ne: 'done' as const }, ...lives };
      return events.find(where, { projection: { timeline: 0, resends: 0 } }).toArray();
    },

    countBacklog: async () => {
      const [open, held, dead] = await Promise.all([
        counted({ open: true }, 'due_by_webhook'),
        counted({ state: 'held' }, 'held'),
        counted({ state: 'dead' }, endedIndex.name),
      ]);
      return { open, held, dead };
    },

    /** Of the open events that are swept first, up to `maxBacklog`. Reads index keys only. */
    oldestOpenAt: async (): Promise<Date | null> => {
      const [oldest] = await events
        .aggregate<{ _id: string }>(
          [
            { $match: { open: true } },
            { $limit: maxBacklog },
            { $sort: { _id: 1 } },
            { $limit: 1 },
            { $project: { _id: 1 } },
          ],
          { hint: 'due_by_webhook', maxTimeMS: 2_000 },
        )
        .toArray();
      const projection = { _id: 0, receivedAt: 1 } as const;
      const found = oldest && (await events.findOne({ _id: oldest._id }, { projection }));
      return found?.receivedAt ?? null;
    },
  };
}
