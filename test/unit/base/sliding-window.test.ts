import fc from 'fast-check';
import { createSlidingWindow } from '../../../src/base/rate-limit/sliding-window.ts';

function given({ limit = 3, max = 100 } = {}) {
  let nowMs = 5_000;
  const windows = createSlidingWindow({ max, limit, windowMs: 60_000, nowMs: () => nowMs });
  return { take: (key = 'a') => windows.take(key), pass: (ms: number) => (nowMs += ms) };
}

test('so many are allowed, each tells what is left, and the next is told when to come back', () => {
  const { take, pass } = given();
  expect(take()).toEqual({ limit: 3, remaining: 2, resetMs: 60_000, retryAfterMs: 0 });
  pass(10_000);
  expect(take()).toEqual({ limit: 3, remaining: 1, resetMs: 50_000, retryAfterMs: 0 });
  expect(take()).toEqual({ limit: 3, remaining: 0, resetMs: 50_000, retryAfterMs: 0 });
  expect(take()).toEqual({ limit: 3, remaining: 0, resetMs: 50_000, retryAfterMs: 50_000 });
});

test('whoever waits as long as it says is let through once, however often it was refused', () => {
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

test('in no minute are there more than the limit, however they come', () => {
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

test('keys do not share, and the least used one is forgotten for room', () => {
  const { take } = given({ limit: 1, max: 2 });
  take('a');
  take('b');
  expect([take('a').retryAfterMs, take('b').retryAfterMs]).toEqual([60_000, 60_000]);
  take('c');
  expect([take('b').retryAfterMs, take('a').retryAfterMs]).toEqual([60_000, 0]);
});
