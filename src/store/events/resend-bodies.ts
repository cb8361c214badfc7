/**
 * Bodies of resends that differ from the event's own, kept for comparison. Collection `resends`.
 *
 * Promises: at most 5 per event, each at most 256 KiB. They are written after the resend was counted, and a failure here does
 * not fail the inbound request.
 */
import { derivedId } from '../../base/ids.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Db } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import { listIds } from '../db/queries.ts';

const collection = 'resends';

/** Erasure reads an event's copies; retention reads a webhook's copies by age. */
export const resendBodyIndexes = indexesOf(collection, {
  by_event: { key: { eventId: 1 } },
  by_age: { key: { webhookId: 1, keptAt: 1 } },
});

export const maxKeptBodies = 5;
const maxKeptBytes = 262_144;
const keepWithinMs = 1_000;

/** `delivery` is null for an item: its body is part of the parent's body. */
export type ResendBody = Pick<
  EventRecord,
  'bodySha256' | 'bodyBytes' | 'delivery' | 'parentId' | 'itemIndex'
>;

type EventOfBody = { readonly eventId: string; readonly webhookId: string };
type KeptRecord = EventOfBody & ResendBody & { readonly _id: string; readonly keptAt: Date };

const idOf = (eventId: string, bodySha256: string): string =>
  derivedId('resend', eventId, bodySha256);

/** Returns the hashes of the copies after `keep` is added: the last five, without the event's own body. */
export function keptHashesAfter(
  kept: readonly string[],
  { keep, own }: { keep: string; own: string },
) {
  const others = kept.filter((hash) => hash !== keep && hash !== own);
  return [...others, keep].slice(-maxKeptBodies);
}

/** It never rejects, and it does not retry. Copies of an event that is erased in between are deleted again. */
export function createResendBodySaver({ connection, clock }: Db) {
  const resends = collectionOf<KeptRecord>(connection, collection);
  const events = collectionOf<Pick<EventRecord, 'erased'> & { _id: string }>(connection, 'events');

  async function dropIfErased(eventId: string): Promise<void> {
    const where = { _id: eventId, erased: true } as const;
    await withDeadline(async (abort) => {
      const options = { projection: { _id: 1 }, ...abort } as const;
      if (await events.findOne(where, options)) await resends.deleteMany({ eventId }, abort);
    }, keepWithinMs);
  }

  return async function keep(
    event: EventOfBody,
    { added, gone }: { readonly added: readonly ResendBody[]; readonly gone: readonly string[] },
  ): Promise<void> {
    const { eventId } = event;
    const keptAt = clock.now();
    const small = added.filter(({ bodyBytes }) => bodyBytes <= maxKeptBytes);
    const stale = gone.map((hash) => idOf(eventId, hash));
    const operations = [
      ...small.map((body) => ({
        replaceOne: {
          filter: { _id: idOf(eventId, body.bodySha256) },
          replacement: { ...event, ...body, keptAt },
          upsert: true,
        },
      })),
      ...(stale.length > 0 ? [{ deleteMany: { filter: { _id: { $in: stale } } } }] : []),
    ];
    if (operations.length === 0) return;
    await withDeadline(
      (abort) => resends.bulkWrite(operations, { ordered: false, ...abort }),
      keepWithinMs,
    ).catch(() => undefined);
    // Also after an error: a write without a response may have been applied.
    if (small.length > 0) await dropIfErased(eventId).catch(() => undefined);
  };
}

/** `limit` is the maximum number of copies that one command deletes. */
export function createResendBodyDeletion(connection: Connection, limit: number) {
  const resends = collectionOf<KeptRecord>(connection, collection);
  return {
    /** Deletes the oldest copies that were stored before the date, including copies of deleted events. */
    async deleteBefore(webhookId: string, before: Date) {
      const keptAt = { $lt: before };
      const ids = await listIds(resends, { webhookId, keptAt }, { sort: { keptAt: 1 }, limit });
      // A copy that was replaced since the read is new and stays.
      const { deletedCount } = await resends.deleteMany({ _id: { $in: ids }, keptAt });
      return { count: deletedCount, isMore: ids.length === limit };
    },
    async deleteByEvents(eventIds: readonly string[]): Promise<void> {
      if (eventIds.length === 0) return;
      await resends.deleteMany({ eventId: { $in: [...eventIds] } });
    },
  };
}

const resendsOf = (db: Db) => collectionOf<KeptRecord>(db.connection, collection);

export async function getResendBodies(
  db: Db,
  eventId: string,
  hashes: readonly string[],
): Promise<Map<string, KeptRecord>> {
  const ids = hashes.map((hash) => idOf(eventId, hash));
  const found = await resendsOf(db)
    .find({ _id: { $in: ids } })
    .toArray();
  return new Map(found.map((kept) => [kept.bodySha256, kept]));
}
