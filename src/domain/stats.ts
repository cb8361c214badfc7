/**
 * Counts by webhook and time: what came, what became of it, and how long that took.
 *
 * Times lie in buckets a quarter of an octave wide, from a millisecond to over a day; a percentile is the middle of its bucket, so
 * it is at most 9 % off.
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

/** Told of each event that comes and ends. Must not throw, nor be waited for. */
export type CountEvent = (webhookId: string, what: Counter, more?: CountDetails) => void;
export type CountDetails = {
  /** From receipt to the end. */
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
/** How long they are known; days for ever. */
export const unitKeptMs: Readonly<Record<StatsUnit, number | null>> = {
  minute: 2 * dayMs,
  hour: 90 * dayMs,
  day: null,
};

/** Counts of all webhooks together stand under this name. */
export const allWebhooks = 'all';

/** Bucket number → events. */
export type Histogram = Readonly<Record<string, number>>;

export type StatsBucket = Counts & { readonly at: Date; readonly latency: Histogram };

const perOctave = 4;
// 2^27 ms are a day and a half.
const lastBucket = 27 * perOctave;

export const latencyBucketOf = (ms: number): number =>
  ms <= 1 ? 0 : Math.min(lastBucket, Math.ceil(Math.log2(ms) * perOctave));

const middleOf = (bucket: number): number =>
  bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / perOctave));

/** Milliseconds, or null where nothing was counted. */
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

export const noCounts: Counts = {
  received: 0,
  duplicates: 0,
  held: 0,
  done: 0,
  ignored: 0,
  dead: 0,
  discarded: 0,
};

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
