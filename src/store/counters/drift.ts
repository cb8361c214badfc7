/**
 * Drift buckets: one document per webhook, mapping version and hour. Collection `drift`. Counts only grow.
 *
 * Promises: the number of paths is bounded (further ones are counted in `more`) and buckets expire after 30 days. Two
 * processes that add the same new paths at the same time may exceed the bound by what each of them added.
 */
import {
  hourMs,
  driftKeptDays,
  maxBucketPaths,
  maxBucketsRead,
  seenTypes,
  type DriftBucket,
  type PathCounts,
  type SeenType,
} from '../../domain/mappings/drift.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { addToBuckets, encodeFieldName, decodeFieldName, expiry, expiryOf } from './buckets.ts';

const collection = 'drift';

export const driftIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, hour: -1, version: -1 } },
  expiry,
});

/** Counts of a path by the first letter of the type. The names are short because a bucket has up to 500 paths. */
type PathRecord = { readonly p?: number; readonly at: Date } & Readonly<Record<string, unknown>>;

type DriftRecord = Omit<DriftBucket, 'targets' | 'paths'> & {
  readonly _id: string;
  readonly expiresAt: Date;
  readonly targets?: Readonly<Record<string, number>>;
  readonly paths?: Readonly<Record<string, PathRecord>>;
};

const idOf = ({ webhookId, version, hour }: DriftBucket): string =>
  `${webhookId}:${version}:${+hour / hourMs}`;

const letterOf = (type: SeenType): string => type.charAt(0);

const driftOf = (db: Db) => collectionOf<DriftRecord>(db.connection, collection);

/** Adds counts to the buckets, in two round trips for any number of buckets. */
export async function addDrift(db: Db, buckets: readonly DriftBucket[]): Promise<void> {
  if (buckets.length === 0) return;
  const known = await keysOf(db, buckets.map(idOf));
  const updates = buckets.map((bucket) => {
    const _id = idOf(bucket);
    return [_id, updateOf(bucket, known.get(_id) ?? new Set())] as const;
  });
  await addToBuckets(db.connection, collection, updates);
}

export async function listDriftBuckets(db: Db, webhookId: string): Promise<DriftBucket[]> {
  const records = await driftOf(db)
    .find({ webhookId }, { sort: { hour: -1, version: -1 }, limit: maxBucketsRead })
    .toArray();
  return records.map(toBucket);
}

async function keysOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Set<string>>> {
  const paths = { $objectToArray: { $ifNull: ['$paths', {}] } };
  const known = await driftOf(db)
    .aggregate<{ _id: string; keys: string[] }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { keys: { $map: { input: paths, in: '$$this.k' } } } },
    ])
    .toArray();
  return new Map(known.map(({ _id, keys }) => [_id, new Set(keys)]));
}

function updateOf(bucket: DriftBucket, known: Set<string>) {
  const { webhookId, version, split, hour, events, ignored } = bucket;
  const counts: Record<string, number> = { events, ignored, more: bucket.more };
  const latest: Record<string, Date> = {};
  for (const [target, filled] of bucket.targets)
    counts[`targets.${encodeFieldName(target)}`] = filled;
  for (const [path, { present, types, lastSeenAt }] of bucket.paths) {
    const key = encodeFieldName(path);
    if (!known.has(key) && known.size >= maxBucketPaths) {
      counts.more = (counts.more ?? 0) + 1;
      continue;
    }
    known.add(key);
    latest[`paths.${key}.at`] = lastSeenAt;
    if (present > 0) counts[`paths.${key}.p`] = present;
    for (const type of seenTypes) {
      const count = types[type];
      if (count) counts[`paths.${key}.${letterOf(type)}`] = count;
    }
  }
  const expiresAt = expiryOf(hour, driftKeptDays);
  return {
    $setOnInsert: { webhookId, version, split, hour, expiresAt },
    $inc: counts,
    ...(Object.keys(latest).length > 0 && { $max: latest }),
  };
}

function toBucket({ _id, expiresAt: _expiresAt, targets, paths, ...record }: DriftRecord) {
  return {
    ...record,
    targets: new Map(
      Object.entries(targets ?? {}).map(([key, count]) => [decodeFieldName(key), count]),
    ),
    paths: new Map(
      Object.entries(paths ?? {}).map(([key, counts]) => [decodeFieldName(key), toCounts(counts)]),
    ),
  };
}

function toCounts({ p = 0, at, ...counts }: PathRecord): PathCounts {
  const types = seenTypes.flatMap((type) => {
    const count = counts[letterOf(type)];
    return typeof count === 'number' ? [[type, count] as const] : [];
  });
  return { present: p, types: Object.fromEntries(types), lastSeenAt: at };
}
