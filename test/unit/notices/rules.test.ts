// The rules of notices as tables: quiet hours, what a target is sent, and when a condition needs a person.
import { effectiveRules } from '../../../src/domain/notices/rules.ts';
import { changeFor, isReminderDue, listNotices } from '../../../src/domain/notices/group.ts';
import { maxEntries, type NoticeRecord } from '../../../src/domain/notices/notice.ts';
import { chanceOfSilence, learnRhythm } from '../../../src/domain/notices/rhythm.ts';
import { isQuiet, isZone, type TargetRecord } from '../../../src/domain/notices/target.ts';
import {
  backlogLate,
  deadRising,
  destinationsFailing,
  keysEnding,
  levelOf,
  rejectionsRising,
  sendersSilent,
} from '../../../src/notices/conditions.ts';

const at = (text: string) => new Date(text);
const rulesOf = () => effectiveRules();

describe('quiet hours', () => {
  const night = { zone: 'America/Sao_Paulo', from: '22:00', to: '07:00' };
  test.each([
    ['2026-01-06T00:59:00Z', false],
    ['2026-01-06T01:00:00Z', true],
    ['2026-01-06T09:59:00Z', true],
    ['2026-01-06T10:00:00Z', false],
  ])('over midnight in their zone: %s', (time, expected) => {
    expect(isQuiet(night, at(time))).toBe(expected);
  });
  test.each([
    [{ zone: 'UTC', from: '12:00', to: '13:00' }, '2026-01-06T12:30:00Z', true],
    [{ zone: 'UTC', from: '12:00', to: '13:00' }, '2026-01-06T13:00:00Z', false],
    [{ zone: 'UTC', from: '12:00', to: '12:00' }, '2026-01-06T12:00:00Z', false],
    [{ zone: 'UTC', from: '22:00', to: '07:00', weekend: true }, '2026-01-10T12:00:00Z', true],
    [{ zone: 'UTC', from: '22:00', to: '07:00' }, '2026-01-10T12:00:00Z', false],
    [null, '2026-01-06T03:00:00Z', false],
  ])('%j at %s', (hours, time, expected) => {
    expect(isQuiet(hours, at(time))).toBe(expected);
  });
  test.each([
    ['America/Sao_Paulo', true],
    ['UTC', true],
    ['Mars/Base', false],
  ])('the zone %s exists: %s', (zone, expected) => {
    expect(isZone(zone)).toBe(expected);
  });
});

describe('what a target is sent', () => {
  const notice = (over: Partial<NoticeRecord>) =>
    ({ state: 'open', openedTurn: 5, changedTurn: 5, ...over }) as NoticeRecord;
  test.each([
    ['a new target, an open notice', null, {}, 'opened'],
    ['a new target, a resolved notice', null, { state: 'resolved' }, null],
    ['nothing new', 5, {}, null],
    ['opened since', 4, {}, 'opened'],
    ['changed since', 5, { changedTurn: 6 }, 'changed'],
    ['opened and changed since', 4, { changedTurn: 6 }, 'opened'],
    ['resolved since', 5, { state: 'resolved', changedTurn: 7 }, 'resolved'],
    ['opened and resolved since', 4, { state: 'resolved', changedTurn: 7 }, 'resolved'],
  ] as const)('%s', (...[, sentTurn, over, expected]) => {
    expect(changeFor({ sentTurn }, notice(over))).toBe(expected);
  });

  const target = (reminderHours: number | null, sentAt: string | null) =>
    ({ reminderHours, sentAt: sentAt && at(sentAt) }) as unknown as TargetRecord;
  test.each([
    [24, '2026-01-05T12:00:00Z', true],
    [24, '2026-01-05T12:00:01Z', false],
    [null, '2026-01-01T00:00:00Z', false],
    [24, null, false],
  ])('a reminder after %s hours, sent at %s: %s', (hours, sentAt, expected) => {
    expect(isReminderDue(target(hours, sentAt), at('2026-01-06T12:00:00Z'))).toBe(expected);
  });

  test('many notices are listed up to a bound, new ones first', () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      notice: notice({ openedAt: new Date(n) }),
      change: n === 49 ? ('opened' as const) : ('resolved' as const),
    }));
    const { listed, more } = listNotices(many, 70);
    expect([listed.length, more, listed[0]?.change]).toEqual([maxEntries, 50, 'opened']);
  });
});

