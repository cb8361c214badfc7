/**
 * How often something may happen, for many keys at once: a bucket each, which fills up again as time goes by.
 *
 * Promises: asking costs the same whatever is remembered; at most `max` keys are remembered, the least used are forgotten
 * first and then have a full bucket again. One number a key: when its bucket will be full (the generic cell rate
 * algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
 */
import { LRUCache } from 'lru-cache';
import type { Quota } from '../errors.ts';

export type Rate = {
  /** What a full bucket holds. */
  readonly burst: number;
  /** How long it takes for one more to come in. */
  readonly everyMs: number;
};

/** `retryAfterMs` is 0 where it may happen now. */
export type RateLimitResult = Quota & { readonly retryAfterMs: number };

export type TokenBucket = {
  /** Takes one out of the key's bucket, or tells when there will be one. */
  take(key: string, rate: Rate): RateLimitResult;
};

export type TokenBucketOptions = { readonly max: number; readonly nowMs: () => number };

export function createTokenBucket({ max, nowMs }: TokenBucketOptions): TokenBucket {
  const fullAt = new LRUCache<string, number>({ max });
  return {
    take(key, { burst, everyMs }) {
      const now = nowMs();
      // Nobody owes more than an empty bucket, whatever slower rate was asked for before.
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
