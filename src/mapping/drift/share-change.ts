/**
 * Finds when a share of events changed, comparing the newest events with all earlier ones.
 *
 * Promises: a lasting change is found even when it has lasted longer than the time before it; a change that is over is not
 * found; a few events are not enough.
 */
import { seenTypes, type DriftBucket, type SeenType } from '../../domain/mappings/drift.ts';

/** One period of time: the number of events, and how many of them are counted. */
type SharePoint = { readonly at: Date; readonly total: number; readonly hits: number };
/** Newest first. */
export type ShareSeries = readonly SharePoint[];

export type ShareChange = {
  readonly since: Date;
  readonly before: number;
  readonly after: number;
  /** The number of events since. */
  readonly events: number;
};

/** The fewest earlier events, and the fewest newest events, that a change is found in. */
const minEarlierEvents = 20;
const minNewestEvents = 10;
/** The share of the earlier events from which on a value is usual. */
const usualShare = 0.8;
/** A share below this part of the former share is a drop. */
const rareFactor = 0.5;
/** The share of the newest events from which on a value that was never there is new. */
const newShare = 0.5;

/** Returns when a usual value disappeared (`after` is 0) or became rare; null when it did not. */
export function findDrop(points: ShareSeries): ShareChange | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share >= usualShare * rareFactor) return null;
  const last = series.findIndex(({ hits }) => hits > 0);
  return (newest.share === 0 && dropAt(series, last)) || largestDrop(series, newest.length);
}

/** Returns when a value that was never there became frequent; null when it did not. */
export function findRise(points: ShareSeries): ShareChange | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share < newShare) return null;
  const first = series.findLastIndex(({ hits }) => hits > 0);
  const change = split(series, first + 1);
  return change && change.earlier >= minEarlierEvents ? change : null;
}

/** Returns the fewest newest points with enough events, and their share. */
function newestOf(series: ShareSeries): { length: number; share: number } | null {
  let total = 0;
  let hits = 0;
  for (const [index, point] of series.entries()) {
    total += point.total;
    hits += point.hits;
    if (total >= minNewestEvents) return { length: index + 1, share: hits / total };
  }
  return null;
}

function largestDrop(series: ShareSeries, minLength: number): ShareChange | null {
  let best: ShareChange | null = null;
  for (let length = minLength; length < series.length; length += 1) {
    const change = dropAt(series, length);
    if (change && (!best || change.before - change.after > best.before - best.after)) best = change;
  }
  return best;
}

function dropAt(series: ShareSeries, length: number): ShareChange | null {
  const change = split(series, length);
  if (change === null || change.earlier < minEarlierEvents || change.before < usualShare)
    return null;
  return change.after < change.before * rareFactor ? change : null;
}

function split(series: ShareSeries, length: number): (ShareChange & { earlier: number }) | null {
  const oldest = series[length - 1];
  if (oldest === undefined) return null;
  const newer = sum(series.slice(0, length));
  const older = sum(series.slice(length));
  return {
    since: oldest.at,
    before: older.total === 0 ? 0 : older.hits / older.total,
    after: newer.hits / newer.total,
    events: newer.total,
    earlier: older.total,
  };
}

function sum(series: ShareSeries): { total: number; hits: number } {
  let total = 0;
  let hits = 0;
  for (const point of series) {
    total += point.total;
    hits += point.hits;
  }
  return { total, hits };
}

/** How often a path was seen in some buckets. */
export type PathCounts = { present: number; types: Map<SeenType, number>; lastSeenAt: Date };

/** Returns the number of events in a bucket that the filter did not ignore. */
export const mappedEvents = ({ events, ignored }: DriftBucket): number => events - ignored;

export function countPaths(buckets: readonly DriftBucket[]): Map<string, PathCounts> {
  const counts = new Map<string, PathCounts>();
  for (const { paths } of buckets) {
    for (const [path, { present, types, lastSeenAt }] of paths) {
      const sum = counts.get(path) ?? { present: 0, types: new Map(), lastSeenAt };
      sum.present += present;
      if (lastSeenAt > sum.lastSeenAt) sum.lastSeenAt = lastSeenAt;
      for (const type of seenTypes) {
        if (types[type]) sum.types.set(type, (sum.types.get(type) ?? 0) + types[type]);
      }
      counts.set(path, sum);
    }
  }
  return counts;
}