describe('rules', () => {
  test('a webhook wins over the installation, setting by setting', () => {
    const rules = effectiveRules(
      { dead_rising: { count: 5 }, first_dead: { enabled: false } },
      { dead_rising: { enabled: false } },
    );
    expect(rules.dead_rising).toEqual({ enabled: false, count: 5 });
    expect(rules.first_dead).toEqual({ enabled: false });
    expect(rules.backlog_late).toEqual({ enabled: true, minutes: 5 });
  });

  test.each([
    [10, 10, 0],
    [99, 10, 0],
    [100, 10, 1],
    [1_000, 10, 2],
  ])('%i against %i is level %i', (count, threshold, level) => {
    expect(levelOf(count, threshold)).toBe(level);
  });

  test('dead letters rise from the threshold on', () => {
    const counts = (dead: number) => [{ webhookId: 'w', received: 100, dead }];
    expect(deadRising(counts(9), rulesOf)).toEqual([]);
    expect(deadRising(counts(10), rulesOf)).toMatchObject([{ level: 0, facts: { count: 10 } }]);
  });

  test.each([
    [19, 0, 0],
    [20, 0, 1],
    [20, 180, 1],
    [20, 181, 0],
  ])('%i rejections beside %i accepted requests: %i notices', (count, received, expected) => {
    const found = rejectionsRising(
      [{ webhookId: 'w', count }],
      [{ webhookId: 'w', received, dead: 0 }],
      rulesOf,
    );
    expect(found).toHaveLength(expected);
  });

  const ending = {
    _id: 'k',
    webhookId: 'w',
    expiresAt: at('2026-01-07T12:00:00Z'),
    uses: 0,
    usesBefore: 0,
  };
  test.each([
    [
      'used since the rotation',
      { hasSuccessor: true, uses: 8, usesBefore: 7 },
      '2026-01-06T12:00:00Z',
      1,
    ],
    ['not used since', { hasSuccessor: true, uses: 7, usesBefore: 7 }, '2026-01-06T12:00:00Z', 0],
    ['the only key', { hasSuccessor: false }, '2026-01-06T12:00:00Z', 1],
    ['not yet', { hasSuccessor: false }, '2026-01-06T11:59:00Z', 0],
    ['ended', { hasSuccessor: false }, '2026-01-07T12:00:00Z', 0],
  ])('a key that ends: %s', (...[, over, time, expected]) => {
    expect(keysEnding([{ ...ending, ...over }], rulesOf, at(time))).toHaveLength(expected);
  });

  test.each([
    [null, 0],
    ['2026-01-06T11:56:00Z', 0],
    ['2026-01-06T11:55:00Z', 1],
  ])('the oldest event is due since %s: %i notices', (since, expected) => {
    const now = at('2026-01-06T12:00:00Z');
    expect(backlogLate(since === null ? null : at(since), rulesOf(), now)).toHaveLength(expected);
  });
});

describe('a destination that fails', () => {
  const since = at('2026-01-06T11:00:00Z');
  const health = { _id: 'c', failures: 20, since, lastAt: since, reason: 'r' };
  const failing = { ...health, failingSince: at('2026-01-06T11:10:00Z') };
  const channel = { _id: 'c', name: 'Mail', enabled: true, deletedAt: null };
  test.each([
    ['failures, not failing yet', health, channel, []],
    ['failing', failing, channel, [1]],
    ['failing, disabled by a person', failing, { ...channel, enabled: false }, []],
    [
      'disabled for its failures',
      { ...failing, offAt: since },
      { ...channel, enabled: false },
      [10],
    ],
    ['failing, of an earlier release', failing, { _id: 'c', name: 'Mail', enabled: true }, [1]],
    ['deleted', failing, { ...channel, deletedAt: since }, []],
  ])('%s', (...[, given, of, levels]) => {
    const found = destinationsFailing([given], [of]);
    expect(found.map(({ level }) => level)).toEqual(levels);
    for (const { subject, facts } of found)
      expect([subject, facts]).toEqual(['c', { name: 'Mail', since: failing.failingSince }]);
  });
});

