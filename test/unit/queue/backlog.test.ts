import { createBacklog } from '../../../src/queue/backlog.ts';

test('a priority is one more than what was offered of that webhook before', () => {
  const backlog = createBacklog(() => 0);
  expect([1, 100, 1].map((events) => backlog.add('a', events))).toEqual([1, 2, 102]);
  expect(backlog.add('b', 1)).toBe(1);
});

test('it falls with age, by half in ten seconds', () => {
  let nowMs = 0;
  const backlog = createBacklog(() => nowMs);
  backlog.add('a', 1_000);
  nowMs = 10_000;
  expect(backlog.add('a', 0)).toBe(501);
  nowMs = 200_000;
  expect(backlog.add('a', 0)).toBe(1);
});

test('it never exceeds what the queue takes', () => {
  const backlog = createBacklog(() => 0);
  backlog.add('a', 5_000_000);
  expect(backlog.add('a', 1)).toBe(2_097_151);
});
