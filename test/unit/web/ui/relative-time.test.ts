import { relativeTimeOf } from '../../../../web/src/ui/data/relative-time.ts';

/** Local times, as a person reads them. */
const now = new Date(2026, 10, 22, 9, 0, 0);

test.each([
  [
    '47.9 hours ahead are two days, not tomorrow',
    new Date(2026, 10, 24, 8, 54),
    { value: 2, unit: 'day' },
  ],
  [
    'the evening of the next day is tomorrow',
    new Date(2026, 10, 23, 23, 0),
    { value: 1, unit: 'day' },
  ],
  ['23 hours ahead are hours', new Date(2026, 10, 23, 8, 0), { value: 23, unit: 'hour' }],
  [
    'Friday noon is two days ago on Sunday morning',
    new Date(2026, 10, 20, 12, 0),
    { value: -2, unit: 'day' },
  ],
  ['24 hours ago is yesterday', new Date(2026, 10, 21, 9, 0), { value: -1, unit: 'day' }],
  ['59 minutes', new Date(2026, 10, 22, 8, 1), { value: -59, unit: 'minute' }],
  ['a moment', now, { value: 0, unit: 'second' }],
  ['weeks are days', new Date(2026, 11, 20, 9, 0), { value: 28, unit: 'day' }],
  ['months', new Date(2027, 1, 22, 9, 0), { value: 3, unit: 'month' }],
  ['years', new Date(2028, 11, 22, 9, 0), { value: 2, unit: 'year' }],
])('%s', (_name, at, expected) => {
  expect(relativeTimeOf(at, now)).toEqual(expected);
});

test('a day is a date of the calendar, also when clocks change', () => {
  const before = new Date(2026, 2, 28, 12, 0);
  const after = new Date(2026, 2, 30, 11, 0);
  expect(relativeTimeOf(after, before)).toEqual({ value: 2, unit: 'day' });
});
