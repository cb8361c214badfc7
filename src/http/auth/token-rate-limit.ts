/**
 * How often a token may call the APIs of the inbox.
 *
 * Promises: at most so many requests in any minute, as each server counts them; every answer tells what is left, and a
 * refusal when to come back.
 */
import type { Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { createSlidingWindow } from '../../base/rate-limit/sliding-window.ts';
import { setQuotaHeaders } from '../envelope.ts';

/** Throws `rate_limited`; before, it has set the headers of whatever is answered. */
export type TokenRateLimit = (tokenId: string, response: Response) => void;

type LimitDeps = {
  readonly requestsPerMinute: number;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'apiLimited'>;
};

const maxRemembered = 10_000;

export function createTokenRateLimit({
  requestsPerMinute,
  clock,
  metrics,
}: LimitDeps): TokenRateLimit {
  const windows = createSlidingWindow({
    max: maxRemembered,
    limit: requestsPerMinute,
    windowMs: 60_000,
    nowMs: () => clock.elapsedMs(),
  });
  return (tokenId, response) => {
    const { retryAfterMs, ...quota } = windows.take(tokenId);
    setQuotaHeaders(response, 'X-RateLimit', quota);
    if (retryAfterMs === 0) return;
    metrics.apiLimited.inc();
    throw new AppError('rate_limited', { retryAfterMs, quota });
  };
}
