/**
 * Reads the counts of events by webhook: series, lifetimes, and the busiest webhooks.
 *
 * Promises: no read counts events; figures are current, whether or not they are rolled up.
 */
import { groupBy } from '../../base/group-by.ts';
import {
  allWebhooks,
  bucketStartOf,
  sumBuckets,
  unitMs,
  type Counts,
  type StatsBucket,
  type StatsUnit,
} from '../../domain/stats.ts';
import { bindTo, type Connection } from '../db/connection.ts';
import { maxFindMs } from '../db/queries.ts';
import {
  addStats,
  bucketOf,
  hourStatsOf,
  readMinutes,
  readOpenHours,
  type StatsRange,
  type WebhookBucket,
} from './hour-stats.ts';
import {
  dayNumberOf,
  ever,
  readDays,
  readHours,
  readOpenDays,
  statsIdOf,
  statsOf,
} from './rolled-up-stats.ts';
import { rollUpStats } from './stats-roll-up.ts';

export type StatsStore = ReturnType<typeof createStatsStore>;

export const createStatsStore = (connection: Connection) =>
  bindTo(connection, {
    add: addStats,
    rollUp: rollUpStats,
    series: readSeries,
    seriesOfEach: readEachSeries,
    lifetimes: readLifetimes,
    busiest: findBusiest,
  });

/** In memory, each with up to 2,880 buckets. */
const webhooksAtOnce = 20;

type SeriesRange = StatsRange & { readonly unit: StatsUnit };

/** Returns all buckets from `from` to before `to`, empty ones included: the sum of the given webhooks, or of all (null). */
async function readSeries(
  connection: Connection,
  webhookIds: readonly string[] | null,
  range: SeriesRange,
): Promise<StatsBucket[]> {
  const ids = webhookIds ?? [allWebhooks];
  let sums: StatsBucket[] = seriesOf([], range);
  for (let start = 0; start < ids.length; start += webhooksAtOnce) {
    const some = await readBuckets(connection, ids.slice(start, start + webhooksAtOnce), range);
    sums = seriesOf([...sums, ...some], range);
  }
  return sums;
}

/** Returns the series of each webhook, in the order of the ids. */
async function readEachSeries(
  connection: Connection,
  webhookIds: readonly string[],
  range: SeriesRange,
): Promise<StatsBucket[][]> {
  const buckets = await readBuckets(connection, webhookIds, range);
  const bucketsOf = groupBy(buckets, ({ webhookId }) => webhookId);
  return webhookIds.map((webhookId) => seriesOf(bucketsOf.get(webhookId) ?? [], range));
}

const readBuckets = (
  connection: Connection,
  webhookIds: readonly string[],
  { unit, ...range }: SeriesRange,
): Promise<WebhookBucket[]> => {
  const read = { minute: readMinutes, hour: readHours, day: readDays }[unit];
  return read(connection, webhookIds, range);
};

function seriesOf(buckets: readonly StatsBucket[], { unit, from, to }: SeriesRange): StatsBucket[] {
  const bucketsAt = groupBy(buckets, ({ at }) => +at);
  const size = Math.max(0, Math.ceil((+to - +from) / unitMs[unit]));
  return Array.from({ length: size }, (_empty, index) => {
    const at = new Date(+from + index * unitMs[unit]);
    return { at, ...sumBuckets(bucketsAt.get(+at) ?? []) };
  });
}

type Lifetime = Counts & { readonly webhookId: string; readonly lastAt: Date | null };

const always: StatsRange = { from: new Date(0), to: new Date(8.64e15) };

