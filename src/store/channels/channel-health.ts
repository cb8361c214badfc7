/**
 * Health of channels by id. Collection `channelHealth`. Kept apart from the channels, so that a failure does not conflict with a
 * change of a person.
 *
 * Promises: failures of all workers count together, by the database's clock; one worker at a time probes a failing channel.
 */
import { systemActor } from '../../domain/audit/audit.ts';
import {
  failingAfter,
  probeEveryMs,
  type ChannelHealth,
} from '../../domain/messages/channel-health.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import { changeAudited } from '../audit/audited-change.ts';
import { collectionOf } from '../db/collection.ts';
import type { IndexSpec, Session, Db } from '../db/connection.ts';
import { retryAfterDuplicate } from '../db/errors.ts';
import { idIndexOf } from '../db/indexes.ts';
import { literal, msFromNow } from '../db/queries.ts';

const collection = 'channelHealth';

export const channelHealthIndexes: readonly IndexSpec[] = [idIndexOf(collection)];

const actor = systemActor('channel health');

/** The second stage sees the first. */
const failureStages = (reason: string) => [
  {
    $set: {
      failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
      since: { $ifNull: ['$since', '$$NOW'] },
      lastAt: '$$NOW',
      reason: literal(reason),
    },
  },
  {
    $set: {
      failingSince: {
        $ifNull: [
          '$failingSince',
          {
            $cond: [
              {
                $and: [
                  { $gte: ['$failures', failingAfter.failures] },
                  { $gte: ['$$NOW', { $add: ['$since', failingAfter.ms] }] },
                ],
              },
              '$$NOW',
              '$$REMOVE',
            ],
          },
        ],
      },
    },
  },
  {
    $set: {
      probeAt: {
        $ifNull: ['$probeAt', { $cond: ['$failingSince', msFromNow(probeEveryMs), '$$REMOVE'] }],
      },
    },
  },
];

/** Whether the caller may make the next attempt for a failing channel. `recent`: another caller is about to, or the channel has recovered. */
type ProbeTurn = 'taken' | 'recent' | 'later';

/** The time from a probe's turn to the claim of its delivery, at most. */
const recentProbeMs = 5_000;

const healthsOf = (db: Db) => collectionOf<ChannelHealth>(db.connection, collection);

const channelsOf = (db: Db) => collectionOf<ChannelRecord>(db.connection, 'channels');

export const getChannelHealth = (db: Db, _id: string): Promise<ChannelHealth | null> =>
  healthsOf(db).findOne({ _id });

export const getChannelHealths = (db: Db, ids: readonly string[]) =>
  healthsOf(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();

/** Returns up to `limit` channels that fail or were disabled for it. The collection has the channels of the last failures only. */
export const listFailingChannels = (db: Db, limit: number): Promise<ChannelHealth[]> =>
  healthsOf(db)
    .find({ failingSince: { $exists: true } }, { limit })
    .toArray();

export const recordChannelFailure = (
  db: Db,
  _id: string,
  reason: string,
): Promise<ChannelHealth | null> =>
  retryAfterDuplicate(() =>
    healthsOf(db).findOneAndUpdate({ _id }, failureStages(reason), {
      upsert: true,
      returnDocument: 'after',
    }),
  );

export async function resetChannelHealth(db: Db, _id: string): Promise<boolean> {
  const before = await healthsOf(db).findOneAndDelete({ _id });
  return before?.failingSince !== undefined;
}

/** For one of many callers it is `taken`. For the others it is `recent` for some seconds, and then `later`. */
export async function takeProbe(db: Db, _id: string): Promise<ProbeTurn> {
  const isDue = { $lte: ['$probeAt', '$$NOW'] };
  const before = await healthsOf(db).findOneAndUpdate(
    { _id, failingSince: { $exists: true } },
    [{ $set: { probeAt: { $cond: [isDue, msFromNow(probeEveryMs), '$probeAt'] } } }],
    { returnDocument: 'before', projection: { leftMs: { $subtract: ['$probeAt', '$$NOW'] } } },
  );
  if (!before) return 'recent';
  const { leftMs } = before as unknown as { leftMs: number };
  if (leftMs <= 0) return 'taken';
  return leftMs > probeEveryMs - recentProbeMs ? 'recent' : 'later';
}

/** Disables a channel that failed for too long. Returns false when it is disabled already, or gone. */
export async function switchChannelOff(db: Db, id: string): Promise<boolean> {
  const changed = await changeAudited<ChannelRecord>(db, {
    actor,
    action: 'channel.change',
    target: { type: 'channel', id },
    read: (session: Session) =>
      channelsOf(db).findOne({ _id: id, enabled: true, deletedAt: null }, { session }),
    write: async (session) => {
      await healthsOf(db).updateOne({ _id: id }, [{ $set: { offAt: '$$NOW' } }], { session });
      return channelsOf(db).findOneAndUpdate(
        { _id: id, enabled: true, deletedAt: null },
        { $set: { enabled: false }, $currentDate: { updatedAt: true } },
        { session, returnDocument: 'after' },
      );
    },
    factsOf: ({ name, kind, enabled }) => ({ name, kind, enabled }),
  });
  return changed.ok;
}
