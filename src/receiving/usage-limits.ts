/**
 * Limits what one webhook uses of a server: bytes, and time to verify and decode them. Only abuse reaches these limits, so they have no
 * setting. A request beyond them is rejected with `rate_limited` before its body is read.
 *
 * Promises: a body is charged after it was read, verified and decoded, so the request that exceeds a limit is still accepted.
 * Limit: each server counts for itself.
 */
import type { Clock } from '../base/clock.ts';
import { createEventLoopQueue } from '../base/concurrency/yield-to-event-loop.ts';
import { AppError } from '../base/errors.ts';
import { createTokenBucket, type Rate } from '../base/rate-limit/token-bucket.ts';

/** 32 MiB a second, and 128 MiB after a pause: more than a server stores of one webhook. A token is a byte. */
const byteRate: Rate = { burst: 134_217_728, everyMs: 1_000 / 33_554_432 };
/** A quarter of the time, and half a second after a pause: eight times what a thousand usual bodies take. A token is a ms. */
const workRate: Rate = { burst: 500, everyMs: 4 };
/** The most that one request is charged: the elapsed time also counts a pause of the whole process. */
const maxWorkMs = 500;
const failureMs = 2_000;
/** A smaller body takes a few milliseconds at most. */
const largeBytes = 32_768;
const maxWebhooks = 20_000;

export type UsageLimits = ReturnType<typeof createUsageLimits>;

export function createUsageLimits(clock: Clock, now = (): number => clock.elapsedMs()) {
  const options = { max: maxWebhooks, nowMs: () => clock.elapsedMs() };
  const received = createTokenBucket(options);
  const work = createTokenBucket(options);
  const takeTurn = createEventLoopQueue();

  /** Throws `rate_limited` while the webhook is beyond a limit. */
  function require(webhookId: string): void {
    const retryAfterMs = Math.max(
      received.waitMs(webhookId, byteRate),
      work.waitMs(webhookId, workRate),
    );
    if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
  }

  function requireWork(webhookId: string): void {
    const retryAfterMs = work.waitMs(webhookId, workRate);
    if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
  }

  const charge = (webhookId: string, ms: number): void =>
    work.charge(webhookId, workRate, Math.min(ms, maxWorkMs));

  return {
    require,
    /** Throws `rate_limited` while the webhook is beyond its time. */
    requireWork,
    /** Charges work that was done elsewhere, up to half a second. */
    charge,
    /** Charges work that failed, and may have taken seconds. */
    chargeFailure: (webhookId: string): void => work.charge(webhookId, workRate, failureMs),
    chargeBytes: (webhookId: string, bytes: number): void =>
      received.charge(webhookId, byteRate, bytes),
    /** Runs what a request costs besides reading it, and charges the time that it takes, up to half a second. */
    chargeWork: <Result>(webhookId: string, run: () => Result): Result => {
      const sinceMs = now();
      try {
        return run();
      } finally {
        charge(webhookId, now() - sinceMs);
      }
    },
    /**
     * Resolves when a body of this length may be worked on: large ones take turns with all other work of the server, and reject with
     * `rate_limited` when others of the webhook used up its time. Returns undefined for a body whose work is short.
     */
    turnFor: (webhookId: string, bytes: number): Promise<void> | undefined =>
      bytes > largeBytes ? takeTurn().then(() => requireWork(webhookId)) : undefined,
  };
}
