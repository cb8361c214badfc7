/**
 * Counts the events of this process by webhook and minute, in memory, and adds the counts to the database every five seconds.
 *
 * Promises: receiving and processing never wait for it and never fail by it; nothing is counted twice. The counts of a few
 * seconds are lost when the process dies or a write fails.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import {
  allWebhooks,
  latencyBucketOf,
  bucketStartOf,
  type CountEvent,
  type Counter,
} from '../domain/stats.ts';
import type { StatsStore } from '../store/counters/stats.ts';

type StatsCounterDeps = {
  readonly stats: Pick<StatsStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
  readonly random?: () => number;
};

type MinuteCounts = {
  readonly webhookId: string;
  readonly minute: Date;
  readonly counts: Partial<Record<Counter, number>>;
  readonly latency: Map<number, number>;
  lastAt: Date | null;
};

const defaultIntervalMs = 5_000;
/** Between two writes; events that need another entry are not counted. */
const maxEntries = 50_000;

export function startStatsCounter(deps: StatsCounterDeps) {
  const { stats, clock, logger, intervalMs = defaultIntervalMs, random } = deps;
  const buffer = startWriteBehind<MinuteCounts>({
    write: (deltas) => stats.add(deltas),
    onFailure: (err, deltas) => logger.warn({ err, buckets: deltas.length }, 'stats.not_saved'),
    maxEntries,
    intervalMs,
    random,
  });

  function entryFor(webhookId: string, now: Date): MinuteCounts | null {
    const minute = bucketStartOf('minute', now);
    return buffer.entryOf(`${webhookId}:${+minute}`, () => ({
      webhookId,
      minute,
      counts: {},
      latency: new Map(),
      lastAt: null,
    }));
  }

  const count: CountEvent = (webhookId, what, { tookMs } = {}) => {
    const now = clock.now();
    for (const entry of [entryFor(webhookId, now), entryFor(allWebhooks, now)]) {
      if (!entry) continue;
      entry.counts[what] = (entry.counts[what] ?? 0) + 1;
      if (what === 'received') entry.lastAt = now;
      if (tookMs === undefined) continue;
      const bucket = latencyBucketOf(tookMs);
      entry.latency.set(bucket, (entry.latency.get(bucket) ?? 0) + 1);
    }
  };

  return { count, flush: buffer.flush, close: buffer.close };
}
