/** Health buckets: one document for each webhook, mapping version and hour, which only ever counts up; kept thirty days. */
import { hourMs } from '../domain/drift.ts';
import { keptHealthDays, type HealthBucket } from '../domain/health.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf, decisive, durable } from './connection.ts';
import { settleBulk } from './errors.ts';
import { sayingUnavailable } from './model.ts';
import { keyOf, nameOf } from './names.ts';

const collection = 'health';

export const healthIndexes: readonly IndexSpec[] = [
  { collection, name: 'by_webhook', key: { webhookId: 1, hour: -1, version: -1 } },
  { collection, name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
];

type Counts = Readonly<Record<string, number>>;

type HealthRecord = Omit<HealthBucket, 'reasons' | 'problems'> & {
  readonly _id: string;
  readonly expiresAt: Date;
  readonly reasons?: Counts;
  readonly problems?: Counts;
};

const idOf = ({ webhookId, version, hour }: HealthBucket): string =>
  `${webhookId}:${version}:${+hour / hourMs}`;

const named = (field: string, counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, count]) => [`${field}.${keyOf(name)}`, count] as const);

function updateOf(bucket: HealthBucket) {
  const { webhookId, version, hour, done, ignored, dead, retried, reasons, problems } = bucket;
  const expiresAt = new Date(+hour + keptHealthDays * 24 * hourMs);
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
  new Map(Object.entries(counts).map(([key, count]) => [nameOf(key), count]));

export type HealthStore = ReturnType<typeof createHealthStore>;

export function createHealthStore(connection: Connection) {
  const health = collectionOf<HealthRecord>(connection, collection);
  return sayingUnavailable({
    /** Adds what was counted since the last time, in one round trip. */
    async add(buckets: readonly HealthBucket[]): Promise<void> {
      if (buckets.length === 0) return;
      const operations = buckets.map((bucket) => ({
        updateOne: { filter: { _id: idOf(bucket) }, update: updateOf(bucket), upsert: true },
      }));
      const refusals = await settleBulk(() =>
        health.bulkWrite(operations, { ordered: false, ...durable }),
      );
      for (const refusal of refusals.values()) if (refusal.kind === 'failed') throw refusal.error;
    },

    /** All that are kept, the newest first: 720 for each version that was in use all the time. */
    async of(webhookId: string): Promise<HealthBucket[]> {
      const records = await health
        .find({ webhookId }, { sort: { hour: -1, version: -1 }, ...decisive })
        .toArray();
      return records.map(({ _id, expiresAt: _expiresAt, reasons, problems, ...rest }) => ({
        ...rest,
        reasons: countsOf(reasons),
        problems: countsOf(problems),
      }));
    },
  });
}
