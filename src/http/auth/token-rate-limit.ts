/**
 * The rate limit of a token on the inbox APIs. A session of the console has a limit of its own: people who use the console
 * and programs with the same token do not wait for each other. The sessions of a token together have ten times the limit.
 *
 * Promises: a server accepts at most the configured number of requests in any minute. Every answer carries the remaining
 * quota, a rejection also `Retry-After`.
 */
import type { Response } from 'express';
import type { Clock } from '../../base/clock.ts';
import { AppError, invalidField } from '../../base/errors.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { createSlidingWindow } from '../../base/rate-limit/sliding-window.ts';
import type { RateLimitResult } from '../../base/rate-limit/token-bucket.ts';
import type { Caller } from '../../domain/access/token.ts';
import { setQuotaHeaders } from '../envelope.ts';
import { textWith } from '../../base/texts/texts.ts';

/** Both throw `rate_limited`. */
export type TokenRateLimit = {
  /** Counts a request. */
  readonly take: (caller: Limited, response: Response) => void;
  /** Counts further ones for a request that was counted. Throws `invalid_field` when they never fit. */
  readonly extend: (caller: Limited, response: Response, further: number) => void;
};

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
  type Windows = ReturnType<typeof windowsOf>;
  const windows = windowsOf(requestsPerMinute);
  const ofSessions = windowsOf(requestsPerMinute * sessionsAtLimit);

  function limit(
    { tokenId, session }: Limited,
    response: Response,
    count: (among: Windows, key: string) => RateLimitResult,
  ): void {
    const own = count(windows, session?.id ?? tokenId);
    const all = session && count(ofSessions, tokenId);
    const { retryAfterMs, ...quota } = all && all.retryAfterMs > own.retryAfterMs ? all : own;
    setQuotaHeaders(response, 'X-RateLimit', quota);
    if (retryAfterMs === 0) return;
    metrics.apiLimited.inc();
    throw new AppError('rate_limited', { retryAfterMs, quota });
  }

  return {
    take: (caller, response) => limit(caller, response, (among, key) => among.take(key)),
    extend(caller, response, further) {
      if (further >= requestsPerMinute) {
        throw invalidField('', textWith('field.too_many_items', { max: requestsPerMinute }));
      }
      limit(caller, response, (among, key) => among.extend(key, further));
    },
  };
}
