import fc from 'fast-check';
import { createSlidingWindow } from '../../../src/base/rate-limit/sliding-window.ts';

function given({ limit = 3, max = 100 } = {}) {
  let nowMs = 5_000;
  const windows = createSlidingWindow({ max, limit, windowMs: 60_000, nowMs: () => nowMs });
  return {
    take: (key = 'a') => windows.take(key),
    extend: (further: number) => windows.extend('a', further),
    pass: (ms: number) => (nowMs += ms),
  };
}

test('requests up to the limit are allowed with the remaining number, and the next gets a retry time', () => {
  const { take, pass } = given();
  expect(take()).toEqual({ limit: 3, remaining: 2, resetMs: 60_000, retryAfterMs: 0 });
  pass(10_000);
  expect(take()).toEqual({ limit: 3, remaining: 1, resetMs: 50_000, retryAfterMs: 0 });
  expect(take()).toEqual({ limit: 3, remaining: 0, resetMs: 50_000, retryAfterMs: 0 });
  expect(take()).toEqual({ limit: 3, remaining: 0, resetMs: 50_000, retryAfterMs: 50_000 });
});

test('a caller that waits for the retry time is allowed once, however often it was rejected', () => {
  const { take, pass } = given();
  for (let n = 0; n < 3; n += 1) {
    take();
    pass(1_000);
  }
  for (let n = 0; n < 50; n += 1) take();
  const { retryAfterMs } = take();
  pass(retryAfterMs - 1);
  expect(take().retryAfterMs).toBe(1);
  pass(1);
  expect(take().retryAfterMs).toBe(0);
  expect(take().retryAfterMs).toBe(1_000);
});

test('a request with further ones counts for all of them, or not at all until they fit', () => {
  const { take, extend, pass } = given({ limit: 4 });
  take();
  expect(extend(1)).toMatchObject({ remaining: 2, retryAfterMs: 0 });
  pass(10_000);
  take();
  expect(extend(2)).toMatchObject({ remaining: 2, retryAfterMs: 50_000 });
  pass(50_000);
  take();
  expect(extend(2)).toMatchObject({ remaining: 1, retryAfterMs: 0 });
});

test('no minute has more requests than the limit, in any pattern', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (pauses) => {
      const { take, pass } = given();
      let nowMs = 0;
      const allowed: number[] = [];
      for (const ms of pauses) {
        pass(ms);
        nowMs += ms;
        if (take().retryAfterMs === 0) allowed.push(nowMs);
      }
      const crowded = allowed.filter((at, n) => n >= 3 && at - (allowed[n - 3] ?? 0) < 60_000);
      expect(crowded).toEqual([]);
    }),
  );
});

test('keys are independent, and the least recently used key is evicted', () => {
  const { take } = given({ limit: 1, max: 2 });
  take('a');
  take('b');
  expect([take('a').retryAfterMs, take('b').retryAfterMs]).toEqual([60_000, 60_000]);
  take('c');
  expect([take('b').retryAfterMs, take('a').retryAfterMs]).toEqual([60_000, 0]);
});
