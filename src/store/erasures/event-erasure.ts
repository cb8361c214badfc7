/**
 * Finds the events of a person page by page, each bounded in documents and in time, and erases them. Bodies and external ids are removed. The record stays, so that counts stay correct and a resend
 * is recognised. The fence is raised, so that a worker that has taken the event commits nothing of it.
 */
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';
import type { ErasureRecord } from '../../domain/people/erasure.ts';
import { transitions } from '../../domain/events/lifecycle.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import type { Connection, IndexSpec, Session } from '../db/connection.ts';
import { idIndex, listIds } from '../db/queries.ts';
import { timelineWith } from '../events/state-change.ts';

/** A body that also names other people, reduced to their data. */
export type RedactedBody = {
  readonly parentId: string;
  /** The inbound request that was redacted. A body that has changed since then is not overwritten. */
  readonly seen: InboundRequest;
  readonly delivery: InboundRequest | null;
  /** The indexes of the items that are removed. */
  readonly items: readonly number[];
};

export type EventErasure = {
  readonly ids: readonly string[];
  readonly bodies: readonly RedactedBody[];
};

const openStates = transitions.discard.from.filter((state) => state !== 'dead');
const isOpen = { $in: ['$state', openStates] };
const ifOpen = (value: unknown, otherwise: unknown) => ({ $cond: [isOpen, value, otherwise] });

const erasedStages = [
  {
    $set: {
      erased: true,
      delivery: null,
      externalId: null,
      problems: [],
      state: ifOpen('discarded', '$state'),
      reason: ifOpen(null, '$reason'),
      timeline: ifOpen(
        timelineWith('discarded', 'erased'),
        timelineWith({ $toString: '$state' }, 'erased'),
      ),
      fence: { $add: ['$fence', 1] },
      dueAt: null,
      nextAt: null,
      finishedAt: { $ifNull: ['$finishedAt', '$$NOW'] },
    },
  },
  { $unset: ['open', 'alone', 'resentBodies'] },
];

export function createEventErasure(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const resends = collectionOf<{ _id: string; eventId: string }>(connection, 'resends');

  /**
   * Returns the counts, or null when another erasure or a resend has changed a body since it was read: the caller must then abort
   * the transaction.
   */
  return async function eraseEvents({ ids, bodies }: EventErasure, session: Session) {
    const where = { _id: { $in: [...ids] }, erased: { $exists: false } } as const;
    let { modifiedCount: count } = await events.updateMany(where, erasedStages, { session });
    for (const { parentId, seen, delivery, items } of bodies) {
      const asSeen = { _id: parentId, 'delivery.body': seen.body };
      // A worker that splits the body as it was stores no more items.
      const redaction = { $set: { delivery }, $inc: { fence: 1 } };
      const { matchedCount } = await events.updateOne(asSeen, redaction, { session });
      if (matchedCount === 0) return null;
      // A worker may have stored them since the scan. Without the body nothing says any more whom they name.
      const ofItems = {
        parentId: { $eq: parentId, $type: 'string' as const },
        itemIndex: { $in: [...items] },
        state: { $ne: 'done' as const },
        erased: { $exists: false },
      } as const;
      const { modifiedCount } = await events.updateMany(ofItems, erasedStages, { session });
      count += modifiedCount;
    }
    const copies = await resends.deleteMany({ eventId: { $in: [...ids] } }, { session });
    return { events: count, bodies: bodies.length, resends: copies.deletedCount };
  };
}

export type Erasures = Collection<ErasureRecord>;

const unprocessedStates: readonly EventRecord['state'][] = ['ignored', 'dead', 'discarded'];

/** An insert does not write to it, nor does an event that becomes `done`. */
export const unprocessedByChannelIndex: IndexSpec = {
  collection: 'events',
  name: 'unprocessed_by_channel',
  key: { channelId: 1, state: 1, _id: -1 },
  where: { state: { $in: [...unprocessedStates] } },
};

/** Events with their bodies. */
const eventsAtOnce = 50;
/** Ids of events in an open state, of all channels. */
const openEventsAtOnce = 2_000;
const maxTimeMS = 10_000;

const isErasable = { erased: { $exists: false }, test: { $exists: false } };

/** `last`: the position after which the next page begins, null at the end. `found` may be empty before the end. */
type EventPage = {
  readonly found: EventRecord[];
  readonly last: Pick<EventRecord, '_id'> | null;
};

export function createErasableEvents(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const order = { sort: { _id: -1 }, maxTimeMS } as const;

  async function nextUnprocessed(where: object, channelIds: readonly string[]): Promise<EventPage> {
    const found = await events
      .find(
        { ...where, channelId: { $in: [...channelIds] }, ...isErasable },
        { ...order, limit: eventsAtOnce, hint: unprocessedByChannelIndex.name },
      )
      .toArray();
    return { found, last: found.at(-1) ?? null };
  }

  /** Sorts the keys of a partial index: an open event changes its place in it, so a scan in its order could miss events. */
  async function nextOpen(
    where: Record<string, unknown>,
    channelIds: readonly string[],
  ): Promise<EventPage> {
    const hint = where.state === 'held' ? 'held' : 'due_by_webhook';
    const read = await listIds(events, where, { ...order, limit: openEventsAtOnce, hint });
    // With a hint, MongoDB reads a whole index for an empty list.
    if (read.length === 0) return { found: [], last: null };
    const own = await listIds(
      events,
      { _id: { $in: read }, channelId: { $in: [...channelIds] } },
      { ...order, hint: idIndex },
    );
    const page = own.slice(0, eventsAtOnce);
    const lastId = (page.length < own.length ? page : read).at(-1);
    const last = lastId === undefined ? null : { _id: lastId };
    if (page.length === 0) return { found: [], last };
    const found = await events.find({ _id: { $in: page }, ...isErasable }, { maxTimeMS }).toArray();
    return { found, last };
  }

  return {
    /** Returns the next events after the cursor in the channels of the person, newest first. */
    nextEvents({ cursor, sought }: ErasureRecord, state: EventRecord['state']): Promise<EventPage> {
      const older = cursor?.state === state && { _id: { $lt: cursor.id } };
      const channelIds = sought?.channelIds ?? [];
      const where = { state, ...older };
      if (unprocessedStates.includes(state)) return nextUnprocessed(where, channelIds);
      return nextOpen({ ...where, ...(state !== 'held' && { open: true }) }, channelIds);
    },

    /** Reads without bodies the events that are not erased. */
    readUnerased: (ids: readonly string[]): Promise<EventRecord[]> =>
      events
        .find(
          { _id: { $in: [...ids] }, erased: { $exists: false } },
          { projection: { parentId: 1, itemIndex: 1 }, maxTimeMS },
        )
        .toArray(),

    listTestEventIds: (webhookId: string): Promise<string[]> =>
      listIds(
        events,
        { webhookId, 'test.id': { $exists: true }, parentId: null },
        { hint: 'tests' },
      ),
  };
}
