/**
 * Reads the dates that senders write. A date without a zone is read in the given zone; without a given zone the result is
 * the problem `zone_unknown`. The result never depends on the current date.
 */
import { DateTime } from 'luxon';
import type { Scalar } from '../../domain/mappings/mapping.ts';
import { withoutInvisible } from '../../domain/people/visible-text.ts';
import { parseCompactDate, parseDateText, type DateText, type DateOrder } from './date-text.ts';
import { toUtcMs, findTimeZone } from './time-zone.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

export { isTimeZone } from './time-zone.ts';

type DateResult =
  | { iso: string }
  | { problem: 'invalid_date' | 'zone_unknown'; message: PublicText };

export type DateOptions = {
  /** IANA name or offset, for values without a zone. */
  zone?: string;
  /** Luxon tokens. Only this format is read when it is given. */
  format?: string;
  /** Whether 01/06/2026 is 1 June (`dmy`, the default) or 6 January. */
  order?: DateOrder;
};

const firstYear = 1970;
const lastYear = 2200;
// The longest accepted form is a JavaScript date with the name of its zone.
const maxTextLength = 100;
// Seconds up to the year 2286 have 10 digits, milliseconds since 1973 have 12 or more. Fewer than 9 are no timestamp. Of twelve
// digits, what can be a date is one: 202601061200 is no time in 1976.
const timestamp = /^\d{9,}(?:\.\d+)?$/;
const dotNet = /^\/Date\((\d{1,16})(?:[+-]\d{4})?\)\/$/;
const isoStart = /^\d{4}-?\d{2}-?\d{0,2}/;
const isoZone = /T.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
const rfc2822 = /^(?:[A-Za-z]{3},? )?\d{1,2} [A-Za-z]{3} \d{2,4} /;
// RFC 9557 and variants of it. An offset before the name takes precedence.
const zoneName = /^(.*\d[^[]*?) ?\[?([A-Z][A-Za-z]+\/[\w/+-]+)\]?$/;
// A name after the offset says nothing more: Java writes 2026-01-06T09:00:00Z[UTC].
const nameOfOffset = /(?<=Z|[+-]\d{2}:?\d{2})(?<!^\d{1,2}-\d{1,2}-\d{4})\[[\w/+-]{1,40}\]$/;
const zoneTokens = /[Zz]/;

/** Returns `value` as ISO 8601 in UTC with milliseconds, or a problem. Never throws. */
export function readDate(value: Scalar, { zone, format, order }: DateOptions = {}): DateResult {
  const given = String(value).trim();
  if (given.length > maxTextLength || typeof value === 'boolean') return invalid();
  if (isCanonical(given)) return { iso: given };
  const text = plainText(given);
  const [, bare = text, named = zone] =
    format === undefined && /[a-z]\//.test(text) ? (zoneName.exec(text) ?? []) : [];
  const read = format === undefined ? readText(bare, order ?? 'dmy') : readFormat(given, format);
  if (read === null) return invalid();
  if (read.offsetMs !== null) return finish(read.localMs - read.offsetMs);
  const timeZone = named === undefined ? null : findTimeZone(named);
  if (timeZone === null && named !== zone) return invalid();
  if (timeZone !== null) return finish(toUtcMs(read.localMs, timeZone));
  // A value that is not a date is an invalid date, not a date without a zone.
  const result = finish(read.localMs);
  return 'iso' in result ? unknownZone(given) : result;
}

/** Programs write a no-break space before AM, and direction marks around the parts. */
const plainText = (text: string): string =>
  withoutInvisible(text).replace(/\s/g, ' ').trim().replace(nameOfOffset, '');

function readText(text: string, order: DateOrder): DateText | null {
  const compact = parseCompactDate(text);
  if (compact !== null) return compact;
  if (timestamp.test(text)) return instant(timestampMs(Number(text)));
  const dotNetMs = dotNet.exec(text)?.[1];
  if (dotNetMs !== undefined) return instant(Number(dotNetMs));
  const read = parseDateText(text, order);
  if (read !== null) return read;
  if (rfc2822.test(text)) return fromLuxon(DateTime.fromRFC2822(text), { isZoned: true });
  return isoStart.test(text) && /^[^[]*[-T][^[]*$/.test(text) ? readIso(text) : null;
}

/** Reads the rarer forms of ISO 8601: ordinal days, hours alone, no separators, midnight as 24:00. */
function readIso(given: string): DateText | null {
  const text = given.replace(/ +(?=[+-]\d{2}:?\d{2}$)/, '').replace(' ', 'T');
  return fromLuxon(DateTime.fromISO(text, { zone: 'utc' }), { isZoned: isoZone.test(text) });
}

function readFormat(text: string, format: string): DateText | null {
  const zoned = zoneTokens.test(format.replace(/'[^']*'/g, ''));
  return fromLuxon(DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' }), {
    isZoned: zoned,
  });
}

const instant = (ms: number): DateText => ({ localMs: ms, offsetMs: 0 });

const fromLuxon = (read: DateTime, { isZoned }: { readonly isZoned: boolean }): DateText | null =>
  read.isValid ? { localMs: read.toMillis(), offsetMs: isZoned ? 0 : null } : null;

/** Converts seconds, milliseconds, microseconds or nanoseconds by their size. Each covers the years 1973 to 5138. */
function timestampMs(given: number): number {
  if (given < 1e11) return Math.round(given * 1_000);
  if (given < 1e14) return Math.round(given);
  return Math.floor(given / (given < 1e17 ? 1e3 : 1e6));
}

const invalid = (): DateResult => ({
  problem: 'invalid_date',
  message: 'problem.invalid_date',
});

const unknownZone = (text: string): DateResult => ({
  problem: 'zone_unknown',
  message: textWith('problem.zone_unknown', { date: text }),
});

/** Whether the text already is the result of `readDate`, which is then not read again. */
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
