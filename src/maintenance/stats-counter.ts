/**
 * Counts the events of this process by webhook and minute, in memory, and adds the counts to the database: every five seconds, and
 * every minute when 10,000 webhooks are active.
 *
 * Promises: receiving and processing never wait for it and never fail by it; nothing is counted twice. When the process dies, the
 * counts since the last write are lost; when a write fails, those of up to 500 webhooks.
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
import type { StatsDelta } from '../store/counters/hour-stats.ts';
import type { StatsStore } from '../store/counters/stats.ts';
import { maxStatements } from '../store/db/updates.ts';

type StatsCounterDeps = {
  readonly stats: Pick<StatsStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
  readonly random?: () => number;
};

type MinuteCounts = StatsDelta & {
  readonly counts: Partial<Record<Counter, number>>;
  readonly latency: Map<number, number>;
  lastAt: Date | null;
};

/** The minutes of an hour of a webhook. They are one statement of a write. */
type HourCounts = Map<number, MinuteCounts>;

const defaultIntervalMs = 5_000;
const maxIntervalMs = 60_000;
/** Between two writes; events that need another entry are not counted. */
const maxEntries = 50_000;
/** Of an entry. Later events are counted in the last one, when writes fail for minutes. */
const maxMinutes = 5;

export function startStatsCounter(deps: StatsCounterDeps) {
  const { stats, clock, logger, intervalMs = defaultIntervalMs, random } = deps;
  const buffer = startWriteBehind<HourCounts>({
    write: (hours) => stats.add(hours.flatMap((hour) => [...hour.values()])),
    onFailure: (err, hours) => logger.warn({ err, buckets: hours.length }, 'stats.not_saved'),
    maxEntries,
    maxPerWrite: maxStatements,
    intervalMs,
    maxIntervalMs,
    random,
  });

  function entryFor(webhookId: string, now: Date): MinuteCounts | null {
    const key = `${webhookId}:${+bucketStartOf('hour', now)}`;
    const hour = buffer.entryOf(key, () => new Map());
    if (!hour) return null;
    const minute = bucketStartOf('minute', now);
    const known =
      hour.get(+minute) ?? (hour.size < maxMinutes ? undefined : [...hour.values()].at(-1));
    if (known) return known;
    const counts = { webhookId, minute, counts: {}, latency: new Map(), lastAt: null };
    hour.set(+minute, counts);
    return counts;
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
