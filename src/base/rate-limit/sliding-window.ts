/**
 * Sliding window rate limiter for many keys. It is stricter than a token bucket and uses more memory: it stores
 * the time of each counted request.
 *
 * Promises: rejected requests do not count. At most `max` keys are stored; the least recently used key is
 * evicted first.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../concurrency/cache.ts';
import type { RateLimitResult } from './token-bucket.ts';

type SlidingWindowOptions = {
  readonly max: number;
  readonly limit: number;
  readonly windowMs: number;
  readonly nowMs: () => number;
};

export function createSlidingWindow({ max, limit, windowMs, nowMs }: SlidingWindowOptions) {
  const seen = new LRUCache<string, number[]>(atMost(max));

  /** Returns the times of the counted requests in the window. */
  function timesOf(key: string, now: number): number[] {
    const known = seen.get(key) ?? [];
    const old = known.findIndex((atMs) => atMs > now - windowMs);
    known.splice(0, old < 0 ? known.length : old);
    seen.set(key, known);
    return known;
  }

  /** Counts `wanted` requests, or none. */
  function count(known: number[], wanted: number, now: number): RateLimitResult {
    const excess = known.length + wanted - limit;
    if (excess <= 0) known.push(...Array.from({ length: wanted }, () => now));
    const endMs = (atMs = now) => atMs + windowMs - now;
    return {
      limit,
      remaining: limit - known.length,
      resetMs: endMs(known[0]),
      retryAfterMs: excess <= 0 ? 0 : endMs(known[excess - 1]),
    };
  }

  return {
    /** `resetMs` is the time until the oldest counted request leaves the window. */
    take(key: string): RateLimitResult {
      const now = nowMs();
      return count(timesOf(key, now), 1, now);
    },
    /**
     * Counts further ones for a request that was allowed. If they do not fit, the request does not count either, and
     * `retryAfterMs` is the wait until all of them fit.
     */
    extend(key: string, further: number): RateLimitResult {
      const now = nowMs();
      const known = timesOf(key, now);
      known.pop();
      return count(known, further + 1, now);
    },
  };
}
