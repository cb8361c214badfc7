import { asLive, attemptsOf, fullTimeline } from '../../../src/domain/events/attempts.ts';
import type { TimelineEntry } from '../../../src/domain/events/event.ts';

const at = (second: number) => new Date(second * 1_000);
const line = (
  second: number,
  state: TimelineEntry['state'],
  over: Partial<TimelineEntry> = {},
): TimelineEntry => ({ at: at(second), state, reason: null, ...over });
/** The line of an outcome, with the start of its attempt. */
const ended = (
  [from, until]: readonly [number, number],
  state: TimelineEntry['state'],
  over: Partial<TimelineEntry> = {},
) => line(until, state, { startedAt: at(from), worker: 'a:1', ...over });

const timeline = [
  line(0, 'received'),
  ended([1, 2], 'waiting', { reason: 'store_unavailable', dueAt: at(9) }),
  ended([9, 12], 'done', { worker: 'b:2' }),
];

test('each outcome is an attempt, with its start and worker', () => {
  const second = { startedAt: at(9), worker: 'b:2', endedAt: at(12), outcome: 'done' };
  expect(attemptsOf({ timeline })).toEqual([
    {
      startedAt: at(1),
      worker: 'a:1',
      endedAt: at(2),
      outcome: 'waiting',
      reason: 'store_unavailable',
      retryAt: at(9),
    },
    { ...second, reason: null, retryAt: null },
  ]);
});

test.each<[string, TimelineEntry, string | null, Date | null]>([
  ['in progress', line(1, 'processing', { worker: 'a:1' }), null, null],
  ['whose set expired', ended([1, 5], 'received', { reason: 'lost' }), 'lost', null],
  [
    'whose set expired, without attempts left',
    ended([1, 5], 'dead', { reason: 'attempts_spent' }),
    'lost',
    null,
  ],
  [
    'isolated after crashing workers',
    ended([1, 5], 'dead', { reason: 'crashed_worker' }),
    'lost',
    null,
  ],
  ['dead by its own outcome', ended([1, 5], 'dead', { reason: 'attempts_spent:x' }), 'dead', at(5)],
])('an attempt that is %s', (...[, only, outcome, endedAt]) => {
  const found = attemptsOf({ timeline: [line(0, 'received'), only] });
  expect(found).toMatchObject([{ startedAt: at(1), worker: 'a:1', outcome, endedAt }]);
});

test('changes by people, and the release of a held event, are no attempts', () => {
  const states = ['received', 'held', 'received', 'discarded', 'dead'] as const;
  expect(attemptsOf({ timeline: states.map((state, n) => line(n, state)) })).toEqual([]);
});

test('the full timeline has a line for the start of each attempt, and no field of it besides', () => {
  const full = fullTimeline({ timeline });
  expect(full.map(({ at: when, state }) => [+when / 1_000, state])).toEqual([
    [0, 'received'],
    [1, 'processing'],
    [2, 'waiting'],
    [9, 'processing'],
    [12, 'done'],
  ]);
  for (const entry of full) expect(entry).not.toHaveProperty('startedAt');
});

test('only an open event that a live set has is shown as processing, with a line of its start', () => {
  const live = [{ eventIds: ['e1'], worker: 'a:1', takenAt: at(1) }];
  const waiting = { _id: 'e1', open: true as const, state: 'waiting' as const, timeline };
  const processing = line(1, 'processing', { worker: 'a:1' });
  expect(asLive(waiting, live)).toEqual({
    ...waiting,
    state: 'processing',
    timeline: [...timeline, processing],
  });
  const { open: _open, ...closed } = waiting;
  for (const other of [{ ...waiting, _id: 'e2' }, closed]) expect(asLive(other, live)).toBe(other);
});
