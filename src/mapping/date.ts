/**
 * Reads the dates that producers send. What says its own zone is read by it; what does not is read in the given zone,
 * and never in a guessed one: without any it is `zone_unknown`.
 */
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
import type { Zone } from 'luxon';
import type { Scalar } from '../domain/mapping.ts';

export type DateRead =
  { iso: string } | { problem: 'invalid_date' | 'zone_unknown'; message: string };

const firstYear = 1970;
const lastYear = 2200;
// The longest form is RFC 2822 with a zone comment; what follows is no date.
const maxTextLength = 64;
// Seconds up to the year 2286 have 10 digits, milliseconds since 1973 have 12 or more. Fewer than 9 are no timestamp.
const timestamp = /^\d{9,}(?:\.\d+)?$/;
const isoStart = /^\d{4}-\d{2}/;
const isoZone = /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const rfc2822 = /^(?:[A-Za-z]{3},? )?\d{1,2} [A-Za-z]{3} \d{2,4} /;
const zoneTokens = /[Zz]/;

export const isZone = (name: string): boolean => zoneOf(name) !== null;

// Looking up a zone takes 0.2 ms. The names come from mapping documents, so there are few; the bound is for the rest.
const knownZones = new Map<string, Zone | null>();
const maxKnownZones = 1_000;

/** `value` as ISO 8601 in UTC with milliseconds. */
export function readDate(
  value: Scalar,
  { zone, format }: { zone?: string; format?: string } = {},
): DateRead {
  const text = String(value).trim();
  if (text.length > maxTextLength || typeof value === 'boolean') return invalid();
  if (isCanonical(text)) return { iso: text };
  const place = zone === undefined ? null : zoneOf(zone);
  if (format !== undefined) return readFormat(text, format, place);
  if (timestamp.test(text)) return readTimestamp(Number(text));
  if (isoStart.test(text)) return readIso(text, place);
  if (rfc2822.test(text)) return finish(DateTime.fromRFC2822(text));
  const parts = slashed.exec(text);
  return parts === null ? invalid() : readSlashed(text, parts.slice(1), place);
}

const invalid = (): DateRead => ({
  problem: 'invalid_date',
  message: 'The value is not a date that can be read.',
});

const unknownZone = (text: string): DateRead => ({
  problem: 'zone_unknown',
  message: `The date does not say its time zone: ${text}`,
});

/** What a date transform has already made, recognised without the cost of reading it again. */
function isCanonical(text: string): boolean {
  if (text.length !== 24 || !text.endsWith('Z')) return false;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return false;
  const date = new Date(time);
  return date.toISOString() === text && isInRange(date.getUTCFullYear());
}

const isInRange = (year: number): boolean => year >= firstYear && year <= lastYear;

function zoneOf(name: string): Zone | null {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  if (knownZones.size >= maxKnownZones) knownZones.clear();
  const zone = findZone(name);
  knownZones.set(name, zone);
  return zone;
}

function findZone(name: string): Zone | null {
  const offset = /^(?:utc)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name);
  if (offset) {
    const [, sign, hours, minutes] = offset;
    const total = Number(hours) * 60 + Number(minutes ?? 0);
    return total <= 14 * 60 ? FixedOffsetZone.instance(sign === '-' ? -total : total) : null;
  }
  if (/^(?:utc|gmt|z)$/i.test(name)) return FixedOffsetZone.utcInstance;
  return IANAZone.isValidZone(name) ? IANAZone.create(name) : null;
}

function readTimestamp(given: number): DateRead {
  const time = Math.round(given < 1e11 ? given * 1000 : given);
  return finish(DateTime.fromMillis(Math.min(time, 8.64e15), { zone: 'utc' }));
}

function readIso(given: string, place: Zone | null): DateRead {
  const text = given
    .replace(/^(\d{4}-\d{2}-\d{2}) +(?=\d)/, '$1T')
    .replace(/ *(?:UTC|GMT)$/, 'Z')
    .replace(/ +(?=[+-]\d{2}:?\d{2}$)/, '');
  if (isoZone.test(text)) return finish(DateTime.fromISO(text, { setZone: true }));
  const read = DateTime.fromISO(text, { zone: place ?? 'utc' });
  return inPlace(read, given, place);
}

function readSlashed(
  given: string,
  [day, month, year, hour, minute, second]: (string | undefined)[],
  place: Zone | null,
): DateRead {
  const parts = {
    day: Number(day),
    month: Number(month),
    year: Number(year),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  };
  return inPlace(DateTime.fromObject(parts, { zone: place ?? 'utc' }), given, place);
}

function readFormat(given: string, format: string, place: Zone | null): DateRead {
  const zoned = zoneTokens.test(format.replace(/'[^']*'/g, ''));
  const read = DateTime.fromFormat(given, format, { zone: place ?? 'utc', locale: 'en' });
  return zoned ? finish(read) : inPlace(read, given, place);
}

/** A date without a zone of its own: it has to be a date before its zone is missed. */
function inPlace(read: DateTime, given: string, place: Zone | null): DateRead {
  const result = finish(read);
  return 'iso' in result && place === null ? unknownZone(given) : result;
}

function finish(read: DateTime): DateRead {
  const utc = read.toUTC();
  const iso = utc.isValid && isInRange(utc.year) ? utc.toISO() : null;
  return iso === null ? invalid() : { iso };
}
