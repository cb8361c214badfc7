import { relativeTimeOf } from '../../../../web/src/ui/data/relative-time.ts';

/** Local times, as a person reads them. */
const now = new Date(2026, 10, 22, 9, 0, 0);

test.each([
  ['47.9 hours ahead are two days, not tomorrow', new Date(2026, 10, 24, 8, 54), 2, 'day'],
  ['the evening of the next day is tomorrow', new Date(2026, 10, 23, 23, 0), 1, 'day'],
  ['23 hours ahead are hours', new Date(2026, 10, 23, 8, 0), 23, 'hour'],
  ['Friday noon is two days ago on Sunday morning', new Date(2026, 10, 20, 12, 0), -2, 'day'],
  ['24 hours ago is yesterday', new Date(2026, 10, 21, 9, 0), -1, 'day'],
  ['59 minutes', new Date(2026, 10, 22, 8, 1), -59, 'minute'],
  ['a moment', now, 0, 'second'],
  ['weeks are days', new Date(2026, 11, 20, 9, 0), 28, 'day'],
  ['months', new Date(2027, 1, 22, 9, 0), 3, 'month'],
  ['years', new Date(2028, 11, 22, 9, 0), 2, 'year'],
])('%s', (_name, at, value, unit) => {
  expect(relativeTimeOf(at, now)).toEqual({ value, unit });
});

test('a day is a date of the calendar, also when clocks change', () => {
  const before = new Date(2026, 2, 28, 12, 0);
  const after = new Date(2026, 2, 30, 11, 0);
  expect(relativeTimeOf(after, before)).toEqual({ value: 2, unit: 'day' });
});
