/**
 * Rates of channels and of their recipients, for all workers together. Collection `channelRates`: a token bucket by channel id, and
 * the next free moment by channel and contact.
 *
 * Promises: the time is the database's. What a worker takes and does not use is lost, so that a rate is never exceeded.
 */
import { newId } from '../../base/ids.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { retryAfterDuplicate } from '../db/errors.ts';
import { msFromNow } from '../db/queries.ts';

const collection = 'channelRates';

export const channelRateIndexes = indexesOf(collection, {
  expiry: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
});

type RateRecord = {
  readonly _id: string;
  readonly tokens?: number;
  readonly granted?: number;
  readonly at?: Date;
  /** The destination asked for nothing before. */
  readonly pausedUntil?: Date;
  /** Of a recipient: who took the last moment, and the next one. */
  readonly takenBy?: string;
  readonly nextAt?: Date;
  readonly expiresAt: Date;
};

const maxPauseMs = 3_600_000;
const keptMs = 2 * maxPauseMs;

/** Adds what the time since the last call allows, at most a second's worth, and takes up to `wanted` whole tokens. */
function takeStages(perMinute: number, wanted: number) {
  const capacity = Math.max(1, perMinute / 60);
  const elapsedMs = { $max: [0, { $subtract: ['$$NOW', { $ifNull: ['$at', '$$NOW'] }] }] };
  const refilled = {
    $add: [{ $ifNull: ['$tokens', capacity] }, { $multiply: [elapsedMs, perMinute / 60_000] }],
  };
  const isPaused = { $gt: [{ $ifNull: ['$pausedUntil', new Date(0)] }, '$$NOW'] };
  return [
    { $set: { tokens: { $min: [capacity, refilled] }, at: '$$NOW' } },
    { $set: { granted: { $cond: [isPaused, 0, { $min: [wanted, { $floor: '$tokens' }] }] } } },
    { $set: { tokens: { $subtract: ['$tokens', '$granted'] }, expiresAt: msFromNow(keptMs) } },
  ];
}

const ratesOf = (db: Db) => collectionOf<RateRecord>(db.connection, collection);

/** Returns how many messages the channel may send now, at most `wanted`. */
export async function takeFromRate(
  db: Db,
  channelId: string,
  { perMinute, wanted }: { readonly perMinute: number; readonly wanted: number },
): Promise<number> {
  const taken = await retryAfterDuplicate(() =>
    ratesOf(db).findOneAndUpdate({ _id: channelId }, takeStages(perMinute, wanted), {
      upsert: true,
      returnDocument: 'after',
    }),
  );
  return taken?.granted ?? 0;
}

/** Returns the contacts that may get a message now; each may get the next one after `everyMs`. Two commands for any number. */
export async function takeRecipients(
  db: Db,
  channelId: string,
  { contactIds, everyMs }: { readonly contactIds: readonly string[]; readonly everyMs: number },
): Promise<ReadonlySet<string>> {
  const takenBy = newId();
  const idOf = (contactId: string) => `${channelId}:${contactId}`;
  const isFree = { $lte: [{ $ifNull: ['$nextAt', new Date(0)] }, '$$NOW'] };
  const stage = {
    $set: {
      takenBy: { $cond: [isFree, takenBy, '$takenBy'] },
      nextAt: { $cond: [isFree, msFromNow(everyMs), '$nextAt'] },
      expiresAt: msFromNow(keptMs),
    },
  };
  const ids = [...new Set(contactIds)];
  await retryAfterDuplicate(() =>
    ratesOf(db).bulkWrite(
      ids.map((id) => ({
        updateOne: { filter: { _id: idOf(id) }, update: [stage], upsert: true },
      })),
      { ordered: false },
    ),
  );
  const mine = await ratesOf(db)
    .find({ _id: { $in: ids.map(idOf) }, takenBy })
    .toArray();
  const taken = new Set(mine.map(({ _id }) => _id));
  return new Set(ids.filter((id) => taken.has(idOf(id))));
}

/** Sends nothing to the channel for `ms`, at most an hour. */
export async function pauseChannel(db: Db, channelId: string, ms: number): Promise<void> {
  const until = msFromNow(Math.min(ms, maxPauseMs));
  const stage = {
    pausedUntil: { $max: ['$pausedUntil', until] },
    expiresAt: msFromNow(keptMs),
  };
  await retryAfterDuplicate(() =>
    ratesOf(db).updateOne({ _id: channelId }, [{ $set: stage }], { upsert: true }),
  );
}

/** Returns when the pauses end that have not ended, by channel. */
export async function findChannelPauses(
  db: Db,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const where = { _id: { $in: [...channelIds] }, $expr: { $gt: ['$pausedUntil', '$$NOW'] } };
  const found = await ratesOf(db)
    .find(where, { projection: { pausedUntil: 1 } })
    .toArray();
  return new Map(found.flatMap(({ _id, pausedUntil: until }) => (until ? [[_id, until]] : [])));
}
