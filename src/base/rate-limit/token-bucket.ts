/**
 * Token bucket rate limiter for many keys. Each key stores one number: the time when its bucket is full again
 * (generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
 *
 * Promises: a check costs O(1). At most `max` keys are stored; the least recently used key is evicted first and
 * then has a full bucket again.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../concurrency/cache.ts';
import type { Quota } from '../errors.ts';

export type Rate = {
  /** Capacity of the bucket, in tokens. */
  readonly burst: number;
  /** Time in which one token is added. */
  readonly everyMs: number;
};

/** `retryAfterMs` is 0 if the request is allowed. */
export type RateLimitResult = Quota & { readonly retryAfterMs: number };

/** Times are sums of fractions: a bucket that is just full enough may seem to lack this much. In milliseconds. */
const roundingMs = 0.001;

type TokenBucketOptions = { readonly max: number; readonly nowMs: () => number };

export function createTokenBucket({ max, nowMs }: TokenBucketOptions) {
  const fullAt = new LRUCache<string, number>(atMost(max));
  return {
    /** Takes tokens that were used already, also more than the bucket has: the missing ones must be added first. */
    charge(key: string, { everyMs }: Rate, tokens: number): void {
      const now = nowMs();
      fullAt.set(key, Math.max(fullAt.get(key) ?? now, now) + tokens * everyMs);
    },
    /** Returns the time until the bucket has this many tokens; by default until none are missing. Changes nothing. */
    waitMs(key: string, { burst, everyMs }: Rate, tokens = 0): number {
      const at = fullAt.get(key);
      return at === undefined ? 0 : Math.max(0, at - nowMs() - (burst - tokens) * everyMs);
    },
    /**
     * Takes one token from the key's bucket. If the bucket is empty, nothing changes and `retryAfterMs` is the
     * wait until the next token.
     */
    take(key: string, { burst, everyMs }: Rate): RateLimitResult {
      const now = nowMs();
      // A slower rate in an earlier call cannot leave more debt than an empty bucket of this rate.
      const before = Math.min(Math.max(fullAt.get(key) ?? now, now), now + burst * everyMs);
      const after = before + everyMs;
      const retryAfterMs = after - burst * everyMs - now;
      if (retryAfterMs > roundingMs) {
        fullAt.set(key, before);
        return { limit: burst, remaining: 0, resetMs: before - now, retryAfterMs };
      }
      fullAt.set(key, after);
      const left = (burst * everyMs - (after - now) + roundingMs) / everyMs;
      const remaining = Math.max(0, Math.floor(left));
      return { limit: burst, remaining, resetMs: after - now, retryAfterMs: 0 };
    },
  };
}