describe('a silent sender', () => {
  const hourMs = 3_600_000;
  const weekMs = 168 * hourMs;
  /** Monday to Friday, 12:00 to 21:00 UTC, for some weeks before a Friday at 20:30. */
  const lastAt = at('2026-01-09T20:30:00Z');
  function officeHours(weeks: number): Date[] {
    const from = +lastAt - weeks * weekMs;
    const hours: Date[] = [];
    for (let time = from; time <= +lastAt; time += hourMs) {
      const date = new Date(Math.floor(time / hourMs) * hourMs);
      const isDay = date.getUTCDay() >= 1 && date.getUTCDay() <= 5;
      if (isDay && date.getUTCHours() >= 12 && date.getUTCHours() < 21) hours.push(date);
    }
    return hours;
  }
  const silentAt = (weeks: number, now: string, observedSince = at('2025-01-01T00:00:00Z')) => {
    const rhythm = learnRhythm({ hours: officeHours(weeks), lastAt });
    const senders = [{ webhookId: 'w', rhythm, lastAt }];
    return sendersSilent(senders, { rulesOf, observedSince, at: at(now) }).length;
  };

  test.each([
    ['in the evening', '2026-01-09T23:30:00Z', 0],
    ['in the night', '2026-01-10T05:00:00Z', 0],
    ['at the weekend', '2026-01-11T23:00:00Z', 0],
    ['on Monday after five working hours', '2026-01-12T17:30:00Z', 0],
    ['on Monday after six working hours', '2026-01-12T18:30:00Z', 1],
    ['a week later', '2026-01-16T18:00:00Z', 1],
  ])('%s, with four weeks of office hours', (_name, now, expected) => {
    expect(silentAt(4, now)).toBe(expected);
  });

  test('needs more hours the less is known, and nothing is known in the first week', () => {
    expect(silentAt(1, '2026-01-12T20:30:00Z')).toBe(0);
    expect(silentAt(1, '2026-01-13T20:30:00Z')).toBe(1);
    expect(silentAt(0.5, '2026-01-30T12:00:00Z')).toBe(0);
  });

  test('is not silent while the installation itself did not observe', () => {
    expect(silentAt(4, '2026-01-12T18:30:00Z', at('2026-01-12T15:00:00Z'))).toBe(0);
    expect(silentAt(4, '2026-01-13T12:30:00Z', at('2026-01-12T15:00:00Z'))).toBe(0);
    expect(silentAt(4, '2026-01-13T14:30:00Z', at('2026-01-12T15:00:00Z'))).toBe(1);
  });

  test('that sends once a day at any hour is silent only after more than a week', () => {
    const daily = Array.from({ length: 35 }, (_, day) => {
      const hour = (day * 7) % 24;
      return new Date(+lastAt - day * 24 * hourMs - hour * hourMs);
    });
    const rhythm = learnRhythm({ hours: daily, lastAt });
    const chance = (days: number) =>
      chanceOfSilence(rhythm, { since: lastAt, now: new Date(+lastAt + days * 24 * hourMs) });
    expect(chance(3)).toBeGreaterThan(0.01);
    expect(chance(12)).toBeLessThan(1 / 10_000);
  });

  test('has a rhythm of bounded size, whatever the hours', () => {
    const { hits, weeks } = learnRhythm({ hours: officeHours(12), lastAt });
    expect([hits.length, weeks, Math.max(...hits)]).toEqual([168, 4, 4]);
  });
});
