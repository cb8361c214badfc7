/** Synchronous work is ended at its deadline. */
import { createDeadline, DeadlineExceeded } from '../../../../src/base/process/deadline.ts';

const runWithDeadline = createDeadline(200);

test('returns what the work returns, and throws what it throws', () => {
  expect(runWithDeadline(() => 7)).toBe(7);
  const error = new Error('of the work');
  expect(() =>
    runWithDeadline(() => {
      throw error;
    }),
  ).toThrow(error);
});

test.each<[string, () => unknown]>([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a pattern that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
  [
    'a sort that never ends',
    () =>
      [1, 2].sort(() => {
        for (;;);
      }),
  ],
])('%s is ended, and later work runs', (_name, work) => {
  expect(() => runWithDeadline(work)).toThrow(DeadlineExceeded);
  expect(runWithDeadline(() => 'later')).toBe('later');
});

/** Takes longer than the deadline and no processor, as work of a process that is held up does. */
function holdUp(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

test('work in which the process was held up is run once more', () => {
  let runs = 0;
  const work = (times: number) => () => {
    runs += 1;
    if (runs <= times) holdUp();
    return 'done';
  };
  expect(runWithDeadline(work(1))).toBe('done');
  expect(runs).toBe(2);
  runs = 0;
  expect(() => runWithDeadline(work(2))).toThrow(DeadlineExceeded);
  expect(runs).toBe(2);
});
