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

export type ChannelHealthStore = ReturnType<typeof createChannelHealthStore>;

export function createChannelHealthStore(context: Db) {
  const { connection } = context;
  const healths = collectionOf<ChannelHealth>(connection, collection);
  const channels = collectionOf<ChannelRecord>(connection, 'channels');

  return {
    get: (_id: string): Promise<ChannelHealth | null> => healths.findOne({ _id }),

    getMany: (ids: readonly string[]) => healths.find({ _id: { $in: [...ids] } }).toArray(),

    /** Returns up to `limit` channels that fail or were disabled for it. The collection has the channels of the last failures only. */
    listFailing: (limit: number): Promise<ChannelHealth[]> =>
      healths.find({ failingSince: { $exists: true } }, { limit }).toArray(),

    recordFailure: (_id: string, reason: string): Promise<ChannelHealth | null> =>
      retryAfterDuplicate(() =>
        healths.findOneAndUpdate({ _id }, failureStages(reason), {
          upsert: true,
          returnDocument: 'after',
        }),
      ),

    async reset(_id: string): Promise<boolean> {
      const before = await healths.findOneAndDelete({ _id });
      return before?.failingSince !== undefined;
    },

    /** For one of many callers it is `taken`. For the others it is `recent` for some seconds, and then `later`. */
    async takeProbe(_id: string): Promise<ProbeTurn> {
      const isDue = { $lte: ['$probeAt', '$$NOW'] };
      const before = await healths.findOneAndUpdate(
        { _id, failingSince: { $exists: true } },
        [{ $set: { probeAt: { $cond: [isDue, msFromNow(probeEveryMs), '$probeAt'] } } }],
        { returnDocument: 'before', projection: { leftMs: { $subtract: ['$probeAt', '$$NOW'] } } },
      );
      if (!before) return 'recent';
      const { leftMs } = before as unknown as { leftMs: number };
      if (leftMs <= 0) return 'taken';
      return leftMs > probeEveryMs - recentProbeMs ? 'recent' : 'later';
    },

    /** Disables a channel that failed for too long. Returns false when it is disabled already, or gone. */
    async switchOff(id: string): Promise<boolean> {
      const changed = await changeAudited<ChannelRecord>(context, {
        actor,
        action: 'channel.change',
        target: { type: 'channel', id },
        read: (session: Session) =>
          channels.findOne({ _id: id, enabled: true, deletedAt: null }, { session }),
        write: async (session) => {
          await healths.updateOne({ _id: id }, [{ $set: { offAt: '$$NOW' } }], { session });
          return channels.findOneAndUpdate(
            { _id: id, enabled: true, deletedAt: null },
            { $set: { enabled: false }, $currentDate: { updatedAt: true } },
            { session, returnDocument: 'after' },
          );
        },
        factsOf: ({ name, kind, enabled }) => ({ name, kind, enabled }),
      });
      return changed.ok;
    },
  };
}
