/**
 * Finds the events that an erasure reads, page by page.
 *
 * Promises: each page is bounded in documents and in time, and uses an index; the pages move on also where no event matches.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import type { ErasureRecord } from '../../domain/people/erasure.ts';
import { collectionOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { listIds } from '../db/queries.ts';

const unprocessedStates: readonly EventRecord['state'][] = ['ignored', 'dead', 'discarded'];

/** An insert does not write to it, nor does an event that becomes `done`. */
export const unprocessedByChannelIndex: IndexSpec = {
  collection: 'events',
  name: 'unprocessed_by_channel',
  key: { channelId: 1, state: 1, receivedAt: -1, _id: -1 },
  where: { state: { $in: [...unprocessedStates] } },
};

/** Events with their bodies. */
const eventsAtOnce = 50;
/** Events in an open state, of all channels, without their bodies. */
const openEventsAtOnce = 500;
const maxTimeMS = 10_000;

const isErasable = { erased: { $exists: false }, test: { $exists: false } };

/** `last`: the position after which the next page begins, null at the end. `found` may be empty before the end. */
type EventPage = {
  readonly found: EventRecord[];
  readonly last: Pick<EventRecord, '_id' | 'receivedAt'> | null;
};

export function createErasableEvents(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const order = { sort: { receivedAt: -1, _id: -1 }, maxTimeMS } as const;

  async function nextUnprocessed(where: object, channelIds: readonly string[]): Promise<EventPage> {
    const found = await events
      .find(
        { ...where, channelId: { $in: [...channelIds] }, ...isErasable },
        { ...order, limit: eventsAtOnce, hint: unprocessedByChannelIndex.name },
      )
      .toArray();
    return { found, last: found.at(-1) ?? null };
  }

  async function nextOpen(where: object, channelIds: readonly string[]): Promise<EventPage> {
    const projection = { channelId: 1, receivedAt: 1 };
    const read = await events
      .find(where, { ...order, limit: openEventsAtOnce, hint: 'by_state', projection })
      .toArray();
    const own = read.filter(({ channelId }) => channelIds.includes(channelId));
    const page = own.slice(0, eventsAtOnce);
    const last = (page.length < own.length ? page : read).at(-1) ?? null;
    if (page.length === 0) return { found: [], last };
    const ids = page.map(({ _id }) => _id);
    const found = await events.find({ _id: { $in: ids }, ...isErasable }, { maxTimeMS }).toArray();
    return { found, last };
  }

  return {
    /** Returns the next events after the cursor in the channels of the person, newest first. */
    nextEvents({ cursor, sought }: ErasureRecord, state: EventRecord['state']): Promise<EventPage> {
      const { receivedAt, id } = cursor?.state === state ? cursor : {};
      const older = receivedAt && {
        receivedAt: { $lte: receivedAt },
        $or: [{ receivedAt: { $lt: receivedAt } }, { _id: { $lt: id } }],
      };
      const next = unprocessedStates.includes(state) ? nextUnprocessed : nextOpen;
      return next({ state, ...older }, sought?.channelIds ?? []);
    },

    listTestEventIds: (webhookId: string): Promise<string[]> =>
      listIds(
        events,
        { webhookId, 'test.id': { $exists: true }, parentId: null },
        { hint: 'tests' },
      ),
  };
}
