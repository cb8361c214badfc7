/**
 * The rate limit of a token on the inbox APIs. A session of the console has a limit of its own: people who use the console
 * and programs with the same token do not wait for each other. The sessions of a token together have ten times the limit.
 *
 * Promises: a server accepts at most the configured number of requests in any minute. Every answer carries the remaining
 * quota, a rejection also `Retry-After`.
 */
import type { Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { createSlidingWindow } from '../../base/rate-limit/sliding-window.ts';
import type { Caller } from '../../domain/access/token.ts';
import { setQuotaHeaders } from '../envelope.ts';

export type TokenRateLimit = (caller: Limited, response: Response) => void;

type Limited = Pick<Caller, 'tokenId' | 'session'>;

type LimitDeps = {
  readonly requestsPerMinute: number;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'apiLimited'>;
};

const maxRemembered = 10_000;
const sessionsAtLimit = 10;

export function createTokenRateLimit({
  requestsPerMinute,
  clock,
  metrics,
}: LimitDeps): TokenRateLimit {
  const windowsOf = (limit: number) =>
    createSlidingWindow({
      max: maxRemembered,
      limit,
      windowMs: 60_000,
      nowMs: () => clock.elapsedMs(),
    });
  const windows = windowsOf(requestsPerMinute);
  const ofSessions = windowsOf(requestsPerMinute * sessionsAtLimit);
  return ({ tokenId, session }, response) => {
    const own = windows.take(session?.id ?? tokenId);
    const all = session && ofSessions.take(tokenId);
    const { retryAfterMs, ...quota } = all && all.retryAfterMs > own.retryAfterMs ? all : own;
    setQuotaHeaders(response, 'X-RateLimit', quota);
    if (retryAfterMs === 0) return;
    metrics.apiLimited.inc();
    throw new AppError('rate_limited', { retryAfterMs, quota });
  };
}
