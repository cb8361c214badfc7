import { createBatcher, type BatcherOptions } from '../../../src/base/concurrency/batcher.ts';

/** A batcher whose flushes end on request. */
function createGated(over: Partial<BatcherOptions<number, string>> = {}) {
  const flushes: { items: readonly number[]; end: (error?: Error) => void }[] = [];
  const batcher = createBatcher<number, string>({
    maxBatch: 3,
    maxPending: 100,
    ...over,
    flush: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => `done ${item}`));
        flushes.push({ items, end });
      }),
  });
  return { batcher, flushes, items: () => flushes.map((flush) => flush.items) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first item is flushed at once, and items that arrive during the flush form one batch', async () => {
  const { batcher, flushes, items } = createGated();
  const results = [1, 2, 3].map((item) => batcher.add(item));
  expect(items()).toEqual([[1]]);
  flushes[0]?.end();
  await turn();
  expect(items()).toEqual([[1], [2, 3]]);
  flushes[1]?.end();
  expect(await Promise.all(results)).toEqual(['done 1', 'done 2', 'done 3']);
  expect(batcher.pending).toBe(0);
});

test('a batch has at most maxBatch items', async () => {
  const { batcher, flushes, items } = createGated();
  const results = [0, 1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item));
  for (let n = 0; n < 4; n += 1) {
    flushes[n]?.end();
    await turn();
  }
  expect(items()).toEqual([[0], [1, 2, 3], [4, 5, 6], [7]]);
  expect(await Promise.all(results)).toHaveLength(8);
});

test('a concurrency of two has two flushes in flight', () => {
  const { batcher, items } = createGated({ concurrency: 2 });
  for (const item of [1, 2, 3]) void batcher.add(item);
  expect(items()).toEqual([[1], [2]]);
});

test('a flush that starts with the next turn takes the items of this turn', async () => {
  const { batcher, flushes, items } = createGated({ startsNextTurn: true, concurrency: 2 });
  const results = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  expect(items()).toEqual([]);
  await turn();
  expect(items()).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  results.push(batcher.add(6));
  for (const { end } of flushes) end();
  await turn();
  flushes[2]?.end();
  expect(await Promise.all(results)).toHaveLength(6);
  await turn();
  expect(batcher.pending).toBe(0);
});

test('a rest delays the next flush, not the results of the last', async () => {
  const rests: (() => void)[] = [];
  const pause = () => new Promise<void>((resolve) => rests.push(resolve));
  const { batcher, flushes, items } = createGated({ restMs: () => 1, pause });
  const first = batcher.add(1);
  flushes[0]?.end();
  expect(await first).toBe('done 1');
  const others = [2, 3].map((item) => batcher.add(item));
  await turn();
  expect(items()).toEqual([[1]]);
  rests[0]?.();
  await turn();
  expect(items()).toEqual([[1], [2, 3]]);
  flushes[1]?.end();
  await Promise.all(others);
});

test('an item whose result is an error fails alone', async () => {
  const batcher = createBatcher<number, number>({
    maxBatch: 10,
    maxPending: 10,
    flush: (items) => Promise.resolve(items.map((item) => (item % 2 ? item : new Error('even')))),
  });
  const settled = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a flush that throws fails only its own batch', async () => {
  const { batcher, flushes } = createGated();
  const first = batcher.add(1);
  const second = batcher.add(2);
  flushes[0]?.end(new Error('boom'));
  await expect(first).rejects.toThrow('boom');
  await turn();
  flushes[1]?.end();
  expect(await second).toBe('done 2');
});

test('an item without a result is rejected', async () => {
  const batcher = createBatcher<number, number>({
    maxBatch: 10,
    maxPending: 10,
    flush: () => Promise.resolve([]),
  });
  await expect(batcher.add(1)).rejects.toThrow('no result');
});

test('an item beyond maxPending is rejected, and later items are accepted again', async () => {
  const { batcher, flushes } = createGated({ maxPending: 2 });
  const first = batcher.add(1);
  const second = batcher.add(2);
  await expect(batcher.add(3)).rejects.toMatchObject({ code: 'overloaded', retryAfterMs: 1_000 });
  flushes[0]?.end();
  await first;
  await turn();
  const fourth = batcher.add(4);
  flushes[1]?.end();
  await second;
  await turn();
  flushes[2]?.end();
  expect(await fourth).toBe('done 4');
});

