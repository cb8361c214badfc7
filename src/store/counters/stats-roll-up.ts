/**
 * Rolls hours up: writes the hour, its day and the lifetime from the document with the minutes, then closes that.
 *
 * Promises: a roll-up that dies anywhere, runs twice, or runs in two processes at once counts nothing twice and leaves nothing
 * out. Counts only grow, and each write sets a field to the larger of its value and the new sum (`$max`), never adds to it. The
 * hour stays open until all is written, and when counts were added since it was read.
 */
import { groupBy } from '../../base/group-by.ts';
import { bucketStartOf, counters, sumBuckets, unitKeptMs, unitMs } from '../../domain/stats.ts';
import type { Connection } from '../db/connection.ts';
import { sendUpdates, type UpdateStatement } from '../db/updates.ts';
import {
  bucketOf,
  closeHours,
  findOpenHours,
  openKeptMs,
  type OpenHour,
  type StoredCounts,
} from './hour-stats.ts';
import {
  dayNumberOf,
  ever,
  statsCollection,
  statsIdOf,
  statsOf,
  type RolledUpUnit,
  type StatsRecord,
} from './rolled-up-stats.ts';

/** Hours of one batch. It reads up to 24 times as many. */
const maxHours = 100;
/** Days of a lifetime document that no open hour can change any more are added to its own counts. */
const foldedAfterDays = openKeptMs / unitMs.day + 2;

/** Rolls the oldest open hours up that began before `before`, in one batch. Returns whether there may be more. */
export async function rollUpStats(
  connection: Connection,
  { before: to }: { readonly before: Date },
): Promise<boolean> {
  const from = new Date(+to - openKeptMs);
  const found = await findOpenHours(connection, { from, to, limit: maxHours });
  const [first] = found;
  if (!first) return false;
  const day = bucketStartOf('day', first.at);
  const hours = found.filter(({ at }) => +bucketStartOf('day', at) === +day);
  await sendUpdates(connection, statsCollection, hours.map(hourUpdate));
  const days = await sumDays(connection, hours, day);
  const folds = await findFolds(connection, { hours, before: dayNumberOf(to) - foldedAfterDays });
  await sendUpdates(connection, statsCollection, [
    ...folds,
    ...days.flatMap((one) => [dayUpdate(one), lifetimeUpdate(one)]),
  ]);
  await closeHours(connection, hours);
  return found.length === maxHours || hours.length < found.length;
}

/** Returns the counts that are not 0, by path. */
function pathsOf(counts: StoredCounts, prefix = ''): Record<string, number> {
  const latency = Object.entries(counts.latency ?? {});
  const all = [
    ...counters.map((name) => [name, counts[name] ?? 0] as const),
    ...latency.map(([bucket, count]) => [`latency.${bucket}`, count] as const),
  ];
  return Object.fromEntries(
    all.flatMap(([path, count]) => (count > 0 ? [[prefix + path, count]] : [])),
  );
}

type Rolled = StoredCounts & Pick<StatsRecord, 'webhookId' | 'at'> & { readonly lastAt?: Date };

type Written = { readonly unit: RolledUpUnit; readonly at: Date; readonly max: object };

const statementOf = (
  { webhookId, lastAt }: Rolled,
  { unit, at, max }: Written,
): UpdateStatement => ({
  q: { _id: statsIdOf(unit, { webhookId, at }) },
  u: {
    $setOnInsert: {
      webhookId,
      unit,
      at,
      ...(unit !== ever && { expiresAt: new Date(+at + unitKeptMs[unit]) }),
    },
    $max: { ...max, ...(lastAt && { lastAt }) },
  },
  upsert: true,
});

const hourUpdate = (hour: OpenHour): UpdateStatement =>
  statementOf(hour, { unit: 'hour', at: hour.at, max: pathsOf(hour) });

const dayUpdate = (day: Rolled): UpdateStatement =>
  statementOf(day, { unit: 'day', at: day.at, max: pathsOf(day) });

const lifetimeUpdate = ({ latency: _latency, ...day }: Rolled): UpdateStatement =>
  statementOf(day, {
    unit: ever,
    at: new Date(0),
    max: pathsOf(day, `days.${dayNumberOf(day.at)}.`),
  });

/** Sums the rolled-up hours of the day, for each webhook of these hours. */
async function sumDays(
  connection: Connection,
  hours: readonly OpenHour[],
  day: Date,
): Promise<Rolled[]> {
  const records = await statsOf(connection)
    .find({
      webhookId: { $in: webhookIdsOf(hours) },
      unit: 'hour',
      at: { $gte: day, $lt: new Date(+day + unitMs.day) },
    })
    .toArray();
  return [...groupBy(records, ({ webhookId }) => webhookId)].map(([webhookId, some]) => {
    const times = some.flatMap(({ lastAt }) => (lastAt ? [+lastAt] : []));
    return {
      ...sumBuckets(some.map((record) => bucketOf(record.at, record))),
      webhookId,
      at: day,
      ...(times.length > 0 && { lastAt: new Date(Math.max(...times)) }),
    };
  });
}

const webhookIdsOf = (hours: readonly OpenHour[]): string[] => [
  ...new Set(hours.map(({ webhookId }) => webhookId)),
];

type FoldRange = { readonly hours: readonly OpenHour[]; readonly before: number };

/** Returns the updates that move old days of lifetimes into their own counts. They match a document whose days are still there. */
async function findFolds(
  connection: Connection,
  { hours, before }: FoldRange,
): Promise<UpdateStatement[]> {
  const ids = webhookIdsOf(hours).map((webhookId) =>
    statsIdOf(ever, { webhookId, at: new Date(0) }),
  );
  const records = await statsOf(connection)
    .find({ _id: { $in: ids } }, { projection: { days: 1 } })
    .toArray();
  return records.flatMap(({ _id, days = {} }) => {
    const old = Object.entries(days).filter(([day]) => Number(day) < before);
    if (old.length === 0) return [];
    const paths = old.map(([day]) => `days.${day}`);
    return [
      {
        q: { _id, ...Object.fromEntries(paths.map((path) => [path, { $exists: true }])) },
        u: {
          $inc: pathsOf(sumBuckets(old.map(([, counts]) => bucketOf(new Date(0), counts)))),
          $unset: Object.fromEntries(paths.map((path) => [path, ''])),
        },
      },
    ];
  });
}
