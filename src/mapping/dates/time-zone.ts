/**
 * Finds time zones and converts local times to instants.
 *
 * Intl takes 5 to 20 µs for an offset, longer than the rest of a mapping. Offsets are therefore cached by day, and by
 * quarter of an hour on the days with a clock change.
 */
import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';

export interface TimeZone {
  /** How far local time is ahead of UTC at an instant, in milliseconds. */
  offsetMs(utcMs: number): number;
}

const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;
// Names come from mapping documents and days from payloads. These bounds limit the caches.
const maxZones = 500;
const maxSpans = 1_000;
const maxOffsetMinutes = 14 * 60;

// Shared by the process, because the offsets are the same for every mapping. At most `maxZones` entries.
const zones = new Map<string, TimeZone | null>();

export const isTimeZone = (name: string): boolean => findTimeZone(name) !== null;

/** Finds a zone by its IANA name or offset (`-03:00`, `UTC-3`). Returns null when there is none. */
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
 * Returns the instant of a local time in milliseconds. `localMs` is the local time as if it were UTC. A time that the
 * clocks show twice is the earlier one. A time that they skip is moved forward by the length of the gap.
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
  const byDay = cacheOffsets(zone, dayMs);
  const byQuarter = cacheOffsets(zone, quarterMs);
  return {
    offsetMs: (utcMs) => byDay(utcMs) ?? byQuarter(utcMs) ?? exactOffsetMs(zone, utcMs),
  };
}

/** Returns a cached lookup of the offset of the span around an instant. The offset is null when the span has several. */
function cacheOffsets(zone: Zone, widthMs: number): (utcMs: number) => number | null {
  const known = new Map<number, number | null>();
  return (utcMs) => {
    const span = Math.floor(utcMs / widthMs);
    const cached = known.get(span);
    if (cached !== undefined) return cached;
    const first = exactOffsetMs(zone, span * widthMs);
    const last = exactOffsetMs(zone, (span + 1) * widthMs - 1);
    const offset = first === last ? first : null;
    if (known.size >= maxSpans) known.clear();
    known.set(span, offset);
    return offset;
  };
}
