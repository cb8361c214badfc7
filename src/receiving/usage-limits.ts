/**
 * Limits what one webhook uses of a server: bytes, and time to decode them. Only abuse reaches these limits, so they have no
 * setting. A request beyond them is rejected with `rate_limited` before its body is read.
 *
 * Promises: a body is charged after it was read and decoded, so the request that exceeds a limit is still accepted.
 * Limit: each server counts for itself.
 */
import type { Clock } from '../base/clock.ts';
import { createEventLoopQueue } from '../base/concurrency/yield-to-event-loop.ts';
import { AppError } from '../base/errors.ts';
import { createTokenBucket, type Rate } from '../base/rate-limit/token-bucket.ts';

/** 32 MiB a second, and 128 MiB after a pause: more than a server stores of one webhook. A token is a byte. */
const byteRate: Rate = { burst: 134_217_728, everyMs: 1_000 / 33_554_432 };
/** A quarter of the time, and 3 s after a pause: 50 times what a thousand usual bodies a second take. A token is a ms. */
const decodingRate: Rate = { burst: 3_000, everyMs: 4 };
/** The most that one decoding is charged: the elapsed time also counts a pause of the whole process. */
const maxDecodingMs = 1_000;
/** A smaller body takes a few milliseconds at most. */
const largeBytes = 32_768;
const maxWebhooks = 20_000;

export function createUsageLimits(clock: Clock, now = (): number => clock.elapsedMs()) {
  const options = { max: maxWebhooks, nowMs: () => clock.elapsedMs() };
  const received = createTokenBucket(options);
  const decoding = createTokenBucket(options);
  const takeTurn = createEventLoopQueue();
  return {
    /** Throws `rate_limited` while the webhook is beyond a limit. */
    require: (webhookId: string): void => {
      const retryAfterMs = Math.max(
        received.waitMs(webhookId, byteRate),
        decoding.waitMs(webhookId, decodingRate),
      );
      if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs });
    },
    chargeBytes: (webhookId: string, bytes: number): void =>
      received.charge(webhookId, byteRate, bytes),
    /** Runs `decode` and charges the time that it takes, up to 1 s. */
    chargeDecoding: <Result>(webhookId: string, decode: () => Result): Result => {
      const sinceMs = now();
      try {
        return decode();
      } finally {
        decoding.charge(webhookId, decodingRate, Math.min(now() - sinceMs, maxDecodingMs));
      }
    },
    /**
     * Resolves when a body of this length may be decoded: large ones take turns with all other work of the server. Returns
     * undefined for a body that may be decoded at once.
     */
    turnFor: (bytes: number): Promise<void> | undefined =>
      bytes > largeBytes ? takeTurn() : undefined,
  };
}
