/**
 * Throttles clients that send many wrong keys and tokens, by their network.
 *
 * Promises: a valid credential is never delayed or rejected, whatever else its network sends. Unknown, expired and revoked
 * credentials are treated alike. Delays, delayed answers and remembered networks are bounded, and a delayed answer does not
 * count as a receiving request in flight.
 * Limit: each server counts for itself.
 */
import { createKeyedCounter } from '../../base/concurrency/keyed-counter.ts';
import { createTokenBucket } from '../../base/rate-limit/token-bucket.ts';
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { clientNetworkOf } from '../../domain/access/ip-address.ts';

/** More than a sender with an old URL or a page with an old token causes, and far fewer than guessing needs. */
const budget = { burst: 300, everyMs: 500 };
const delayMs = 1_000;
const maxDelayed = 500;
const maxDelayedOfOne = 10;
const maxRemembered = 20_000;

const codes = { key: 'invalid_key', token: 'invalid_token' } as const;
type Kind = keyof typeof codes;

type AuthThrottleDeps = {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'credentialFailures'>;
  readonly wait?: (ms: number) => Promise<void>;
};

export type AuthThrottle = ReturnType<typeof createAuthThrottle>;

export function createAuthThrottle({ clock, metrics, wait = sleep }: AuthThrottleDeps) {
  const buckets = createTokenBucket({ max: maxRemembered, nowMs: () => clock.elapsedMs() });
  const delayed = createKeyedCounter();

  /** Resolves when the rejection may be answered. Throws `rate_limited` if too many answers are delayed already. */
  async function slow(kind: Kind, network: string): Promise<void> {
    const { retryAfterMs, ...quota } = buckets.take(network, budget);
    const note = (answer: 'at_once' | 'delayed' | 'rejected') =>
      metrics.credentialFailures.inc({ kind, answer });
    if (retryAfterMs === 0) return note('at_once');
    const isFull = delayed.count(network) >= maxDelayedOfOne;
    if (isFull || delayed.total >= maxDelayed) {
      note('rejected');
      throw new AppError('rate_limited', { retryAfterMs, quota });
    }
    note('delayed');
    delayed.add(network, 1);
    await wait(delayMs).finally(() => delayed.add(network, -1));
  }

  return {
    /** Whether the next wrong credential of this network would be answered late. */
    isOverBudget: (network: string): boolean => buckets.waitMs(network, budget, 1) > 0,

    /** Returns the result of `attempt`. A wrong credential is rejected after the delay of its network. */
    async watch<Result>(
      kind: Kind,
      addressOf: () => string,
      attempt: Promise<Result>,
    ): Promise<Result> {
      try {
        return await attempt;
      } catch (error) {
        const isWrong = error instanceof AppError && error.code === codes[kind];
        if (isWrong) await slow(kind, clientNetworkOf(addressOf()));
        throw error;
      }
    },
  };
}
