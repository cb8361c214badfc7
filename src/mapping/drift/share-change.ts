/**
 * When a share changed: of the newest events, held against all the earlier ones.
 *
 * Promises: a change that lasts is still seen when it has lasted for longer than what was before; one that is over is
 * no longer seen; a handful of events says nothing.
 */

/** A stretch of time: how many events there were, and how many of them had it. */
export type SharePoint = { readonly at: Date; readonly total: number; readonly hits: number };
/** Newest first. */
export type ShareSeries = readonly SharePoint[];

export type ShareChange = {
  readonly since: Date;
  readonly before: number;
  readonly after: number;
  /** Events since. */
  readonly events: number;
};

/** So many earlier events are needed to know what is usual, and so many of the newest to know that it is no longer. */
export const minEarlierEvents = 20;
export const minNewestEvents = 10;
/** What is there in this share of events is expected in the next. */
export const usualShare = 0.8;
/** What is there in less than this part of its former share is rare. */
export const rareFactor = 0.5;
/** What was never there and is now in this share of events is new. */
export const newShare = 0.5;

/** What was usual and is gone (`after` 0), or much rarer; null where nothing of the kind happened. */
export function findDrop(points: ShareSeries): ShareChange | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share >= usualShare * rareFactor) return null;
  const last = series.findIndex(({ hits }) => hits > 0);
  return (newest.share === 0 && judge(series, last)) || sharpest(series, newest.length);
}

/** What was never there and now often is. */
export function findRise(points: ShareSeries): ShareChange | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share < newShare) return null;
  const first = series.findLastIndex(({ hits }) => hits > 0);
  const change = split(series, first + 1);
  return change && change.earlier >= minEarlierEvents ? change : null;
}

/** The fewest newest points that have enough events. */
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

function sharpest(series: ShareSeries, shortest: number): ShareChange | null {
  let best: ShareChange | null = null;
  for (let length = shortest; length < series.length; length += 1) {
    const change = judge(series, length);
    if (change && (!best || change.before - change.after > best.before - best.after)) best = change;
  }
  return best;
}

function judge(series: ShareSeries, length: number): ShareChange | null {
  const change = split(series, length);
  if (change === null || change.earlier < minEarlierEvents || change.before < usualShare)
    return null;
  return change.after < change.before * rareFactor ? change : null;
}

function split(series: ShareSeries, length: number): (ShareChange & { earlier: number }) | null {
  const oldest = series[length - 1];
  if (oldest === undefined) return null;
  const now = sum(series.slice(0, length));
  const then = sum(series.slice(length));
  return {
    since: oldest.at,
    before: then.total === 0 ? 0 : then.hits / then.total,
    after: now.hits / now.total,
    events: now.total,
    earlier: then.total,
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