/** Webhooks without a count are left out. */
async function readLifetimes(
  connection: Connection,
  webhookIds: readonly string[],
): Promise<Lifetime[]> {
  const open = await readOpenHours(connection, webhookIds, always);
  const ids = webhookIds.map((webhookId) => statsIdOf(ever, { webhookId, at: always.from }));
  const records = await statsOf(connection)
    .find({ _id: { $in: ids } })
    .toArray();
  const openDays = await readOpenDays(connection, open);
  const recordOf = new Map(records.map((record) => [record.webhookId, record]));
  const openOf = groupBy(open, ({ webhookId }) => webhookId);
  const daysOf = groupBy(openDays.values(), ({ bucket }) => bucket.webhookId);

  return webhookIds.flatMap((webhookId) => {
    const record = recordOf.get(webhookId);
    const hours = openOf.get(webhookId) ?? [];
    if (!record && hours.length === 0) return [];
    const days = daysOf.get(webhookId) ?? [];
    const whole = new Set(
      days.filter(({ isWhole }) => isWhole).map(({ bucket }) => String(dayNumberOf(bucket.at))),
    );
    const rolledUp = Object.entries(record?.days ?? {}).filter(([day]) => !whole.has(day));
    const parts = [record ?? {}, ...rolledUp.map(([, counts]) => counts)];
    const { latency: _latency, ...counts } = sumBuckets([
      ...parts.map((part) => bucketOf(always.from, part)),
      ...days.map(({ bucket }) => bucket),
    ]);
    const times = [record, ...hours].flatMap((one) => (one?.lastAt ? [+one.lastAt] : []));
    return [
      { ...counts, webhookId, lastAt: times.length > 0 ? new Date(Math.max(...times)) : null },
    ];
  });
}

/** Documents of open hours that a list of the busiest reads: two hours of 25,000 webhooks. */
const maxOpenHours = 50_000;

/**
 * Returns the busiest webhooks of the days (UTC) together. Those of each day and of the open hours are candidates; one that is
 * among them nowhere is not found.
 */
async function findBusiest(
  connection: Connection,
  days: readonly Date[],
  { limit, among }: { readonly limit: number; readonly among?: readonly string[] | undefined },
): Promise<string[]> {
  const starts = days.map((day) => +bucketStartOf('day', day));
  const range = {
    from: new Date(Math.min(...starts)),
    to: new Date(Math.max(...starts) + unitMs.day),
  };
  const most = limit + 1;
  const some = among ? { $in: [...among] } : { $ne: allWebhooks };
  const found = await Promise.all([
    findBusiestOpen(connection, { range, some, most }),
    ...starts.map((at) => findBusiestOfDay(connection, { at: new Date(at), some, most })),
  ]);
  const candidates = [...new Set(found.flat())].filter((id) => id !== allWebhooks);
  if (candidates.length === 0) return [];
  const received = new Map(candidates.map((id) => [id, 0]));
  for (const bucket of await readDays(connection, candidates, range)) {
    if (!starts.includes(+bucket.at)) continue;
    received.set(bucket.webhookId, (received.get(bucket.webhookId) ?? 0) + bucket.received);
  }
  return [...received]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([webhookId]) => webhookId);
}

type Some = { readonly some: object; readonly most: number };

async function findBusiestOpen(
  connection: Connection,
  { range: { from, to }, some, most }: Some & { readonly range: StatsRange },
): Promise<string[]> {
  const found = await hourStatsOf(connection)
    .aggregate<{ _id: string }>(
      [
        { $match: { open: true, at: { $gte: from, $lt: to }, webhookId: some } },
        { $sort: { at: -1, webhookId: -1 } },
        { $limit: maxOpenHours },
        { $group: { _id: '$webhookId', received: { $sum: '$received' } } },
        { $sort: { received: -1, _id: 1 } },
        { $limit: most },
      ],
      { hint: 'open', maxTimeMS: maxFindMs },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}

async function findBusiestOfDay(
  connection: Connection,
  { at, some, most }: Some & { readonly at: Date },
): Promise<string[]> {
  const found = await statsOf(connection)
    .find(
      { unit: 'day', at, webhookId: some },
      { sort: { received: -1, webhookId: 1 }, limit: most, projection: { webhookId: 1 } },
    )
    .toArray();
  return found.map(({ webhookId }) => webhookId);
}
