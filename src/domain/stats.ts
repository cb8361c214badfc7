/**
 * Counts per webhook and time: received events, their outcomes, and the latency.
 *
 * Latencies are counted in buckets of a quarter octave, from 1 ms to a day and a half. A percentile is the
 * middle of its bucket, so its error is at most 9 %.
 */
export const counters = [
  'received',
  'duplicates',
  'held',
  'done',
  'ignored',
  'dead',
  'discarded',
] as const;
export type Counter = (typeof counters)[number];
export type Counts = Readonly<Record<Counter, number>>;

/** Called for each received and each ended event. Must not throw, and is not awaited. */
export type CountEvent = (webhookId: string, what: Counter, more?: CountDetails) => void;
type CountDetails = {
  /** Milliseconds from receipt to the end. */
  readonly tookMs?: number;
};

export const statsUnits = ['minute', 'hour', 'day'] as const;
export type StatsUnit = (typeof statsUnits)[number];

const minuteMs = 60_000;
const dayMs = 86_400_000;
export const unitMs: Readonly<Record<StatsUnit, number>> = {
  minute: minuteMs,
  hour: 3_600_000,
  day: dayMs,
};
/** Retention in milliseconds. */
export const unitKeptMs: Readonly<Record<StatsUnit, number>> = {
  minute: 2 * dayMs,
  hour: 90 * dayMs,
  day: 1_100 * dayMs,
};

/** Key of the counts over all webhooks. */
export const allWebhooks = 'all';

/** Number of events by bucket number. */
export type Histogram = Readonly<Record<string, number>>;

export type StatsBucket = Counts & { readonly at: Date; readonly latency: Histogram };

const perOctave = 4;
// 2^27 ms are about a day and a half.
const lastBucket = 27 * perOctave;

export const latencyBucketOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(lastBucket, Math.ceil(Math.log2(ms) * perOctave));

const middleOf = (bucket: number): number =>
  bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / perOctave));

/** Returns the percentile in milliseconds, or null if nothing was counted. `share` is between 0 and 1. */
export function percentileOf(latency: Histogram, share: number): number | null {
  const buckets = Object.entries(latency)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .toSorted(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= share * total) return middleOf(bucket);
  }
  return null;
}

export const bucketStartOf = (unit: StatsUnit, date: Date): Date =>
  new Date(Math.floor(+date / unitMs[unit]) * unitMs[unit]);

export const noCounts = Object.fromEntries(counters.map((counter) => [counter, 0])) as Counts;

export function sumBuckets(buckets: readonly (Counts & { readonly latency: Histogram })[]) {
  const counts: Record<Counter, number> = { ...noCounts };
  const latency: Record<string, number> = {};
  for (const bucket of buckets) {
    for (const counter of counters) counts[counter] += bucket[counter];
    for (const [key, count] of Object.entries(bucket.latency)) {
      latency[key] = (latency[key] ?? 0) + count;
    }
  }
  return { ...counts, latency };
}
