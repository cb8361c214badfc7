import { createBacklog } from '../../../src/queue/backlog.ts';

test('fifty events are a backlog, and the priority falls with each one more', () => {
  const backlog = createBacklog(() => 0);
  const given = [49, 1, 100, 1].map((events) => backlog.priorityFor('a', events));
  expect(given).toEqual([1, 1, 2, 102]);
  expect(backlog.priorityFor('b', 1)).toBe(1);
});

test('the backlog halves in ten seconds', () => {
  let nowMs = 0;
  const backlog = createBacklog(() => nowMs);
  backlog.priorityFor('a', 1_000);
  nowMs = 10_000;
  expect(backlog.priorityFor('a', 0)).toBe(452);
  nowMs = 200_000;
  expect(backlog.priorityFor('a', 0)).toBe(1);
});

test('the priority never exceeds the limit of BullMQ', () => {
  const backlog = createBacklog(() => 0);
  backlog.priorityFor('a', 5_000_000);
  expect(backlog.priorityFor('a', 1)).toBe(2_097_151);
});
