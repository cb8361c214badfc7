/**
 * Health buckets: one document per webhook, mapping version and hour. Collection `health`. Counts only grow. Buckets expire
 * after 30 days.
 */
import { hourMs } from '../../domain/mappings/drift.ts';
import { keptHealthDays, type VersionHealthBucket } from '../../domain/mappings/mapping-version.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { addToBuckets, encodeFieldName, decodeFieldName, expiry, expiryOf } from './buckets.ts';

const collection = 'health';

export const versionHealthIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, hour: -1, version: -1 } },
  expiry,
});

type Counts = Readonly<Record<string, number>>;

type HealthRecord = Omit<VersionHealthBucket, 'reasons' | 'problems'> & {
  readonly _id: string;
  readonly expiresAt: Date;
  readonly reasons?: Counts;
  readonly problems?: Counts;
};

const idOf = ({ webhookId, version, hour }: VersionHealthBucket): string =>
  `${webhookId}:${version}:${+hour / hourMs}`;

const named = (field: string, counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, count]) => [`${field}.${encodeFieldName(name)}`, count] as const);

function updateOf(bucket: VersionHealthBucket) {
  const { webhookId, version, hour, done, ignored, dead, retried, reasons, problems } = bucket;
  const expiresAt = expiryOf(hour, keptHealthDays);
  return {
    $setOnInsert: { webhookId, version, hour, expiresAt },
    $inc: {
      done,
      ignored,
      dead,
      retried,
      ...Object.fromEntries([...named('reasons', reasons), ...named('problems', problems)]),
    },
  };
}

const countsOf = (counts: Counts = {}): ReadonlyMap<string, number> =>
  new Map(Object.entries(counts).map(([key, count]) => [decodeFieldName(key), count]));

const healthOf = (db: Db) => collectionOf<HealthRecord>(db.connection, collection);

export const addVersionHealth = (db: Db, buckets: readonly VersionHealthBucket[]): Promise<void> =>
  addToBuckets(
    db.connection,
    collection,
    buckets.map((bucket) => [idOf(bucket), updateOf(bucket)]),
  );

/** Returns all stored buckets, newest first: at most about 720 for each version. */
export async function listVersionHealth(db: Db, webhookId: string): Promise<VersionHealthBucket[]> {
  const records = await healthOf(db)
    .find({ webhookId }, { sort: { hour: -1, version: -1 } })
    .toArray();
  return records.map(({ _id, expiresAt: _expiresAt, reasons, problems, ...rest }) => ({
    ...rest,
    reasons: countsOf(reasons),
    problems: countsOf(problems),
  }));
}
