import { isZone, readDate } from '../../../src/mapping/date.ts';

const zone = 'America/Sao_Paulo';

test.each([
  ['2026-01-06T12:00:00.000Z', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T12:00:00Z', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T12:00:00.000000Z', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T12:00:00.501306836Z', '2026-01-06T12:00:00.501Z'],
  ['2026-01-06T12:00:00+0000', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T12:00:01+00:00', '2026-01-06T12:00:01.000Z'],
  ['2026-01-06T09:00:00-03:00', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T09:00:00.000-03:00', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06 09:00:00 -0300', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06 12:00:00 UTC', '2026-01-06T12:00:00.000Z'],
  ['Tue, 06 Jan 2026 09:00:00 -0300', '2026-01-06T12:00:00.000Z'],
  ['Tue, 06 Jan 2026 12:00:00 GMT', '2026-01-06T12:00:00.000Z'],
  ['6 Jan 2026 12:00:00 +0000', '2026-01-06T12:00:00.000Z'],
  [1767700800, '2026-01-06T12:00:00.000Z'],
  ['1767700800', '2026-01-06T12:00:00.000Z'],
  [1767700800.5, '2026-01-06T12:00:00.500Z'],
  [1767700800123, '2026-01-06T12:00:00.123Z'],
  ['1767700800010', '2026-01-06T12:00:00.010Z'],
])('%s says its zone: %s', (value, iso) => {
  expect(readDate(value)).toEqual({ iso });
  expect(readDate(value, { zone })).toEqual({ iso });
});

test.each([
  ['2026-01-06 09:00:00', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T09:00:00.395000', '2026-01-06T12:00:00.395Z'],
  ['06/01/2026 09:00:00', '2026-01-06T12:00:00.000Z'],
  ['06/01/2026 09:00', '2026-01-06T12:00:00.000Z'],
  ['06/01/2026, 09:00', '2026-01-06T12:00:00.000Z'],
  ['6/1/2026', '2026-01-06T03:00:00.000Z'],
  ['2026-01-06', '2026-01-06T03:00:00.000Z'],
])('%s is read in the given zone, and never in a guessed one', (text, iso) => {
  expect(readDate(text, { zone })).toEqual({ iso });
  expect(readDate(text)).toEqual({
    problem: 'zone_unknown',
    message: `The date does not say its time zone: ${text}`,
  });
});

test.each([
  '',
  'yesterday',
  'true',
  '2026-02-30T12:00:00.000Z',
  '2026-13-01',
  '31/02/2026',
  '13/13/2026 10:00',
  '01/01/1969',
  '2201-01-01T00:00:00Z',
  '1960-01-01T00:00:00.000Z',
  '20260106',
  '99999999999999999999',
  '12',
  'x'.repeat(100_000),
])('%j is no date', (text) => {
  expect(readDate(text, { zone })).toMatchObject({ problem: 'invalid_date' });
});

test.each([
  ['06-01-2026 09h00', "dd-MM-yyyy HH'h'mm", { iso: '2026-01-06T12:00:00.000Z' }],
  ['Jan 6, 2026 12:00 +00:00', 'LLL d, yyyy HH:mm ZZ', { iso: '2026-01-06T12:00:00.000Z' }],
])('%s in the format %s', (text, format, expected) => {
  expect(readDate(text, { zone, format })).toEqual(expected);
});

test('a format without a zone needs one', () => {
  expect(readDate('06-01-2026', { format: 'dd-MM-yyyy' })).toMatchObject({
    problem: 'zone_unknown',
  });
  expect(readDate('06/2026', { format: 'dd-MM-yyyy' })).toMatchObject({ problem: 'invalid_date' });
});

test.each([
  ['America/Sao_Paulo', true],
  ['UTC', true],
  ['-03:00', true],
  ['UTC-3', true],
  ['local', false],
  ['system', false],
  ['America/Nowhere', false],
  ['+99', false],
  ['', false],
])('the zone %j is known: %s', (name, known) => expect(isZone(name)).toBe(known));
