/** Batching of live items. */
import { createBatcher } from '../../../../web/src/screens/events/batcher.ts';

type Due = { readonly at: number; readonly work: () => void };

/** A clock that advances on request and runs due timers. */
function createClock() {
  let now = 0;
  let due: Due[] = [];
  return {
    now: () => now,
    after(ms: number, work: () => void) {
      const one = { at: now + ms, work };
      due.push(one);
      return () => {
        due = due.filter((other) => other !== one);
      };
    },
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        due = due.filter((other) => other !== next);
        now = next.at;
        next.work();
      }
      now = end;
    },
  };
}

function open(limit = 200) {
  const clock = createClock();
  const shown: { readonly at: number; readonly items: readonly number[] }[] = [];
  const onBatch = (items: readonly number[]) => shown.push({ at: clock.now(), items });
  return { clock, shown, ...createBatcher<number>({ limit, onBatch, clock }) };
}

test('a hundred items per second are shown once a second, without loss', () => {
  const { add, clock, shown } = open();
  for (let n = 0; n < 1_000; n += 1) {
    add(n);
    clock.pass(10);
  }
  clock.pass(2_000);
  expect(shown.length).toBeLessThanOrEqual(12);
  const gaps = shown.slice(1).map(({ at }, index) => at - (shown[index]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  expect(shown.flatMap(({ items }) => items)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
});

test('a single item is shown soon, also after a pause', () => {
  const { add, clock, shown } = open();
  add(1);
  clock.pass(60_000);
  add(2);
  clock.pass(60_000);
  expect(shown).toEqual([
    { at: 200, items: [1] },
    { at: 60_200, items: [2] },
  ]);
});

test('beyond the limit the newest items are shown', () => {
  const { add, clock, shown } = open(3);
  for (let n = 0; n < 10; n += 1) add(n);
  clock.pass(1_000);
  expect(shown.map(({ items }) => items)).toEqual([[7, 8, 9]]);
});

test('a stopped batcher emits nothing', () => {
  const { add, stop, clock, shown } = open();
  add(1);
  stop();
  clock.pass(5_000);
  expect(shown).toEqual([]);
});

test('after a query change, items of the old query are dropped', () => {
  const { add, stop, clock, shown } = open();
  add(1);
  clock.pass(500);
  add(2);
  stop();
  add(3);
  clock.pass(5_000);
  expect(shown.map(({ items }) => items)).toEqual([[1], [3]]);
});
