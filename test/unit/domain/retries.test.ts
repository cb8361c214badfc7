import { retryDelayMs, type RetrySettings } from '../../../src/domain/webhooks/retries.ts';

const longest = (attempts: number, settings?: RetrySettings) =>
  retryDelayMs({ attempts, settings, random: () => 1 }) / 1_000;
const range = (to: number) => Array.from({ length: to }, (_, index) => index + 1);

test('the waits are at most 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h and 10 h', () => {
  expect(range(8).map((attempts) => longest(attempts))).toEqual([
    5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000,
  ]);
  expect(longest(20)).toBe(36_000);
});

test('a wait is any part of its step', () => {
  expect(retryDelayMs({ attempts: 3, random: () => 0 })).toBe(0);
  expect(retryDelayMs({ attempts: 3, random: () => 0.5 })).toBe(60_000);
});

test('a webhook’s own delays apply, and the last one repeats', () => {
  expect(range(4).map((attempts) => longest(attempts, { delaysSeconds: [1, 7] }))).toEqual([
    1, 7, 7, 7,
  ]);
  expect(longest(2, { maxAttempts: 3 })).toBe(30);
});

test.each([
  [60_000, 60_000],
  [7 * 86_400_000, 86_400_000],
  [-5, 0],
])('after a requested delay of %s ms the retry waits at least %s ms', (retryAfterMs, least) => {
  expect(retryDelayMs({ attempts: 1, retryAfterMs, random: () => 0 })).toBe(least);
  expect(retryDelayMs({ attempts: 1, retryAfterMs, random: () => 1 })).toBe(least + 5_000);
});
