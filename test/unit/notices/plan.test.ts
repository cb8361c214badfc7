// What becomes of notices, turn by turn, with a clock that the test sets.
import type { Condition, NoticeRecord } from '../../../src/domain/notices/notice.ts';
import {
  clearAfterMs,
  maxChanges,
  planNotices,
  type Finding,
} from '../../../src/domain/notices/plan.ts';

const start = new Date('2026-01-06T12:00:00Z');
const after = (ms: number) => new Date(+start + ms);
const always = () => true;

const dead = (over: Partial<Condition> = {}): Condition => ({
  kind: 'dead_rising',
  webhookId: 'w',
  subject: '',
  level: 0,
  facts: { count: 10 },
  ...over,
});

const finding = (...conditions: Condition[]): Finding => ({
  kind: 'dead_rising',
  conditions,
  covers: always,
});

type Step = { findings?: readonly Finding[]; at?: Date; turn: number; isOn?: () => boolean };

/** Applies a turn to the notices and returns the changes and all notices. */
function step(
  all: readonly NoticeRecord[],
  { findings = [finding()], at = start, turn, isOn = always }: Step,
) {
  const open = all.filter(({ state }) => state === 'open');
  const changed = planNotices({ open, findings, isOn, at, turn });
  const ids = new Set(changed.map(({ _id }) => _id));
  return { changed, all: [...all.filter(({ _id }) => !ids.has(_id)), ...changed] };
}

test('a condition opens one notice, which stays unchanged while it is found', () => {
  const first = step([], { findings: [finding(dead(), dead())], turn: 1 });
  expect(first.changed).toMatchObject([{ state: 'open', openedTurn: 1, changedTurn: 1 }]);
  const second = step(first.all, { findings: [finding(dead())], turn: 2 });
  expect(second.changed).toEqual([]);
});

test('a higher level is a change, a lower one is not', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const worse = step(first.all, { findings: [finding(dead({ level: 1 }))], turn: 2 });
  expect(worse.changed).toMatchObject([{ openedTurn: 1, changedTurn: 2, level: 1 }]);
  const better = step(worse.all, { findings: [finding(dead({ level: 0 }))], turn: 3 });
  expect(better.changed).toEqual([]);
});

test('a notice is resolved when its condition was absent for the clearing time', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const absent = step(first.all, { at: after(60_000), turn: 2 });
  expect(absent.changed).toMatchObject([{ state: 'open', changedTurn: 1 }]);
  expect(step(absent.all, { at: after(120_000), turn: 3 }).changed).toEqual([]);
  const over = step(absent.all, { at: after(60_000 + clearAfterMs), turn: 4 });
  expect(over.changed).toMatchObject([{ state: 'resolved', changedTurn: 4 }]);
  expect(over.changed[0]?.expiresAt).toBeInstanceOf(Date);
});

test('a condition that is back within the clearing time stays the same notice', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const absent = step(first.all, { at: after(60_000), turn: 2 });
  const back = step(absent.all, { findings: [finding(dead())], at: after(120_000), turn: 3 });
  expect(back.changed).toMatchObject([{ state: 'open', changedTurn: 1, absentSince: null }]);
});

test('a condition that is back after its notice was resolved opens it again', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const absent = step(first.all, { at: after(60_000), turn: 2 });
  const over = step(absent.all, { at: after(60_000 + clearAfterMs), turn: 3 });
  const again = step(over.all, { findings: [finding(dead())], at: after(3_600_000), turn: 4 });
  expect(again.changed).toMatchObject([{ state: 'open', openedTurn: 4, resolvedAt: null }]);
  expect(again.changed[0]).not.toHaveProperty('expiresAt');
  expect(again.all).toHaveLength(1);
});

test('what an evaluation did not cover stays as it is', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const partial = [{ kind: 'dead_rising', conditions: [], covers: () => false } as const];
  expect(step(first.all, { findings: partial, turn: 2 }).changed).toEqual([]);
  expect(step(first.all, { findings: [], turn: 2 }).changed).toEqual([]);
});

test('a rule that is turned off ends its notices without a change that is sent', () => {
  const first = step([], { findings: [finding(dead())], turn: 1 });
  const off = step(first.all, { findings: [finding(dead())], turn: 2, isOn: () => false });
  expect(off.changed).toMatchObject([{ state: 'resolved', changedTurn: 1 }]);
  expect(step([], { findings: [finding(dead())], turn: 1, isOn: () => false }).changed).toEqual([]);
});

test('a flood is planned in turns, until every notice is open', () => {
  const flood = Array.from({ length: maxChanges + 10 }, (_, n) => dead({ webhookId: `w${n}` }));
  const first = step([], { findings: [finding(...flood)], turn: 1 });
  expect(first.changed).toHaveLength(maxChanges);
  const second = step(first.all, { findings: [finding(...flood)], turn: 2 });
  expect(second.changed).toHaveLength(10);
  expect(step(second.all, { findings: [finding(...flood)], turn: 3 }).changed).toEqual([]);
});
