/**
 * Counters per webhook and minute, hour, day and lifetime. Collection `stats`. Counts only grow.
 *
 * Promises: no read counts events; minutes, hours and days expire, each after a time of its own; the lifetime counts stay.
 */
import {
  allWebhooks,
  noCounts,
  bucketStartOf,
  statsUnits,
  sumBuckets,
  unitKeptMs,
  unitMs,
  type Counts,
  type Histogram,
  type StatsBucket,
  type StatsUnit,
} from '../../domain/stats.ts';
import { collectionOf, indexesOf, type Connection } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';
import { addToBuckets, expiry } from './buckets.ts';

const collection = 'stats';
const ever = 'ever';

export const statsIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, unit: 1, at: 1 } },
  // For the busiest webhooks of a day.
  by_size: { key: { unit: 1, at: 1, received: -1, webhookId: 1 } },
  expiry,
});

export type StatsRecord = Partial<Counts> & {
  readonly _id: string;
  readonly webhookId: string;
  readonly unit: StatsUnit | typeof ever;
  readonly at: Date;
  readonly lastAt?: Date;
  readonly latency?: Histogram;
  readonly expiresAt?: Date;
};

export type StatsDelta = {
  readonly webhookId: string;
  readonly minute: Date;
  readonly counts: Partial<Counts>;
  readonly latency: ReadonlyMap<number, number>;
  readonly lastAt: Date | null;
};

type Lifetime = Counts & { readonly webhookId: string; readonly lastAt: Date | null };

const maxBulk = 1_000;

function updatesOf({ webhookId, minute, counts, latency, lastAt }: StatsDelta) {
  const inc: Record<string, number> = { ...counts };
  for (const [bucket, count] of latency) inc[`latency.${bucket}`] = count;
  return [...statsUnits, ever].map((unit) => {
    const at = unit === ever ? new Date(0) : bucketStartOf(unit as StatsUnit, minute);
    const keptMs = unit === ever ? null : unitKeptMs[unit as StatsUnit];
    const update = {
      $setOnInsert: {
        webhookId,
        unit,
        at,
        ...(keptMs !== null && { expiresAt: new Date(+at + keptMs) }),
      },
      ...(Object.keys(inc).length > 0 && { $inc: inc }),
      ...(lastAt && { $max: { lastAt } }),
    };
    return [`${webhookId}:${unit}:${+at}`, update] as const;
  });
}

export type StatsStore = ReturnType<typeof createStatsStore>;

export function createStatsStore(connection: Connection) {
  const stats = collectionOf<StatsRecord>(connection, collection);

  return mapStoreErrors({
    /** Rejects when some counts may be missing. Do not retry: a retry would add the other counts twice. */
    async add(deltas: readonly StatsDelta[]): Promise<void> {
      const updates = deltas.flatMap(updatesOf);
      for (let from = 0; from < updates.length; from += maxBulk) {
        await addToBuckets(stats, updates.slice(from, from + maxBulk));
      }
    },

    /** Returns all buckets from `from` to before `to`, empty ones included: the sum of the given webhooks, or of all (null). */
    async series(
      webhookIds: readonly string[] | null,
      { unit, from, to }: { unit: StatsUnit; from: Date; to: Date },
    ): Promise<StatsBucket[]> {
      const webhookId = { $in: [...(webhookIds ?? [allWebhooks])] };
      const known = new Map<number, StatsBucket>();
      for await (const record of stats.find({ webhookId, unit, at: { $gte: from, $lt: to } })) {
        const { at } = record;
        const [bucket, before] = [bucketOf(at, record), known.get(+at)];
        known.set(+at, before ? { at, ...sumBuckets([before, bucket]) } : bucket);
      }
      const size = Math.max(0, Math.ceil((+to - +from) / unitMs[unit]));
      return Array.from({ length: size }, (_empty, index) => {
        const at = new Date(+from + index * unitMs[unit]);
        return known.get(+at) ?? bucketOf(at);
      });
    },

    async lifetimes(webhookIds: readonly string[]): Promise<Lifetime[]> {
      const ids = webhookIds.map((id) => `${id}:${ever}:0`);
      const found = await stats.find({ _id: { $in: ids } }).toArray();
      return found.map((record) => ({
        ...bucketOf(record.at, record),
        webhookId: record.webhookId,
        lastAt: record.lastAt ?? null,
      }));
    },

    /** Sums the busiest webhooks of each day (UTC), which an index finds. A webhook that is among them on no day is not found. */
    async busiest(days: readonly Date[], limit: number, among?: readonly string[]) {
      const some = among && { webhookId: { $in: [...among] } };
      const ofDay = (day: Date) =>
        stats
          .find({ unit: 'day', at: bucketStartOf('day', day), ...some })
          .project<Received>({ webhookId: 1, received: 1 })
          .sort({ received: -1, webhookId: 1 })
          .limit(limit + 1)
          .toArray();
      return busiestOf((await Promise.all(days.map(ofDay))).flat()).slice(0, limit);
    },
  });
}

type Received = Pick<StatsRecord, 'webhookId' | 'received'>;

function busiestOf(records: readonly Received[]): string[] {
  const sums = new Map<string, number>();
  for (const { webhookId, received = 0 } of records) {
    if (webhookId !== allWebhooks) sums.set(webhookId, (sums.get(webhookId) ?? 0) + received);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a).map(([webhookId]) => webhookId);
}

const bucketOf = (at: Date, record?: StatsRecord): StatsBucket => ({
  ...noCounts,
  ...(record && pick(record)),
  at,
  latency: record?.latency ?? {},
});

const pick = (record: StatsRecord): Partial<Counts> =>
  Object.fromEntries(Object.keys(noCounts).map((name) => [name, record[name as 'done'] ?? 0]));
