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
