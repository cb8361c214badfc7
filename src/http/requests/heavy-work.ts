/**
 * Places of the requests that cost a server much: searches, computations with mappings, and exports.
 *
 * Promises: a token has few of them in progress, and takes no place that others need. Beyond its share a request is rejected
 * with `rate_limited`, and with `overloaded` when there is no place at all. The time of searches is charged to the token.
 */
import type { Clock } from '../../base/clock.ts';
import { createFairShare } from '../../base/concurrency/fair-share.ts';
import { AppError } from '../../base/errors.ts';
import { createTokenBucket, type Rate } from '../../base/rate-limit/token-bucket.ts';

const heavyKinds = ['search', 'mapping', 'export'] as const;
export type HeavyKind = (typeof heavyKinds)[number];

export type HeavyWork = {
  /** Takes a place. Returns the function that gives it back, which must be called exactly once. */
  readonly enter: (kind: HeavyKind, tokenId: string) => () => void;
};

type HeavyDeps = { readonly clock: Pick<Clock, 'elapsedMs'> };

/** Of each kind. Alone, a token gets half of them. */
const places = 8;
const busyRetryMs = 1_000;

/** In milliseconds: a token may search for 60 s at once, and then half of the time. Computations with mappings are charged by their work. */
const searchRate: Rate = { burst: 60_000, everyMs: 2 };
const maxTokens = 10_000;

export function createHeavyWork({ clock }: HeavyDeps): HeavyWork {
  const nowMs = () => clock.elapsedMs();
  const shares = new Map(heavyKinds.map((kind) => [kind, createFairShare(places)]));
  const searched = createTokenBucket({ max: maxTokens, nowMs });

  function requirePlace(kind: HeavyKind, tokenId: string) {
    const share = shares.get(kind) as ReturnType<typeof createFairShare>;
    if (share.fits(tokenId, 1)) return share;
    const code = share.heldBy(tokenId) > 0 ? 'rate_limited' : 'overloaded';
    throw new AppError(code, { retryAfterMs: busyRetryMs });
  }

  return {
    enter(kind, tokenId) {
      const share = requirePlace(kind, tokenId);
      const isCharged = kind === 'search';
      const retryAfterMs = isCharged ? searched.waitMs(tokenId, searchRate, 1) : 0;
      if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
      const sinceMs = nowMs();
      share.add(tokenId, 1);
      return () => {
        share.add(tokenId, -1);
        if (isCharged) searched.charge(tokenId, searchRate, nowMs() - sinceMs);
      };
    },
  };
}
