import { startTicker } from '../../../src/base/process/ticker.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function start(waitMs = 1_000, random = () => 0.5) {
  let ticks = 0;
  let finish: (() => void) | undefined;
  const ticker = startTicker(
    async () => {
      ticks += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return waitMs;
    },
    { firstMs: 100, random },
  );
  return {
    ticker,
    ticks: () => ticks,
    end: async () => {
      finish?.();
      await jest.advanceTimersByTimeAsync(0);
    },
  };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

test('the wait follows from the last tick, and ticks never overlap', async () => {
  const { ticks, end } = start();
  await pass(99);
  expect(ticks()).toBe(0);
  await pass(1);
  expect(ticks()).toBe(1);
  await pass(60_000);
  expect(ticks()).toBe(1);
  await end();
  await pass(999);
  expect(ticks()).toBe(1);
  await pass(1);
  expect(ticks()).toBe(2);
});

test.each([
  ['sooner', 0, 80],
  ['later', 1, 120],
])('each wait is jittered by a fifth: %s', async (_name, random, firstMs) => {
  const { ticks } = start(1_000, () => random);
  await pass(firstMs - 1);
  expect(ticks()).toBe(0);
  await pass(1);
  expect(ticks()).toBe(1);
});

test('a wake is followed by a whole tick, also during another tick', async () => {
  const { ticker, ticks, end } = start();
  ticker.wake();
  await pass(0);
  expect(ticks()).toBe(1);
  ticker.wake();
  ticker.wake();
  await end();
  await pass(1);
  expect(ticks()).toBe(2);
  await end();
  await pass(1);
  expect(ticks()).toBe(2);
});

test('close waits for the tick in progress, and no further tick starts', async () => {
  const { ticker, ticks, end } = start();
  await pass(100);
  let isClosed = false;
  const closed = ticker.close().then(() => (isClosed = true));
  ticker.wake();
  await pass(10);
  expect(isClosed).toBe(false);
  await end();
  await closed;
  await pass(60_000);
  expect(ticks()).toBe(1);
});
