import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { toUtcMs, findTimeZone } from '../../../../src/mapping/dates/time-zone.ts';
import type { TimeZone } from '../../../../src/mapping/dates/time-zone.ts';

const zoneNamed = (name: string): TimeZone => {
  const zone = findTimeZone(name);
  if (zone === null) throw new Error(`no zone ${name}`);
  return zone;
};

const dayMs = 86_400_000;
const names = [
  'America/Sao_Paulo',
  'America/New_York',
  'America/Mexico_City',
  'America/Santiago',
  'Europe/Lisbon',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Antarctica/Troll',
];

const instants = fc.integer({ min: 0, max: Date.UTC(2040, 0) });

test.each(names)('%s: every offset is the same as in Luxon', (name) => {
  const [zone, luxon] = [zoneNamed(name), IANAZone.create(name)];
  fc.assert(
    fc.property(instants, (utcMs) => {
      expect(zone.offsetMs(utcMs)).toBe(Math.round(luxon.offset(utcMs) * 60_000));
    }),
  );
});

/** The changes of offset of a zone from 2016 to 2026, to the minute. */
function transitionsOf(name: string): number[] {
  const luxon = IANAZone.create(name);
  const found: number[] = [];
  for (let day = Date.UTC(2016, 0); day < Date.UTC(2027, 0); day += dayMs) {
    if (luxon.offset(day) === luxon.offset(day + dayMs)) continue;
    let [low, high] = [day, day + dayMs];
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 120_000) * 60_000;
      if (luxon.offset(middle) === luxon.offset(low)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
}

test.each(['America/Sao_Paulo', 'America/New_York', 'Europe/Lisbon', 'Australia/Lord_Howe'])(
  '%s: around each clock change, a local time is the earlier of the instants that show it',
  (name) => {
    const zone = zoneNamed(name);
    const transitions = transitionsOf(name);
    expect(transitions.length).toBeGreaterThanOrEqual(4);
    for (const transition of transitions) {
      for (let minute = -180; minute <= 180; minute += 15) {
        const utcMs = transition + minute * 60_000;
        const localMs = utcMs + zone.offsetMs(utcMs);
        const read = toUtcMs(localMs, zone);
        expect(read + zone.offsetMs(read)).toBe(localMs);
        expect(read).toBeLessThanOrEqual(utcMs);
        expect(utcMs - read).toBeLessThanOrEqual(3_600_000);
      }
    }
  },
);

test('local times that only one instant shows are the same as in Luxon', () => {
  const times = fc.record({
    name: fc.constantFrom(...names),
    localMs: fc.integer({ min: dayMs, max: Date.UTC(2040, 0) }),
  });
  fc.assert(
    fc.property(times, ({ name, localMs }) => {
      const zone = zoneNamed(name);
      const read = toUtcMs(localMs, zone);
      const luxon = DateTime.fromMillis(localMs, { zone: 'utc' })
        .setZone(name, { keepLocalTime: true })
        .toMillis();
      const shows = (utcMs: number) => utcMs + zone.offsetMs(utcMs) === localMs;
      // Of two instants, Luxon chooses by the current offset.
      if (shows(read)) expect(shows(luxon) && read <= luxon).toBe(true);
      else expect(read).toBe(luxon);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  // The clocks went from 00:00 to 01:00 on 2018-11-04, and from 00:00 back to 23:00 on 2019-02-17.
  ['a time that was skipped', '2018-11-04T00:30', '2018-11-04T03:30:00.000Z'],
  ['a time that came twice', '2019-02-16T23:30', '2019-02-17T01:30:00.000Z'],
  ['before that', '2019-02-16T22:59', '2019-02-17T00:59:00.000Z'],
  ['after that', '2019-02-17T00:00', '2019-02-17T03:00:00.000Z'],
])('%s', (_, local, iso) => {
  const read = toUtcMs(Date.parse(`${local}Z`), zoneNamed('America/Sao_Paulo'));
  expect(new Date(read).toISOString()).toBe(iso);
});

test('a day that a zone skipped is read as the next day', () => {
  const read = toUtcMs(Date.UTC(2011, 11, 30, 12), zoneNamed('Pacific/Apia'));
  expect(new Date(read).toISOString()).toBe('2011-12-30T22:00:00.000Z');
});
