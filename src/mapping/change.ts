/**
 * When a share changed: of the newest events, held against all the earlier ones.
 *
 * Promises: a change that lasts is still seen when it has lasted for longer than what was before; one that is over is
 * no longer seen; a handful of events says nothing.
 */

/** A stretch of time: how many events there were, and how many of them had it. */
export type Point = { readonly at: Date; readonly total: number; readonly hits: number };
/** Newest first. */
export type Series = readonly Point[];

export type Change = {
  readonly since: Date;
  readonly before: number;
  readonly after: number;
  /** Events since. */
  readonly events: number;
};

/** So many earlier events are needed to know what is usual, and so many of the newest to know that it is no longer. */
export const minEarlier = 20;
export const minNewest = 10;
/** What is there in this share of events is expected in the next. */
export const usualShare = 0.8;
/** What is there in less than this part of its former share is rare. */
export const rarePart = 0.5;
/** What was never there and is now in this share of events is new. */
export const newShare = 0.5;

/** What was usual and is gone (`after` 0), or much rarer; null where nothing of the kind happened. */
export function findDrop(points: Series): Change | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share >= usualShare * rarePart) return null;
  const last = series.findIndex(({ hits }) => hits > 0);
  return (newest.share === 0 && judge(series, last)) || sharpest(series, newest.length);
}

/** What was never there and now often is. */
export function findRise(points: Series): Change | null {
  const series = points.filter(({ total }) => total > 0);
  const newest = newestOf(series);
  if (newest === null || newest.share < newShare) return null;
  const first = series.findLastIndex(({ hits }) => hits > 0);
  const change = split(series, first + 1);
  return change && change.earlier >= minEarlier ? change : null;
}

/** The fewest newest points that have enough events. */
function newestOf(series: Series): { length: number; share: number } | null {
  let total = 0;
  let hits = 0;
  for (const [index, point] of series.entries()) {
    total += point.total;
    hits += point.hits;
    if (total >= minNewest) return { length: index + 1, share: hits / total };
  }
  return null;
}

function sharpest(series: Series, shortest: number): Change | null {
  let best: Change | null = null;
  for (let length = shortest; length < series.length; length += 1) {
    const change = judge(series, length);
    if (change && (!best || change.before - change.after > best.before - best.after)) best = change;
  }
  return best;
}

function judge(series: Series, length: number): Change | null {
  const change = split(series, length);
  if (change === null || change.earlier < minEarlier || change.before < usualShare) return null;
  return change.after < change.before * rarePart ? change : null;
}

function split(series: Series, length: number): (Change & { earlier: number }) | null {
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

function sum(series: Series): { total: number; hits: number } {
  let total = 0;
  let hits = 0;
  for (const point of series) {
    total += point.total;
    hits += point.hits;
  }
  return { total, hits };
}
