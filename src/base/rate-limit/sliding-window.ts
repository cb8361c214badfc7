/**
 * At most so many within any stretch of time, for many keys at once; stricter than a bucket, and dearer: each one that
 * counts is remembered until it is old.
 *
 * Promises: whatever is refused does not count; at most `max` keys are remembered, the least used are forgotten first.
 */
import { LRUCache } from 'lru-cache';
import type { RateLimitResult } from './token-bucket.ts';

export type SlidingWindowOptions = {
  readonly max: number;
  readonly limit: number;
  readonly windowMs: number;
  readonly nowMs: () => number;
};

/** `resetMs`: until the oldest that counts is old, and one more may come than `remaining` says. */
export type SlidingWindow = { take(key: string): RateLimitResult };

export function createSlidingWindow({
  max,
  limit,
  windowMs,
  nowMs,
}: SlidingWindowOptions): SlidingWindow {
  const seen = new LRUCache<string, number[]>({ max });
  return {
    take(key) {
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
