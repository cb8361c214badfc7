import { createBatcher } from '../../../../src/base/concurrency/batcher.ts';
import { createFairShare } from '../../../../src/base/concurrency/fair-share.ts';

/** Adds one at a time until no more fits; returns how many. */
function fill(shares: ReturnType<typeof createFairShare>, group: string): number {
  let held = 0;
  for (; shares.fits(group, 1); held += 1) shares.add(group, 1);
  return held;
}

test('a single group gets half, the next ones get less, and room is left for another', () => {
  const shares = createFairShare(120);
  expect(['a', 'b', 'c'].map((group) => fill(shares, group))).toEqual([60, 30, 15]);
  expect(shares.fits('d', 1)).toBe(true);
  expect(shares.used).toBe(105);
});

test('groups that begin together get equal parts', () => {
  const shares = createFairShare(120);
  const held = { a: 0, b: 0 };
  for (let n = 0; n < 120; n += 1) {
    for (const group of ['a', 'b'] as const) {
      if (!shares.fits(group, 1)) continue;
      shares.add(group, 1);
      held[group] += 1;
    }
  }
  expect(held).toEqual({ a: 40, b: 40 });
});

test('a group that holds nothing may take all that is free, and what is given back is free again', () => {
  const shares = createFairShare(100);
  expect([shares.fits('a', 101), shares.fits('a', 100)]).toEqual([false, true]);
  shares.add('a', 100);
  expect(shares.fits('b', 1)).toBe(false);
  shares.add('a', -100);
  expect([shares.used, fill(shares, 'b')]).toEqual([0, 50]);
});

test('a batcher with shares rejects the items of a group beyond its share, in flight ones included', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const batcher = createBatcher<string, string>({
    maxBatch: 2,
    maxPending: 8,
    isShared: true,
    groupOf: (item) => item[0] ?? '',
    flush: (items) => ended.then(() => items),
  });
  const codeOf = ({ code }: { code: string }) => code;
  const added = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((item) => batcher.add(item).catch(codeOf));
  expect(batcher.pending).toBe(5);
  end();
  expect(await Promise.all(added)).toEqual(['a1', 'a2', 'a3', 'a4', 'overloaded', 'b1']);
  expect(await Promise.all(['a6', 'a7'].map((item) => batcher.add(item)))).toEqual(['a6', 'a7']);
});
