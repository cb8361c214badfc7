import fc from 'fast-check';
import { latencyBucketOf, noCounts, percentileOf, sumBuckets } from '../../../src/domain/stats.ts';

const histogramOf = (times: readonly number[]) => {
  const latency: Record<string, number> = {};
  for (const ms of times) {
    const bucket = latencyBucketOf(ms);
    latency[bucket] = (latency[bucket] ?? 0) + 1;
  }
  return latency;
};

test('a percentile is at most 9 % off, for any times up to a day', () => {
  const time = fc.integer({ min: 6, max: 86_400_000 });
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 60 }), (times) => {
      const sorted = times.toSorted((a, b) => a - b);
      for (const share of [0.5, 0.95, 0.99]) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const told = percentileOf(histogramOf(times), share) ?? 0;
        // Half a millisecond for rounding.
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(exact * 0.0906 + 0.5);
      }
    }),
    { numRuns: 200 },
  );
});

test('an empty histogram has no percentile, and times over a day are in the last bucket', () => {
  expect(percentileOf({}, 0.5)).toBeNull();
  expect(latencyBucketOf(1e12)).toBe(latencyBucketOf(2 ** 27));
  expect(percentileOf(histogramOf([0, 0.3, 1]), 0.99)).toBe(1);
});

test('buckets add up', () => {
  const one = { ...noCounts, received: 2, done: 1, latency: { 3: 1 } };
  const other = { ...noCounts, received: 1, dead: 1, latency: { 3: 2, 9: 1 } };
  expect(sumBuckets([one, other])).toEqual({
    ...noCounts,
    received: 3,
    done: 1,
    dead: 1,
    latency: { 3: 3, 9: 1 },
  });
});
