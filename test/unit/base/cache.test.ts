import { createCache } from '../../../src/base/concurrency/cache.ts';

type Value = { readonly n: number; readonly isGood: boolean };

function createCounted(over: { max?: number; ttlMs?: number; maxAgeMs?: number } = {}) {
  let nowMs = 1_000;
  let loads = 0;
  let load = (): Promise<Value> => Promise.resolve({ n: loads, isGood: true });
  const memo = createCache<Value>({
    max: 10,
    nowMs: () => nowMs,
    shouldCache: ({ isGood }) => isGood,
    load: () => {
      loads += 1;
      return load();
    },
    ...over,
  });
  return {
    memo,
    loads: () => loads,
    now: () => nowMs,
    later: (ms: number) => (nowMs += ms),
    answer: (next: () => Promise<Value>) => (load = next),
  };
}

test('a value is cached until its time to live ends', async () => {
  const { memo, loads, later } = createCounted({ ttlMs: 5_000 });
  await memo.get('a');
  later(5_000);
  await memo.get('a');
  expect(loads()).toBe(1);
  later(1);
  await memo.get('a');
  expect(loads()).toBe(2);
});

test('a confirmed value lives on, until its maximum age', async () => {
  const { memo, loads, later, now } = createCounted({ ttlMs: 5_000, maxAgeMs: 60_000 });
  await memo.get('a');
  for (let seconds = 4; seconds <= 60; seconds += 4) {
    later(4_000);
    await memo.get('a');
    memo.confirm(now());
  }
  expect(loads()).toBe(1);
  later(1);
  await memo.get('a');
  expect(loads()).toBe(2);
});

test('a value that expired before it was confirmed does not live again', async () => {
  const { memo, loads, later, now } = createCounted({ ttlMs: 5_000 });
  await memo.get('a');
  memo.confirm(now());
  later(5_001);
  // A poll that began before, and was answered late.
  memo.confirm(now() - 1);
  await memo.get('a');
  expect(loads()).toBe(1);
  later(5_001);
  await memo.get('b');
  memo.confirm(now());
  expect(memo.peek('a')).toBeUndefined();
  expect(memo.peek('b')).toBeDefined();
});

test('a cache is idle without values, without requests for ten seconds, and when all values have expired', async () => {
  const { memo, later, now } = createCounted({ ttlMs: 5_000 });
  expect(memo.isIdle()).toBe(true);
  await memo.get('a');
  expect(memo.isIdle()).toBe(false);
  later(5_000);
  memo.confirm(now());
  later(5_000);
  expect(memo.isIdle()).toBe(false);
  memo.confirm(now());
  later(1);
  expect(memo.isIdle()).toBe(true);
  await memo.get('a');
  expect(memo.isIdle()).toBe(false);
  later(5_001);
  expect(memo.isIdle()).toBe(true);
});

test('a value without time to live stays cached', async () => {
  const { memo, loads, later } = createCounted();
  await memo.get('a');
  later(1e12);
  await memo.get('a');
  expect(loads()).toBe(1);
});

test('concurrent calls for one key load it once', async () => {
  const { memo, loads } = createCounted();
  const values = await Promise.all([1, 2, 3].map(() => memo.get('a')));
  expect(new Set(values).size).toBe(1);
  expect(loads()).toBe(1);
});

test('a value that should not be cached is loaded every time', async () => {
  const { memo, loads, answer } = createCounted();
  answer(() => Promise.resolve({ n: 0, isGood: false }));
  await memo.get('a');
  await memo.get('a');
  expect(loads()).toBe(2);
});

test('a failure rejects all waiting calls and is not cached', async () => {
  const { memo, answer } = createCounted();
  answer(() => Promise.reject(new Error('away')));
  const both = await Promise.allSettled([memo.get('a'), memo.get('a')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  answer(() => Promise.resolve({ n: 7, isGood: true }));
  expect((await memo.get('a')).n).toBe(7);
});

test('invalidate removes only stale values', async () => {
  const { memo, loads } = createCounted();
  await memo.get('a');
  await memo.get('b');
  memo.invalidate(({ n }) => n === 1);
  await memo.get('b');
  expect(loads()).toBe(2);
  await memo.get('a');
  expect(loads()).toBe(3);
});

test('a load during invalidate is returned to its callers but not cached', async () => {
  const { memo, loads, answer } = createCounted();
  let end: (value: Value) => void = () => undefined;
  answer(() => new Promise((resolve) => (end = resolve)));
  const waiting = memo.get('a');
  memo.invalidate();
  end({ n: 1, isGood: true });
  expect((await waiting).n).toBe(1);
  answer(() => Promise.resolve({ n: 2, isGood: true }));
  expect((await memo.get('a')).n).toBe(2);
  expect(loads()).toBe(2);
});

test('the oldest value is evicted', async () => {
  const { memo, loads } = createCounted({ max: 2 });
  for (const key of ['a', 'b', 'c']) await memo.get(key);
  await memo.get('c');
  expect(loads()).toBe(3);
  await memo.get('a');
  expect(loads()).toBe(4);
});
