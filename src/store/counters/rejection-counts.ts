/**
 * Counts of rejections: one document per webhook and hour. Collection `rejection_counts`. Counts only grow. Buckets expire after
 * 30 days.
 */
import type { DateRange } from '../../domain/pagination.ts';
import { hourMs } from '../../domain/mappings/drift.ts';
import { keptRejectionCountDays, type RejectionBucket } from '../../domain/webhooks/rejection.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { anyOf, inDateRange, maxFindMs } from '../db/queries.ts';
import { addToBuckets, expiry, expiryOf } from './buckets.ts';

const collection = 'rejection_counts';

export const rejectionCountIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, hour: 1 } },
  expiry,
});

type CountRecord = RejectionBucket & { readonly _id: string; readonly expiresAt: Date };

const idOf = ({ webhookId, hour }: RejectionBucket): string => `${webhookId}:${+hour / hourMs}`;

function updateOf({ webhookId, hour, codes }: RejectionBucket) {
  const counts = Object.entries(codes).map(([code, count]) => [`codes.${code}`, count]);
  return {
    $setOnInsert: { webhookId, hour, expiresAt: expiryOf(hour, keptRejectionCountDays) },
    $inc: Object.fromEntries(counts) as Record<string, number>,
  };
}

type MostRejected = {
  /** The beginning of an hour. */
  readonly since: Date;
  /** Absent: all webhooks. */
  readonly webhookIds?: readonly string[] | undefined;
  readonly limit: number;
};

type RejectionTotals = {
  readonly total: number;
  readonly webhooks: readonly { readonly webhookId: string; readonly count: number }[];
};

/** A day of 2,000 webhooks. */
const maxBuckets = 50_000;
const codePairs = { $objectToArray: '$codes' };

const countsOf = (db: Db) => collectionOf<CountRecord>(db.connection, collection);

export const addRejectionCounts = (db: Db, buckets: readonly RejectionBucket[]): Promise<void> =>
  addToBuckets(
    db.connection,
    collection,
    buckets.map((bucket) => [idOf(bucket), updateOf(bucket)]),
  );

/** Returns the buckets whose hour begins in the range, oldest first: at most about 720. */
export async function listRejectionCounts(
  db: Db,
  webhookId: string,
  range: DateRange,
): Promise<RejectionBucket[]> {
  return countsOf(db)
    .find({ webhookId, ...inDateRange('hour', range) }, { sort: { hour: 1 } })
    .toArray();
}

/** Returns the webhooks with the most rejections since an hour, and the count of all, from the newest `maxBuckets` buckets. */
export async function findMostRejected(
  db: Db,
  { since, webhookIds, limit }: MostRejected,
): Promise<RejectionTotals> {
  const buckets = [
    {
      $match: {
        expiresAt: { $gte: expiryOf(since, keptRejectionCountDays) },
        ...anyOf({ webhookId: webhookIds }),
      },
    },
    { $sort: { expiresAt: -1 } },
    { $limit: maxBuckets },
    {
      $group: {
        _id: '$webhookId',
        count: { $sum: { $sum: { $map: { input: codePairs, in: '$$this.v' } } } },
      },
    },
  ];
  const [found] = await countsOf(db)
    .aggregate<{ all: { count: number }[]; most: { _id: string; count: number }[] }>(
      [
        ...buckets,
        {
          $facet: {
            all: [{ $group: { _id: null, count: { $sum: '$count' } } }],
            most: [{ $sort: { count: -1, _id: 1 } }, { $limit: limit }],
          },
        },
      ],
      { maxTimeMS: maxFindMs },
    )
    .toArray();
  return {
    total: found?.all[0]?.count ?? 0,
    webhooks: (found?.most ?? []).map(({ _id, count }) => ({ webhookId: _id, count })),
  };
}
