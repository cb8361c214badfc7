import fc from 'fast-check';
import { isTimeZone, readDate } from '../../../../src/mapping/dates/read-date.ts';
import { cpuMs } from '../../../support/fixtures/cpu-ms.ts';

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
  ['1767700800010999', '2026-01-06T12:00:00.010Z'],
  ['1767700800010999888', '2026-01-06T12:00:00.010Z'],
  ['/Date(1767700800000)/', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T09:00:00-03:00[America/Sao_Paulo]', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T09:00:00[America/Sao_Paulo]', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06 07:00 America/New_York', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06 12:00:00.000 +0000 UTC', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T12:00Z', '2026-01-06T12:00:00.000Z'],
  ['2026-01-06T09:00:00.5-03', '2026-01-06T12:00:00.500Z'],
  ['20260106T120000Z', '2026-01-06T12:00:00.000Z'],
  ['2026-006T12:00:00Z', '2026-01-06T12:00:00.000Z'],
  ['2026-01-05T24:00:00Z', '2026-01-06T00:00:00.000Z'],
  ['06/01/2026 09:00 -03:00', '2026-01-06T12:00:00.000Z'],
  ['06/01/2026 09:00 GMT-3', '2026-01-06T12:00:00.000Z'],
  ['Tue Jan 06 2026 09:00:00 GMT-0300 (Brasilia Standard Time)', '2026-01-06T12:00:00.000Z'],
  ['Tue, 06 Jan 26 07:00:00 EST', '2026-01-06T12:00:00.000Z'],
  ['Tuesday, January 6, 2026 12:00 PM UTC', '2026-01-06T12:00:00.000Z'],
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
  ['2026/01/06 09:00', '2026-01-06T12:00:00.000Z'],
  ['06-01-2026 09:00', '2026-01-06T12:00:00.000Z'],
  ['06.01.2026', '2026-01-06T03:00:00.000Z'],
  ['06/01/2026 9:00 PM', '2026-01-07T00:00:00.000Z'],
  ['06/01/2026 12:05 a.m.', '2026-01-06T03:05:00.000Z'],
  ['06/01/2026 às 09h00', '2026-01-06T12:00:00.000Z'],
  ['06/01/2026 - 9h', '2026-01-06T12:00:00.000Z'],
  ['6 de janeiro de 2026', '2026-01-06T03:00:00.000Z'],
  ['1º de março de 2026 às 9h30', '2026-03-01T12:30:00.000Z'],
  ['terça-feira, 6 de Janeiro de 2026 09:00', '2026-01-06T12:00:00.000Z'],
  ['6 de septiembre de 2026 a las 9:00', '2026-09-06T12:00:00.000Z'],
  ['martes, 6 de enero del 2026', '2026-01-06T03:00:00.000Z'],
  ['6 ene 2026', '2026-01-06T03:00:00.000Z'],
  ['06-Jan-2026 09:00', '2026-01-06T12:00:00.000Z'],
  ['January 6th, 2026 9:00 AM', '2026-01-06T12:00:00.000Z'],
  ['Mar. 6, 2026', '2026-03-06T03:00:00.000Z'],
  ['mar., 6 ene 2026', '2026-01-06T03:00:00.000Z'],
  ['Mar 6, 2026', '2026-03-06T03:00:00.000Z'],
  ['2026-01', '2026-01-01T03:00:00.000Z'],
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
  '06/13/2026',
  '6/1/26',
  '06/01/20260',
  '06/01/2026 25:00',
  '06/01/2026 13:00 PM',
  '06/01/2026 09:60',
  '06/01/2026 09:00 +15:00',
  '06/01/2026 09:00 later',
  '2026-01-06 -0300',
  '6 de marketing de 2026',
  '30 de fevereiro de 2026',
  'Marketing 5, 2026',
  '1-2-3',
  '2026-01-06T09:00:00[America/Nowhere]',
  '2026-01-06T09:00:00[',
  '2026-006T12:00:00[+03:00]',
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

test('the mapping sets the order of day and month', () => {
  const read = (text: string) => readDate(text, { zone, order: 'mdy' });
  expect(read('01/13/2026 09:00')).toEqual({ iso: '2026-01-13T12:00:00.000Z' });
  expect(read('2026-01-06')).toEqual({ iso: '2026-01-06T03:00:00.000Z' });
  expect(read('13/01/2026')).toMatchObject({ problem: 'invalid_date' });
});

test('never throws, takes bounded time and does not depend on the current date', () => {
  const pieces = fc.constantFrom(
    ...'0 1 2026 06 12 - / . : T Z + , de jan March pm ( GMT h'.split(' '),
    ' ',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 30 }).map((each) => each.join('')),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('dmy', 'mdy'), (text, order) => {
      const read = readDate(text, { zone, order });
      expect('iso' in read ? Date.parse(read.iso) : read.problem).not.toBeNaN();
    }),
  );
  const started = cpuMs();
  for (const piece of ['1', ' ', 'a', ' de ', '(', '-'])
    for (let i = 0; i < 1_000; i += 1) readDate(`1 ${piece.repeat(98)}`.slice(0, 100), { zone });
  expect(cpuMs() - started).toBeLessThan(2_000);
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
])('the zone %j is known: %s', (name, known) => expect(isTimeZone(name)).toBe(known));
