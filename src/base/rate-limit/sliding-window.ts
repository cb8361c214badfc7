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
  return {
    /** `resetMs` is the time until the oldest counted request leaves the window. */
    take(key: string): RateLimitResult {
      const now = nowMs();
      const known = seen.get(key) ?? [];
      const old = known.findIndex((atMs) => atMs > now - windowMs);
      known.splice(0, old < 0 ? known.length : old);
      const isAllowed = known.length < limit;
      if (isAllowed) known.push(now);
      seen.set(key, known);
      const resetMs = (known[0] ?? now) + windowMs - now;
      const retryAfterMs = isAllowed ? 0 : resetMs;
      return { limit, remaining: limit - known.length, resetMs, retryAfterMs };
    },
  };
}
