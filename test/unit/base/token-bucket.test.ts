import { createTokenBucket, type Rate } from '../../../src/base/rate-limit/token-bucket.ts';

function given(max = 100) {
  let nowMs = 1_000_000;
  const buckets = createTokenBucket({ max, nowMs: () => nowMs });
  return {
    buckets,
    take: (key: string, rate: Rate) => buckets.take(key, rate),
    pass: (ms: number) => (nowMs += ms),
  };
}

const perSecond = { burst: 5, everyMs: 200 };

test('a full bucket gives its burst at once and then nothing', () => {
  const { take } = given();
  const verdicts = Array.from({ length: 7 }, () => take('a', perSecond));
  expect(verdicts.map(({ retryAfterMs }) => retryAfterMs)).toEqual([0, 0, 0, 0, 0, 200, 200]);
  expect(verdicts.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
  expect(verdicts.map(({ resetMs }) => resetMs)).toEqual([200, 400, 600, 800, 1000, 1000, 1000]);
});

test('a caller is allowed after the retry time, and not a moment earlier', () => {
  const { take, pass } = given();
  for (let n = 0; n < 5; n += 1) take('a', perSecond);
  const { retryAfterMs } = take('a', perSecond);
  pass(retryAfterMs - 1);
  expect(take('a', perSecond).retryAfterMs).toBe(1);
  pass(1);
  expect(take('a', perSecond).retryAfterMs).toBe(0);
  expect(take('a', perSecond).retryAfterMs).toBe(200);
});

test('a bucket never holds more than its burst, after any pause', () => {
  const { take, pass } = given();
  take('a', perSecond);
  pass(3_600_000);
  const allowed = Array.from({ length: 20 }, () => take('a', perSecond)).filter(
    ({ retryAfterMs }) => retryAfterMs === 0,
  );
  expect(allowed).toHaveLength(5);
});

test('a caller at the rate is never rejected, and one at twice the rate half the time', () => {
  const steady = given();
  const hasty = given();
  let refused = 0;
  for (let n = 0; n < 1_000; n += 1) {
    expect(steady.take('a', perSecond).retryAfterMs).toBe(0);
    steady.pass(200);
    if (hasty.take('a', perSecond).retryAfterMs > 0) refused += 1;
    hasty.pass(100);
  }
  expect(refused).toBeGreaterThan(480);
  expect(refused).toBeLessThan(500);
});

test('after the rate is raised, the wait is at most that of the new rate', () => {
  const { take, pass } = given();
  for (let n = 0; n < 100; n += 1) take('a', { burst: 100, everyMs: 60_000 });
  expect(take('a', perSecond)).toMatchObject({ remaining: 0, resetMs: 1000, retryAfterMs: 200 });
  pass(200);
  expect(take('a', perSecond).retryAfterMs).toBe(0);
});

test('keys are independent, and the least recently used key is evicted', () => {
  const { take } = given(2);
  const once = { burst: 1, everyMs: 1_000 };
  expect(take('a', once).retryAfterMs).toBe(0);
  expect(take('b', once).retryAfterMs).toBe(0);
  expect(take('a', once).retryAfterMs).toBe(1_000);
  expect(take('c', once).retryAfterMs).toBe(0);
  expect(take('a', once).retryAfterMs).toBe(1_000);
  expect(take('b', once).retryAfterMs).toBe(0);
});

test('a charge beyond the bucket makes the key wait until the missing tokens are added', () => {
  const { buckets, pass } = given();
  expect(buckets.waitMs('a', perSecond)).toBe(0);
  buckets.charge('a', perSecond, 5);
  expect(buckets.waitMs('a', perSecond)).toBe(0);
  buckets.charge('a', perSecond, 3);
  expect([buckets.waitMs('a', perSecond), buckets.waitMs('b', perSecond)]).toEqual([600, 0]);
  pass(599);
  expect(buckets.waitMs('a', perSecond)).toBe(1);
  pass(1);
  expect(buckets.waitMs('a', perSecond)).toBe(0);
});

test('a full bucket gives all its tokens at any fraction of a millisecond', () => {
  let nowMs = 0;
  const fractional = createTokenBucket({ max: 10, nowMs: () => nowMs });
  const rates = [
    { burst: 1, everyMs: 60_000 },
    { burst: 10, everyMs: 1_000 },
    { burst: 7, everyMs: 60_000 / 7 },
  ];
  for (const [index, rate] of rates.entries()) {
    for (let n = 0; n < 1_000; n += 1) {
      nowMs += 200_000 + n / 7;
      const taken = Array.from({ length: rate.burst + 1 }, () =>
        fractional.take(String(index), rate),
      );
      const left = taken.map(({ remaining }) => remaining);
      expect(left).toEqual([...Array(rate.burst).keys(), 0].toSorted((a, b) => b - a));
      expect(taken.filter(({ retryAfterMs }) => retryAfterMs > 0)).toHaveLength(1);
    }
  }
});
