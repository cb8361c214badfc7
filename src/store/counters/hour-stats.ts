/**
 * Counts per webhook and hour, with the minutes of the hour: the one document that a flush writes for a webhook. Collection
 * `hour_stats`. Counts only grow.
 *
 * Promises: `open` is set while the rolled-up counts may lack some of these, so that readers add them and the roll-up finds them.
 * An open document expires after 30 days, one that is rolled up two days after its hour.
 */
import {
  bucketStartOf,
  noCounts,
  unitKeptMs,
  unitMs,
  type Counts,
  type Histogram,
  type StatsBucket,
} from '../../domain/stats.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection } from '../db/connection.ts';
import { maxFindMs } from '../db/queries.ts';
import { sendUpdates } from '../db/updates.ts';
import { addToBuckets, expiry } from './buckets.ts';

const collection = 'hour_stats';

export const hourStatsIndexes = indexesOf(collection, {
  open: { key: { at: 1, webhookId: 1 }, where: { open: true } },
  expiry,
});

/** Absent counts are 0. */
export type StoredCounts = Partial<Counts> & { readonly latency?: Histogram };

type HourStats = StoredCounts & {
  readonly _id: string;
  readonly webhookId: string;
  readonly at: Date;
  readonly open?: true;
  /** The number of writes of counts, to detect one between a read and a write of the roll-up. */
  readonly writes: number;
  readonly minutes?: Readonly<Record<string, StoredCounts>>;
  readonly lastAt?: Date;
  readonly expiresAt: Date;
};

export const bucketOf = (at: Date, record: StoredCounts = {}): StatsBucket => ({
  ...(Object.fromEntries(
    Object.keys(noCounts).map((name) => [name, record[name as keyof Counts] ?? 0]),
  ) as Counts),
  at,
  latency: record.latency ?? {},
});

export type WebhookBucket = StatsBucket & { readonly webhookId: string };

type Key = Pick<HourStats, 'webhookId' | 'at'>;

export const webhookBucketOf = (record: StoredCounts & Key): WebhookBucket => ({
  ...bucketOf(record.at, record),
  webhookId: record.webhookId,
});

export type StatsDelta = {
  readonly webhookId: string;
  readonly minute: Date;
  readonly counts: Partial<Counts>;
  readonly latency: ReadonlyMap<number, number>;
  readonly lastAt: Date | null;
};

/** Less than hours are kept, so that the day of an open hour can be summed. */
export const openKeptMs = 30 * unitMs.day;
const rolledUpExpiry = (hour: Date): Date => new Date(+hour + unitMs.hour + unitKeptMs.minute);

export const hourStatsOf = (connection: Connection) =>
  collectionOf<HourStats>(connection, collection);

const idOf = (webhookId: string, hour: Date): string => `${webhookId}:${+hour / unitMs.hour}`;

type Update = {
  readonly $set: { readonly open: true; readonly expiresAt: Date };
  readonly $setOnInsert: { readonly webhookId: string; readonly at: Date };
  readonly $inc: Record<string, number>;
  readonly $max: { lastAt?: Date };
};

const updateOf = (webhookId: string, at: Date): Update => ({
  $set: { open: true, expiresAt: new Date(+at + openKeptMs) },
  $setOnInsert: { webhookId, at },
  $inc: { writes: 1 },
  $max: {},
});

function addTo({ $inc, $max }: Update, at: Date, delta: StatsDelta): void {
  const add = (field: string, count: number) => {
    for (const path of [field, `minutes.${minuteOf(at, delta.minute)}.${field}`]) {
      $inc[path] = ($inc[path] ?? 0) + count;
    }
  };
  for (const [name, count] of Object.entries(delta.counts)) add(name, count);
  for (const [bucket, count] of delta.latency) add(`latency.${bucket}`, count);
  const { lastAt } = delta;
  if (lastAt && !($max.lastAt && $max.lastAt > lastAt)) $max.lastAt = lastAt;
}

const minuteOf = (hour: Date, time: Date): number => Math.floor((+time - +hour) / unitMs.minute);

/** Adds the counts, by one statement for each webhook and hour. Do not retry after an error: some may be there. */
export async function addStats(
  connection: Connection,
  deltas: readonly StatsDelta[],
): Promise<void> {
  const updates = new Map<string, Update>();
  for (const delta of deltas) {
    const at = bucketStartOf('hour', delta.minute);
    const _id = idOf(delta.webhookId, at);
    const update = updates.get(_id) ?? updateOf(delta.webhookId, at);
    updates.set(_id, update);
    addTo(update, at, delta);
  }
  await addToBuckets(connection, collection, [...updates]);
}

/** From `from` to before `to`. */
export type StatsRange = { readonly from: Date; readonly to: Date };

/** Ids in one query: 40 webhooks over two days. */
const maxIds = 2_000;

/** Returns the minutes in the range, which must be at most a few days long. */
export async function readMinutes(
  connection: Connection,
  webhookIds: readonly string[],
  { from, to }: StatsRange,
): Promise<WebhookBucket[]> {
  const first = bucketStartOf('hour', from);
  const hours = Math.ceil((+to - +first) / unitMs.hour);
  const ids = webhookIds.flatMap((webhookId) =>
    Array.from({ length: hours }, (_none, index) =>
      idOf(webhookId, new Date(+first + index * unitMs.hour)),
    ),
  );
  const buckets: WebhookBucket[] = [];
  for (let start = 0; start < ids.length; start += maxIds) {
    const _id = { $in: ids.slice(start, start + maxIds) };
    const projection = { webhookId: 1, at: 1, minutes: 1 };
    for await (const hour of hourStatsOf(connection).find({ _id }, { projection })) {
      buckets.push(...minutesOf(hour).filter(({ at }) => at >= from && at < to));
    }
  }
  return buckets;
}

const minutesOf = ({ webhookId, at: hour, minutes = {} }: HourStats): WebhookBucket[] =>
  Object.entries(minutes).map(([minute, counts]) =>
    webhookBucketOf({
      ...counts,
      webhookId,
      at: new Date(+hour + Number(minute) * unitMs.minute),
    }),
  );

export type OpenHour = Omit<HourStats, 'minutes'>;

/** Returns the hours in the range that are not rolled up, without their minutes. */
export const readOpenHours = (
  connection: Connection,
  webhookIds: readonly string[],
  { from, to }: StatsRange,
): Promise<OpenHour[]> =>
  hourStatsOf(connection)
    .find(
      { open: true, at: { $gte: from, $lt: to }, webhookId: { $in: [...webhookIds] } },
      { projection: { minutes: 0 }, hint: 'open', maxTimeMS: maxFindMs },
    )
    .toArray();

type RollUpRange = StatsRange & { readonly limit: number };

/** Returns the oldest hours in the range that are not rolled up, without their minutes. */
export const findOpenHours = (
  connection: Connection,
  { from, to, limit }: RollUpRange,
): Promise<OpenHour[]> =>
  hourStatsOf(connection)
    .find(
      { open: true, at: { $gte: from, $lt: to } },
      { projection: { minutes: 0 }, sort: { at: 1, webhookId: 1 }, limit, hint: 'open' },
    )
    .toArray();

/** Marks the hours as rolled up, except those to which counts were added since they were read. */
export const closeHours = (connection: Connection, hours: readonly OpenHour[]): Promise<void> =>
  sendUpdates(
    connection,
    collection,
    hours.map(({ _id, writes, at }) => ({
      q: { _id, writes },
      u: { $unset: { open: '' }, $set: { expiresAt: rolledUpExpiry(at) } },
    })),
  );
