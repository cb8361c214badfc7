import { retryAfterMsOf } from '../../../src/channels/http/retry-after.ts';

const now = new Date('2026-01-06T12:00:00Z');

test.each([
  ['seconds', '120', 120_000],
  ['zero seconds', '0', 0],
  ['seconds with blanks', ' 7 ', 7_000],
  ['a date', 'Tue, 06 Jan 2026 12:01:30 GMT', 90_000],
  ['a date in the past', 'Tue, 06 Jan 2026 11:00:00 GMT', 0],
  ['nothing', undefined, undefined],
  ['an empty text', '', undefined],
  ['a negative number', '-5', undefined],
  ['a fraction', '1.5', undefined],
  ['a date in another form', '2026-01-06T12:01:30Z', undefined],
  ['no date at all', 'Xyz, never GMT', undefined],
])('%s: %s', (_what, value, expected) => {
  expect(retryAfterMsOf(value, now)).toBe(expected);
});
