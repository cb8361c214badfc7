/**
 * Counts what passes through this process by webhook, in memory, and adds it to the database every few seconds.
 *
 * Promises: receiving and processing never wait for it and never fail by it; nothing is counted twice. What was not yet
 * added when a process dies, or when the database does not take it, is not counted: a few seconds' worth.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import {
  allWebhooks,
  latencyBucketOf,
  bucketStartOf,
  type CountDetails,
  type CountEvent,
  type Counter,
} from '../domain/stats.ts';
import type { StatsStore } from '../store/counters/stats.ts';

export type StatsCounter = {
  /** Never throws. */
  readonly count: CountEvent;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StatsCounterDeps = {
  readonly stats: Pick<StatsStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
  readonly random?: () => number;
};

type Tally = {
  readonly webhookId: string;
  readonly minute: Date;
  readonly counts: Partial<Record<Counter, number>>;
  readonly latency: Map<number, number>;
  lastAt: Date | null;
};

const defaultIntervalMs = 5_000;
/** A database that is away lets no more than this pile up; beyond, what comes is not counted. */
const maxTallies = 50_000;

export function startStatsCounter(deps: StatsCounterDeps): StatsCounter {
  const { stats, clock, logger, intervalMs = defaultIntervalMs, random } = deps;
  const buffer = startWriteBehind<Tally>({
    write: (deltas) => stats.add(deltas),
    onFailure: (err, deltas) => logger.warn({ err, buckets: deltas.length }, 'stats.not_saved'),
    maxEntries: maxTallies,
    intervalMs,
    random,
  });

  function tallyOf(webhookId: string, now: Date): Tally | null {
    const minute = bucketStartOf('minute', now);
    return buffer.entryOf(`${webhookId}:${+minute}`, () => ({
      webhookId,
      minute,
      counts: {},
      latency: new Map(),
      lastAt: null,
    }));
  }

  function count(webhookId: string, what: Counter, { tookMs }: CountDetails = {}): void {
    const now = clock.now();
    for (const tally of [tallyOf(webhookId, now), tallyOf(allWebhooks, now)]) {
      if (!tally) continue;
      tally.counts[what] = (tally.counts[what] ?? 0) + 1;
      if (what === 'received') tally.lastAt = now;
      if (tookMs === undefined) continue;
      const bucket = latencyBucketOf(tookMs);
      tally.latency.set(bucket, (tally.latency.get(bucket) ?? 0) + 1);
    }
  }

  return { count, flush: buffer.flush, close: buffer.close };
}
