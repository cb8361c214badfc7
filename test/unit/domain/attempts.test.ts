import { attemptsOf } from '../../../src/domain/events/attempts.ts';
import type { TimelineEntry } from '../../../src/domain/events/event.ts';

const at = (second: number) => new Date(second * 1_000);
const line = (
  second: number,
  state: TimelineEntry['state'],
  over: Partial<TimelineEntry> = {},
): TimelineEntry => ({ at: at(second), state, reason: null, ...over });
const attempt = { worker: null, reason: null, retryAt: null };

test('each claim is an attempt, with its worker and outcome', () => {
  const timeline = [
    line(0, 'received'),
    line(1, 'processing', { worker: 'a:1' }),
    line(2, 'waiting', { reason: 'store_unavailable', dueAt: at(9) }),
    line(9, 'processing', { worker: 'b:2' }),
    line(12, 'done'),
  ];
  expect(attemptsOf({ timeline })).toEqual([
    {
      startedAt: at(1),
      worker: 'a:1',
      endedAt: at(2),
      outcome: 'waiting',
      reason: 'store_unavailable',
      retryAt: at(9),
    },
    { ...attempt, startedAt: at(9), worker: 'b:2', endedAt: at(12), outcome: 'done' },
  ]);
});

test.each<[string, TimelineEntry[], string | null, Date | null]>([
  ['in progress', [], null, null],
  ['claimed again after its lease', [line(5, 'processing')], 'lost', null],
  [
    'without attempts left at the next claim',
    [line(5, 'dead', { reason: 'attempts_spent' })],
    'lost',
    null,
  ],
  [
    'isolated after crashing workers',
    [line(5, 'dead', { reason: 'crashed_worker' })],
    'lost',
    null,
  ],
  ['dead by its own outcome', [line(5, 'dead', { reason: 'attempts_spent:x' })], 'dead', at(5)],
  ['released', [line(5, 'received', { reason: 'released' })], 'released', at(5)],
  ['discarded by a user', [line(5, 'discarded')], 'discarded', at(5)],
])('an attempt that is %s', (...[, rest, outcome, endedAt]) => {
  const [first] = attemptsOf({ timeline: [line(1, 'processing'), ...rest] });
  expect([first?.outcome, first?.endedAt]).toEqual([outcome, endedAt]);
});

test('an attempt before the gap of a truncated timeline has no known end', () => {
  const timeline = Array.from({ length: 100 }, (_, n) => line(n, n % 2 ? 'processing' : 'waiting'));
  const found = attemptsOf({ timeline });
  expect(found[9]).toMatchObject({ startedAt: at(19), outcome: null });
  expect(found[8]).toMatchObject({ startedAt: at(17), outcome: 'waiting' });
});
