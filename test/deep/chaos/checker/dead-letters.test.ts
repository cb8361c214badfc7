// Which causes of a dead event the checker accepts.
import { invariants, type Facts } from './invariants.ts';
import type { InjectedFault } from '../load/ledger.ts';
import type { ObservedEvent } from './observed-state.ts';

const second = (n: number) => new Date(n * 1_000).toISOString();

type Line = readonly [state: string, reason?: string];

const eventOf = (lines: readonly Line[]) =>
  ({
    id: 'event',
    payload: { text: 'word' },
    timeline: lines.map(([state, reason = null], index) => ({ at: second(index), state, reason })),
  }) as unknown as ObservedEvent;

const breaches = (lines: readonly Line[], faults: readonly InjectedFault[] = []) =>
  invariants['9 nothing is given up without cause']({
    seen: { events: [eventOf(lines)] },
    deadBeforeReplay: [],
    ledger: { faults },
  } as unknown as Facts).map(({ what }) => what);

const times = (n: number, ...lines: Line[]): Line[] =>
  Array.from({ length: n }, () => lines).flat();
const struck = (from: number, mayCostLease = true): InjectedFault => ({
  name: 'kill',
  from: from * 1_000 + 100,
  until: from * 1_000 + 200,
  mayCostLease,
});
const tried: Line[] = [['processing'], ['waiting', 'store_unavailable']];
const spent: Line = ['dead', 'attempts_spent:store_unavailable'];

test('an event may become dead only after its last attempt has failed', () => {
  expect(breaches([['received'], ...times(19, ...tried), ['processing'], spent])).toEqual([]);
  expect(breaches([['received'], ...times(18, ...tried), ['processing'], spent])).toEqual([
    'died of 19 attempts and may have 20',
  ]);
});

test('a lost attempt counts, and a replay restarts the count', () => {
  const lost: Line[] = [['processing'], ['received', 'lost']];
  const last: Line[] = [['processing'], spent];
  expect(breaches([['received'], ...lost, ...times(18, ...tried), ...last])).toEqual([]);
  expect(breaches([['received'], ...lost, ...times(17, ...tried), ...last])).toHaveLength(1);
  expect(
    breaches([['received'], ...tried, ['received', 'replayed'], ...times(18, ...tried), ...last]),
  ).toHaveLength(1);
});

test('of a timeline with a gap, only what begins after it is judged', () => {
  const before: Line[] = [['received'], ...times(25, ...tried)];
  const after: Line[] = [...times(78, ...tried), ['processing'], spent];
  expect(breaches([...before, ...after])).toEqual([]);
  expect(breaches([...before, ...after, ['received', 'replayed'], ['processing'], spent])).toEqual([
    'died of 1 attempts and may have 20',
  ]);
});

test('a dead letter that was replayed is checked too', () => {
  expect(breaches([['received'], ...tried, spent, ['received', 'replayed'], ['done']])).toEqual([
    'died of 1 attempts and may have 20',
  ]);
});

test('four crashes of workers justify a dead event, if a fault explains each', () => {
  const lost: Line[] = [['processing'], ['received', 'lost']];
  const crashed: Line[] = [['processing'], ['dead', 'crashed_worker']];
  const lines: Line[] = [['received'], ...times(3, ...lost), ...crashed];
  const four = [1, 3, 5, 7].map((from) => struck(from));
  expect(breaches(lines, four)).toEqual([]);
  expect(breaches(lines, four.slice(1))).toEqual([
    'died of 4 ends of workers, 3 of them by faults',
  ]);
  expect(breaches(lines, [...four.slice(1), struck(1, false)])).toHaveLength(1);
  expect(breaches(lines.toSpliced(1, 2), four)).toEqual([
    'died of 3 ends of workers, 3 of them by faults',
  ]);
});
