/**
 * Time zones: which there are, and the instant of a local time.
 *
 * Asking Intl for an offset takes 5 to 20 µs, longer than mapping the rest of a lead. So offsets are remembered by day,
 * where a day has one; in the two days a year that have two, by quarter of an hour.
 */
import { FixedOffsetZone, IANAZone } from 'luxon';
import type { Zone } from 'luxon';

export interface TimeZone {
  /** How far local time is ahead of UTC at an instant, in milliseconds. */
  offsetMs(utcMs: number): number;
}

const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;
// The names come from mapping documents and the days from payloads; these bound what both can fill.
const maxZones = 500;
const maxSpans = 1_000;
const maxOffsetMinutes = 14 * 60;

const zones = new Map<string, TimeZone | null>();

export const isTimeZone = (name: string): boolean => findTimeZone(name) !== null;

/** By IANA name, or by offset (`-03:00`, `UTC-3`); null when there is none. */
export function findTimeZone(name: string): TimeZone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  if (zones.size >= maxZones) zones.clear();
  const zone = findZone(name);
  const found = zone === null ? null : createTimeZone(zone);
  zones.set(name, found);
  return found;
}

/**
 * The instant of a local time, given as if it were UTC. A time that the clocks show twice is the earlier one, a time
 * that they skip is as much later as they skip; neither depends on today's date.
 */
export function toUtcMs(localMs: number, zone: TimeZone): number {
  const before = zone.offsetMs(localMs - dayMs);
  const after = zone.offsetMs(localMs + dayMs);
  const earlier = localMs - before;
  if (before === after || zone.offsetMs(earlier) === before) return earlier;
  const later = localMs - after;
  return zone.offsetMs(later) === after ? later : earlier;
}

function findZone(name: string): Zone | null {
  const offset = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(name);
  if (offset) {
    const [, sign, hours, minutes] = offset;
    const total = Number(hours) * 60 + Number(minutes ?? 0);
    return total <= maxOffsetMinutes
      ? FixedOffsetZone.instance(sign === '-' ? -total : total)
      : null;
  }
  if (/^(?:utc|gmt|z)$/i.test(name)) return FixedOffsetZone.utcInstance;
  return IANAZone.isValidZone(name) ? IANAZone.create(name) : null;
}

const exactOffsetMs = (zone: Zone, utcMs: number): number =>
  Math.round(zone.offset(utcMs) * 60_000);

function createTimeZone(zone: Zone): TimeZone {
  if (zone.isUniversal) {
    const fixed = exactOffsetMs(zone, 0);
    return { offsetMs: () => fixed };
  }
  const byDay = rememberSpans(zone, dayMs);
  const byQuarter = rememberSpans(zone, quarterMs);
  return {
    offsetMs: (utcMs) => byDay(utcMs) ?? byQuarter(utcMs) ?? exactOffsetMs(zone, utcMs),
  };
}

/** The offset of the span that an instant is in; null when the span has more than one. */
function rememberSpans(zone: Zone, widthMs: number): (utcMs: number) => number | null {
  const known = new Map<number, number | null>();
  return (utcMs) => {
    const span = Math.floor(utcMs / widthMs);
    const remembered = known.get(span);
    if (remembered !== undefined) return remembered;
    const first = exactOffsetMs(zone, span * widthMs);
    const last = exactOffsetMs(zone, (span + 1) * widthMs - 1);
    const offset = first === last ? first : null;
    if (known.size >= maxSpans) known.clear();
    known.set(span, offset);
    return offset;
  };
}
