/**
 * Token bucket rate limiter for many keys. Each key stores one number: the time when its bucket is full again
 * (generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
 *
 * Promises: a check costs O(1). At most `max` keys are stored; the least recently used key is evicted first and
 * then has a full bucket again.
 */
import { LRUCache } from 'lru-cache';
import type { Quota } from '../errors.ts';

export type Rate = {
  /** Capacity of the bucket, in tokens. */
  readonly burst: number;
  /** Time in which one token is added. */
  readonly everyMs: number;
};

/** `retryAfterMs` is 0 if the request is allowed. */
export type RateLimitResult = Quota & { readonly retryAfterMs: number };

export type TokenBucket = {
  /**
   * Takes one token from the key's bucket. If the bucket is empty, nothing changes and `retryAfterMs` is the
   * wait until the next token.
   */
  take(key: string, rate: Rate): RateLimitResult;
};

type TokenBucketOptions = { readonly max: number; readonly nowMs: () => number };

export function createTokenBucket({ max, nowMs }: TokenBucketOptions): TokenBucket {
  const fullAt = new LRUCache<string, number>({ max });
  return {
    take(key, { burst, everyMs }) {
      const now = nowMs();
      // A slower rate in an earlier call cannot leave more debt than an empty bucket of this rate.
      const before = Math.min(Math.max(fullAt.get(key) ?? now, now), now + burst * everyMs);
      const after = before + everyMs;
      const retryAfterMs = Math.max(0, after - burst * everyMs - now);
      if (retryAfterMs > 0) {
        fullAt.set(key, before);
        return { limit: burst, remaining: 0, resetMs: before - now, retryAfterMs };
      }
      fullAt.set(key, after);
      const remaining = Math.floor((burst * everyMs - (after - now)) / everyMs);
      return { limit: burst, remaining, resetMs: after - now, retryAfterMs };
    },
  };
}
