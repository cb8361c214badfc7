import { startWriteBehind } from '../../../src/base/write-behind.ts';

type Count = { readonly key: string; count: number };

function collecting(write?: (entries: readonly Count[]) => Promise<void>, maxEntries = 10) {
  const written: (readonly Count[])[] = [];
  const failures: unknown[] = [];
  const buffer = startWriteBehind<Count>({
    write: write ?? (async (entries) => void written.push(entries)),
    onFailure: (error) => void failures.push(error),
    maxEntries,
    intervalMs: 60_000,
  });
  const add = (key: string): boolean => {
    const entry = buffer.entryOf(key, () => ({ key, count: 0 }));
    if (entry) entry.count += 1;
    return entry !== null;
  };
  return { ...buffer, add, written, failures };
}

test('counts of one key are written as one entry, and once', async () => {
  const { add, close, flush, written } = collecting();
  for (const key of ['a', 'b', 'a']) add(key);
  await flush();
  await close();
  expect(written).toEqual([
    [
      { key: 'a', count: 2 },
      { key: 'b', count: 1 },
    ],
  ]);
});

test('close writes the remaining entries', async () => {
  const { add, close, written } = collecting();
  add('a');
  await close();
  expect(written.flat()).toEqual([{ key: 'a', count: 1 }]);
});

test('a full buffer accepts no new key, still counts known keys, and has space again after a write', async () => {
  const { add, flush, close, written } = collecting(undefined, 1);
  expect(['a', 'b', 'a'].map(add)).toEqual([true, false, true]);
  await flush();
  expect(add('b')).toBe(true);
  await close();
  expect(written.flat()).toEqual([
    { key: 'a', count: 2 },
    { key: 'b', count: 1 },
  ]);
});

test('many entries are written in parts, and a failed part leaves the others for the next flush', async () => {
  const parts: string[][] = [];
  const buffer = startWriteBehind<string>({
    async write(entries) {
      parts.push([...entries]);
      if (parts.length === 2) throw new Error('away');
    },
    onFailure: () => {},
    maxEntries: 10,
    maxPerWrite: 2,
    intervalMs: 60_000,
  });
  for (const key of ['a', 'b', 'c', 'd', 'e']) buffer.entryOf(key, () => key);
  await buffer.flush();
  expect(parts).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  await buffer.close();
  expect(parts.slice(2)).toEqual([['e']]);
});

test.each([
  [1, 5_000],
  [2_000, 12_000],
  [50_000, 60_000],
])('after a flush of %i entries the next is in %i ms', async (count, waitMs) => {
  jest.useFakeTimers();
  const sizes: number[] = [];
  const buffer = startWriteBehind<number>({
    write: async (entries) => void sizes.push(entries.length),
    onFailure: () => {},
    maxEntries: 50_000,
    intervalMs: 5_000,
    maxIntervalMs: 60_000,
    random: () => 0.5,
  });
  const add = (entries: number) => {
    for (let key = 0; key < entries; key += 1) buffer.entryOf(String(key), () => key);
  };
  add(count);
  await jest.advanceTimersByTimeAsync(5_000);
  add(1);
  await jest.advanceTimersByTimeAsync(waitMs - 1);
  expect(sizes).toEqual([count]);
  await jest.advanceTimersByTimeAsync(1);
  expect(sizes).toEqual([count, 1]);
  await buffer.close();
  jest.useRealTimers();
});

test('writes do not overlap', async () => {
  let running = 0;
  let most = 0;
  const { add, flush, close } = collecting(async () => {
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  });
  const flushes = ['a', 'b', 'c'].map((key) => {
    add(key);
    return flush();
  });
  await Promise.all(flushes);
  await close();
  expect(most).toBe(1);
});

test('a failed write is reported and not repeated, and the next write happens', async () => {
  let writes = 0;
  const { add, flush, close, failures } = collecting(async () => {
    writes += 1;
    if (writes === 1) throw new Error('away');
  });
  add('a');
  await flush();
  await flush();
  expect([writes, failures.length]).toEqual([1, 1]);
  add('b');
  await close();
  expect([writes, failures.length]).toEqual([2, 1]);
});