test('groups take turns, so a single item does not wait for a long group', async () => {
  const batches: string[][] = [];
  const gate: (() => void)[] = [];
  const batcher = createBatcher<string, true>({
    maxBatch: 4,
    maxPending: 100,
    groupOf: (item) => item.charAt(0),
    flush: async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => gate.push(resolve));
      return items.map(() => true);
    },
  });
  const items = ['a1', ...[2, 3, 4, 5, 6, 7].map((n) => `a${n}`), 'b1', 'b2', 'c1'];
  const results = items.map((item) => batcher.add(item));
  for (let n = 0; n < 4; n += 1) {
    gate[n]?.();
    await turn();
  }
  await Promise.all(results);
  expect(batches).toEqual([['a1'], ['a2', 'b1', 'c1', 'a3'], ['b2', 'a4', 'a5', 'a6'], ['a7']]);
});

test('pending items can be drained, and their callers get the given result', async () => {
  const { batcher, flushes, items } = createGated();
  const results = [1, 2, 3, 4].map((item) => batcher.add(item));
  expect(batcher.drainPending('withdrawn')).toEqual([2, 3, 4]);
  expect(batcher.pending).toBe(1);
  flushes[0]?.end();
  expect(await Promise.all(results)).toEqual(['done 1', 'withdrawn', 'withdrawn', 'withdrawn']);
  expect(items()).toEqual([[1]]);
});

test('an item that waits too long is rejected and never flushed, and frees its space', async () => {
  let nowMs = 0;
  const { batcher, flushes, items } = createGated({ maxWaitMs: 3_000, nowMs: () => nowMs });
  const first = batcher.add(1);
  const late = batcher.add(2);
  nowMs = 2_000;
  const inTime = batcher.add(3);
  nowMs = 4_000;
  flushes[0]?.end();
  await first;
  await expect(late).rejects.toMatchObject({ code: 'overloaded' });
  expect(items()).toEqual([[1], [3]]);
  flushes[1]?.end();
  expect(await inTime).toBe('done 3');
  await turn();
  expect(batcher.pending).toBe(0);
});

test('two flushes per group leave the third to other groups', async () => {
  const { batcher, flushes, items } = createGated({
    concurrency: 3,
    maxFlushesPerGroup: 2,
    groupOf: (item) => (item < 100 ? 'busy' : 'other'),
  });
  const results = [1, 2, 3, 4, 5, 100].map((item) => batcher.add(item));
  expect(items()).toEqual([[1], [2], [100]]);
  flushes[2]?.end();
  await turn();
  expect(items()).toHaveLength(3);
  flushes[0]?.end();
  await turn();
  expect(items()[3]).toEqual([3, 4, 5]);
  for (const { end } of flushes) end();
  expect(await Promise.all(results)).toHaveLength(6);
});

test('while several groups wait, a batch is small, or has one item of each group', async () => {
  const { batcher, flushes, items } = createGated({
    maxBatch: 6,
    maxMixedBatch: 3,
    groupOf: (item) => (item < 100 ? 'long' : `group ${item % 100}`),
  });
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 101, 102, 103, 104, 201];
  const results = numbers.map((item) => batcher.add(item));
  for (let n = 0; n < 4; n += 1) {
    flushes[n]?.end();
    await turn();
  }
  expect(items()).toEqual([[1], [2, 101, 102, 103, 104], [3, 201, 4], [5, 6, 7, 8, 9]]);
  flushes[4]?.end();
  expect(await Promise.all(results)).toHaveLength(14);
});

test('without a short line a batch is full', async () => {
  const { batcher, flushes, items } = createGated({
    maxBatch: 6,
    maxMixedBatch: 3,
    groupOf: (item) => (item < 100 ? 'long' : 'as long'),
  });
  const results = [1, 2, 3, 4, 101, 102, 103].map((item) => batcher.add(item));
  flushes[0]?.end();
  await turn();
  expect(items()).toEqual([[1], [2, 101, 3, 102, 4, 103]]);
  flushes[1]?.end();
  expect(await Promise.all(results)).toHaveLength(7);
});

test('with one flush per group, a busy group leaves the other flush to the rest', async () => {
  const { batcher, flushes, items } = createGated({
    concurrency: 2,
    maxFlushesPerGroup: 1,
    groupOf: (item) => (item < 100 ? 'busy' : `group ${item}`),
  });
  const results = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  expect(items()).toEqual([[1]]);
  results.push(batcher.add(100));
  expect(items()).toEqual([[1], [100]]);
  results.push(batcher.add(101));
  flushes[1]?.end();
  await turn();
  expect(items()).toEqual([[1], [100], [101]]);
  flushes[2]?.end();
  await turn();
  flushes[0]?.end();
  await turn();
  expect(items()).toEqual([[1], [100], [101], [2, 3, 4]]);
  flushes[3]?.end();
  await turn();
  flushes[4]?.end();
  expect(await Promise.all(results)).toHaveLength(7);
  expect([batcher.pending, items()]).toEqual([0, [[1], [100], [101], [2, 3, 4], [5]]]);
});
