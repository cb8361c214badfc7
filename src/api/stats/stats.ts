/** Statistics for the console from the stored counts, and the current system health. */
import { invalidQuery } from '../../base/errors.ts';
import {
  counters,
  percentileOf,
  bucketStartOf,
  sumBuckets,
  unitMs,
  type Counts,
  type Histogram,
  type StatsUnit,
} from '../../domain/stats.ts';
import { maxBacklog } from '../../store/events/find-events.ts';
import { type ProcessRecord, listAliveProcesses } from '../../store/maintenance/processes.ts';
import type { ApiContext } from '../context.ts';
import { healthFindings } from '../installation/health-findings.ts';
import { findMostRejected } from '../../store/counters/rejection-counts.ts';
import { readDisk } from '../../store/maintenance/database-state.ts';
import { textWith } from '../../base/texts/texts.ts';
import { getWebhooks } from '../../store/webhooks/webhooks.ts';

type StatsQuery = {
  /** Absent: all webhooks. */
  readonly webhookIds?: readonly string[] | undefined;
  readonly by: StatsUnit;
  readonly from?: Date;
  readonly to?: Date;
};

type ListQuery = {
  readonly webhookIds?: readonly string[] | undefined;
  readonly among?: readonly string[] | undefined;
  readonly limit: number;
  readonly by: StatsUnit;
};

const defaultBuckets: Readonly<Record<StatsUnit, number>> = { minute: 60, hour: 24, day: 30 };
const maxBuckets: Readonly<Record<StatsUnit, number>> = { minute: 2_880, hour: 2_160, day: 1_830 };

const presentCounts = (bucket: Counts & { readonly latency: Histogram }) => ({
  ...(Object.fromEntries(counters.map((name) => [name, bucket[name]])) as Counts),
  p50Ms: percentileOf(bucket.latency, 0.5),
  p95Ms: percentileOf(bucket.latency, 0.95),
  p99Ms: percentileOf(bucket.latency, 0.99),
});

/** Returns the range in whole buckets, including the bucket of `to`. Throws `invalid_query`. */
function rangeOf({ by, from, to = new Date() }: StatsQuery) {
  const size = unitMs[by];
  const end = new Date(+bucketStartOf(by, to) + size);
  const begin = from ? bucketStartOf(by, from) : new Date(+end - defaultBuckets[by] * size);
  if (+end - +begin <= 0 || (+end - +begin) / size > maxBuckets[by]) {
    const message = textWith(`field.too_many_${by}s`, { max: maxBuckets[by] });
    throw invalidQuery('from', message);
  }
  return { unit: by, from: begin, to: end };
}

export async function readStats({ stats }: ApiContext, query: StatsQuery) {
  const range = rangeOf(query);
  const buckets = await stats.series(query.webhookIds ?? null, range);
  return {
    by: query.by,
    from: range.from,
    to: range.to,
    totals: presentCounts(sumBuckets(buckets)),
    series: buckets.map((bucket) => ({ at: bucket.at, ...presentCounts(bucket) })),
  };
}

/**
 * Returns statistics of the given webhooks, or of those (of all or of `among`) with most events since
 * yesterday (UTC).
 */
export async function listStats(ctx: ApiContext, { webhookIds, among, limit, by }: ListQuery) {
  const now = new Date();
  const days = [now, new Date(+now - unitMs.day)];
  const ids = webhookIds ?? (await ctx.stats.busiest(days, { limit, among }));
  const range = rangeOf({ by, to: now });
  const [known, lifetimes, series] = await Promise.all([
    getWebhooks(ctx, ids),
    ctx.stats.lifetimes(ids),
    ctx.stats.seriesOfEach(ids, range),
  ]);
  const names = new Map(known.map(({ _id, name }) => [_id, name]));
  const last = new Map(lifetimes.map((lifetime) => [lifetime.webhookId, lifetime]));
  const results = ids.flatMap((id, index) => {
    const name = names.get(id);
    const buckets = series[index] ?? [];
    if (name === undefined) return [];
    return [
      {
        webhookId: id,
        name,
        lastEventAt: last.get(id)?.lastAt ?? null,
        receivedEver: last.get(id)?.received ?? 0,
        totals: presentCounts(sumBuckets(buckets)),
        received: buckets.map(({ received }) => received),
        dead: buckets.map(({ dead }) => dead),
      },
    ];
  });
  return { by, from: range.from, to: range.to, results };
}

/** Counts the rejections of the last 24 hours, from the beginning of an hour, and names the webhooks with the most. */
export async function countAllRejections(
  ctx: ApiContext,
  { among, limit }: Pick<ListQuery, 'among' | 'limit'>,
) {
  const since = bucketStartOf('hour', new Date(Date.now() - unitMs.day));
  const found = await findMostRejected(ctx, { since, webhookIds: among, limit });
  const known = await getWebhooks(
    ctx,
    found.webhooks.map(({ webhookId }) => webhookId),
  );
  const names = new Map(known.map(({ _id, name }) => [_id, name]));
  const results = found.webhooks.flatMap(({ webhookId, count }) => {
    const name = names.get(webhookId);
    return name === undefined ? [] : [{ webhookId, name, count }];
  });
  return { from: since, total: found.total, results };
}

const presentProcess = ({ _id, role, startedAt, seenAt, release, aheadMs }: ProcessRecord) => ({
  id: _id,
  role,
  startedAt,
  seenAt,
  release,
  aheadMs,
});

const orNull = <Value>(asked: Promise<Value>): Promise<Value | null> => asked.catch(() => null);

/** Returns the current health. Values that MongoDB or Redis cannot provide now are null. */
export async function readHealth(ctx: ApiContext) {
  const { events, queue, allowsDrills } = ctx;
  const [alive, backlog, oldest, depth, disk, settings] = await Promise.all([
    orNull(listAliveProcesses(ctx)),
    orNull(events.countBacklog()),
    orNull(events.oldestOpenAt()),
    queue.isReady ? orNull(queue.depth()) : null,
    orNull(readDisk(ctx)),
    queue.isReady ? orNull(queue.server()) : null,
  ]);
  const all = (alive ?? []).map(presentProcess);
  const countRole = (role: ProcessRecord['role']) => all.filter((one) => one.role === role).length;
  const state = {
    mongodb: { isUp: alive !== null && backlog !== null, disk },
    redis: { isUp: queue.isReady, queueDepth: depth, settings },
    servers: countRole('server'),
    workers: countRole('worker'),
    processes: all,
    allowsDrills,
    backlog: backlog && { ...backlog, upTo: maxBacklog },
    oldestOpenAt: oldest ?? null,
  };
  return { ...state, findings: healthFindings(state, new Date()) };
}
