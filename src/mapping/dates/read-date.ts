/**
 * Reads the dates that producers send. What says its own zone is read by it; what does not is read in the given zone,
 * and never in a guessed one: without any it is `zone_unknown`. The result never depends on today's date.
 */
import { DateTime } from 'luxon';
import type { Scalar } from '../../domain/mappings/mapping.ts';
import { parseDateText } from './date-text.ts';
import type { DateText, DateOrder } from './date-text.ts';
import { toUtcMs, findTimeZone } from './time-zone.ts';

export { isTimeZone } from './time-zone.ts';

export type DateResult =
  { iso: string } | { problem: 'invalid_date' | 'zone_unknown'; message: string };

export type DateOptions = {
  /** IANA name or offset, for values that do not say theirs. */
  zone?: string;
  /** In the tokens of Luxon; only this is read then. */
  format?: string;
  /** Whether 01/06/2026 is in June (the default) or in January. */
  order?: DateOrder;
};

const firstYear = 1970;
const lastYear = 2200;
// The longest form is a JavaScript date with the name of its zone; what follows is no date.
const maxTextLength = 100;
// Seconds up to the year 2286 have 10 digits, milliseconds since 1973 have 12 or more. Fewer than 9 are no timestamp.
const timestamp = /^\d{9,}(?:\.\d+)?$/;
const dotNet = /^\/Date\((\d{1,16})(?:[+-]\d{4})?\)\/$/;
const isoStart = /^\d{4}-?\d{2}-?\d{0,2}/;
const isoZone = /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const rfc2822 = /^(?:[A-Za-z]{3},? )?\d{1,2} [A-Za-z]{3} \d{2,4} /;
// RFC 9557, and what people write after it. An offset before the name is the truth.
const zoneName = /^(.*\d[^[]*?) ?\[?([A-Z][A-Za-z]+\/[A-Za-z_/+-]+)\]?$/;
const zoneTokens = /[Zz]/;

/** `value` as ISO 8601 in UTC with milliseconds. */
export function readDate(value: Scalar, { zone, format, order }: DateOptions = {}): DateResult {
  const text = String(value).trim();
  if (text.length > maxTextLength || typeof value === 'boolean') return invalid();
  if (isCanonical(text)) return { iso: text };
  const [, bare = text, named = zone] =
    format === undefined && /[a-z]\//.test(text) ? (zoneName.exec(text) ?? []) : [];
  const read = format === undefined ? readText(bare, order ?? 'dmy') : readFormat(text, format);
  if (read === null) return invalid();
  if (read.offsetMs !== null) return finish(read.localMs - read.offsetMs);
  const place = named === undefined ? null : findTimeZone(named);
  if (place === null && named !== zone) return invalid();
  if (place !== null) return finish(toUtcMs(read.localMs, place));
  // It has to be a date before its zone is missed.
  const result = finish(read.localMs);
  return 'iso' in result ? unknownZone(text) : result;
}

function readText(text: string, order: DateOrder): DateText | null {
  if (timestamp.test(text)) return instant(timestampMs(Number(text)));
  const dotNetMs = dotNet.exec(text)?.[1];
  if (dotNetMs !== undefined) return instant(Number(dotNetMs));
  const read = parseDateText(text, order);
  if (read !== null) return read;
  if (rfc2822.test(text)) return fromLuxon(DateTime.fromRFC2822(text), true);
  return isoStart.test(text) && /^[^[]*[-T][^[]*$/.test(text) ? readIso(text) : null;
}

/** The rarer forms of ISO 8601: ordinal days, hours alone, no separators, midnight as 24:00. */
function readIso(given: string): DateText | null {
  const text = given.replace(/ +(?=[+-]\d{2}:?\d{2}$)/, '').replace(' ', 'T');
  return fromLuxon(DateTime.fromISO(text, { zone: 'utc' }), isoZone.test(text));
}

function readFormat(text: string, format: string): DateText | null {
  const zoned = zoneTokens.test(format.replace(/'[^']*'/g, ''));
  return fromLuxon(DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' }), zoned);
}

const instant = (ms: number): DateText => ({ localMs: ms, offsetMs: 0 });

const fromLuxon = (read: DateTime, zoned: boolean): DateText | null =>
  read.isValid ? { localMs: read.toMillis(), offsetMs: zoned ? 0 : null } : null;

/** Seconds, milliseconds, microseconds or nanoseconds, by their size: each covers 1973 to 5138. */
function timestampMs(given: number): number {
  if (given < 1e11) return Math.round(given * 1_000);
  if (given < 1e14) return Math.round(given);
  return Math.floor(given / (given < 1e17 ? 1e3 : 1e6));
}

const invalid = (): DateResult => ({
  problem: 'invalid_date',
  message: 'The value is not a date that can be read.',
});

const unknownZone = (text: string): DateResult => ({
  problem: 'zone_unknown',
  message: `The date does not say its time zone: ${text}`,
});

/** What a date transform has already made, recognised without the cost of reading it again. */
function isCanonical(text: string): boolean {
  if (text.length !== 24 || !text.endsWith('Z')) return false;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return false;
  const date = new Date(time);
  return isInRange(date.getUTCFullYear()) && date.toISOString() === text;
}

const isInRange = (year: number): boolean => year >= firstYear && year <= lastYear;

function finish(utcMs: number): DateResult {
  const date = new Date(utcMs);
  return isInRange(date.getUTCFullYear()) ? { iso: date.toISOString() } : invalid();
}
