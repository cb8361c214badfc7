/**
 * Counts of rejections: one document per webhook and hour. Collection `rejection_counts`. Counts only grow. Buckets expire after
 * 30 days.
 */
import type { DateRange } from '../../domain/pagination.ts';
import { hourMs } from '../../domain/mappings/drift.ts';
import { keptRejectionCountDays, type RejectionBucket } from '../../domain/webhooks/rejection.ts';
import { collectionOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { collectDuplicates, mapStoreErrors } from '../db/errors.ts';
import { inDateRange } from '../db/queries.ts';

const collection = 'rejection_counts';

export const rejectionCountIndexes: readonly IndexSpec[] = [
  { collection, name: 'by_webhook', key: { webhookId: 1, hour: 1 } },
  { collection, name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

type CountRecord = RejectionBucket & { readonly _id: string; readonly expiresAt: Date };

function operationOf({ webhookId, hour, codes }: RejectionBucket) {
  const expiresAt = new Date(+hour + keptRejectionCountDays * 24 * hourMs);
  const counts = Object.entries(codes).map(([code, count]) => [`codes.${code}`, count]);
  return {
    updateOne: {
      filter: { _id: `${webhookId}:${+hour / hourMs}` },
      update: {
        $setOnInsert: { webhookId, hour, expiresAt },
        $inc: Object.fromEntries(counts) as Record<string, number>,
      },
      upsert: true,
    },
  };
}

export type RejectionCountStore = ReturnType<typeof createRejectionCountStore>;

export function createRejectionCountStore(connection: Connection) {
  const counts = collectionOf<CountRecord>(connection, collection);
  return mapStoreErrors({
    /** Adds counts to the buckets, in one statement. */
    async add(buckets: readonly RejectionBucket[]): Promise<void> {
      if (buckets.length === 0) return;
      const operations = buckets.map(operationOf);
      await collectDuplicates(() => counts.bulkWrite(operations, { ordered: false }));
    },

    /** Returns the buckets whose hour begins in the range, oldest first: at most about 720. */
    async list(webhookId: string, range: DateRange): Promise<RejectionBucket[]> {
      return counts
        .find({ webhookId, ...inDateRange('hour', range) }, { sort: { hour: 1 } })
        .toArray();
    },
  });
}
