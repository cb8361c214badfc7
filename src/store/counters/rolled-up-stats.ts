/**
 * Counts per webhook and hour, day and lifetime, as the roll-up has written them, and as they are with the hours that are not
 * rolled up yet. Collection `stats`.
 *
 * The roll-up writes an hour, then its day and the lifetime, then closes the hour. So a reader reads open hours first, then days
 * or lifetimes, then which open hours are rolled up in part: their days are summed from hours. It counts each event once.
 */
import { groupBy } from '../../base/group-by.ts';
import {
  bucketStartOf,
  sumBuckets,
  unitMs,
  type Counts,
  type StatsUnit,
} from '../../domain/stats.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection } from '../db/connection.ts';
import { expiry } from './buckets.ts';
import {
  readOpenHours,
  webhookBucketOf,
  type OpenHour,
  type StatsRange,
  type StoredCounts,
  type WebhookBucket,
} from './hour-stats.ts';

export const statsCollection = 'stats';
export const ever = 'ever';

export const statsIndexes = indexesOf(statsCollection, {
  by_webhook: { key: { webhookId: 1, unit: 1, at: 1 } },
  // For the busiest webhooks of a day.
  by_size: { key: { unit: 1, at: 1, received: -1, webhookId: 1 } },
  expiry,
});

export type RolledUpUnit = Exclude<StatsUnit, 'minute'> | typeof ever;

export type StatsRecord = StoredCounts & {
  readonly _id: string;
  readonly webhookId: string;
  readonly unit: RolledUpUnit;
  readonly at: Date;
  readonly lastAt?: Date;
  /** Of a lifetime: the newest days, by number. Its own counts are those of the days before. */
  readonly days?: Readonly<Record<string, Partial<Counts>>>;
  readonly expiresAt?: Date;
};

export const statsOf = (connection: Connection) =>
  collectionOf<StatsRecord>(connection, statsCollection);

type Key = Pick<StatsRecord, 'webhookId' | 'at'>;

export const statsIdOf = (unit: RolledUpUnit, { webhookId, at }: Key): string =>
  `${webhookId}:${unit}:${unit === ever ? 0 : +bucketStartOf(unit, at)}`;

export const dayNumberOf = (at: Date): number => Math.floor(+at / unitMs.day);

const dayKeyOf = ({ webhookId, at }: Key): string => `${webhookId}:${dayNumberOf(at)}`;

const rolledUp = (
  connection: Connection,
  webhookIds: readonly string[],
  { unit, from, to }: StatsRange & { readonly unit: RolledUpUnit },
) =>
  statsOf(connection).find({
    webhookId: { $in: [...webhookIds] },
    unit,
    at: { $gte: from, $lt: to },
  });

/** Returns the hours in the range. */
export async function readHours(
  connection: Connection,
  webhookIds: readonly string[],
  range: StatsRange,
): Promise<WebhookBucket[]> {
  const hours = new Map<string, WebhookBucket>();
  const open = await readOpenHours(connection, webhookIds, range);
  for (const hour of open) hours.set(statsIdOf('hour', hour), webhookBucketOf(hour));
  for await (const record of rolledUp(connection, webhookIds, { unit: 'hour', ...range })) {
    // An open hour has all that is rolled up of it.
    if (!hours.has(record._id)) hours.set(record._id, webhookBucketOf(record));
  }
  return [...hours.values()];
}

/** Returns the days in the range, which begins and ends with a day. */
export async function readDays(
  connection: Connection,
  webhookIds: readonly string[],
  range: StatsRange,
): Promise<WebhookBucket[]> {
  const open = await readOpenHours(connection, webhookIds, range);
  const records = await rolledUp(connection, webhookIds, { unit: 'day', ...range }).toArray();
  const openDays = await readOpenDays(connection, open);
  const isWhole = (record: StatsRecord) => openDays.get(dayKeyOf(record))?.isWhole ?? false;
  return [
    ...records.filter((record) => !isWhole(record)).map(webhookBucketOf),
    ...[...openDays.values()].map(({ bucket }) => bucket),
  ];
}

type OpenDay = {
  /** The counts are those of the whole day. Otherwise they are missing in the rolled-up day. */
  readonly isWhole: boolean;
  readonly bucket: WebhookBucket;
};

/** Returns what open hours mean for their days, by webhook and number of the day. To be called after days or lifetimes were read. */
export async function readOpenDays(
  connection: Connection,
  open: readonly OpenHour[],
): Promise<ReadonlyMap<string, OpenDay>> {
  const wholeDays = await findDaysInPart(connection, open);
  const hours = await readHoursOfDays(connection, open, wholeDays);
  for (const hour of open) hours.set(statsIdOf('hour', hour), webhookBucketOf(hour));
  const days = groupBy(hours.values(), dayKeyOf);
  return new Map(
    [...days].flatMap(([key, [first, ...others]]) => {
      if (!first) return [];
      const { webhookId } = first;
      const at = bucketStartOf('day', first.at);
      const bucket = { webhookId, at, ...sumBuckets([first, ...others]) };
      return [[key, { isWhole: wholeDays.has(key), bucket }] as const];
    }),
  );
}

/** Returns the days of which an open hour is rolled up in part. There are few: counts came late, or the roll-up is at work. */
async function findDaysInPart(
  connection: Connection,
  open: readonly OpenHour[],
): Promise<ReadonlySet<string>> {
  if (open.length === 0) return new Set();
  const ids = open.map((hour) => statsIdOf('hour', hour));
  const found = await statsOf(connection)
    .find({ _id: { $in: ids } }, { projection: { webhookId: 1, at: 1 } })
    .toArray();
  return new Set(found.map(dayKeyOf));
}

async function readHoursOfDays(
  connection: Connection,
  open: readonly OpenHour[],
  days: ReadonlySet<string>,
): Promise<Map<string, WebhookBucket>> {
  const hours = new Map<string, WebhookBucket>();
  const some = open.filter((hour) => days.has(dayKeyOf(hour)));
  if (some.length === 0) return hours;
  const times = some.map(({ at }) => +bucketStartOf('day', at));
  const from = new Date(Math.min(...times));
  const to = new Date(Math.max(...times) + unitMs.day);
  const webhookIds = [...new Set(some.map(({ webhookId }) => webhookId))];
  for await (const record of rolledUp(connection, webhookIds, { unit: 'hour', from, to })) {
    if (days.has(dayKeyOf(record))) hours.set(record._id, webhookBucketOf(record));
  }
  return hours;
}
