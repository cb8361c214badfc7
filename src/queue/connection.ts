/**
 * Connections to Redis that know when nobody answers.
 *
 * Promises: tries to reach it again for ever, at most every two seconds; a socket on which an answer is overdue is cut
 * and opened anew, so that a Redis that hangs becomes one that is away, and commands do not pile up behind it.
 */
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { StartupError } from '../base/process/startup.ts';

const reconnecting: RedisOptions = {
  connectTimeout: 5_000,
  retryStrategy: (tries) => Math.min(tries * 200, 2_000),
};

/** For offering hints: fails at once when Redis is away, and after five seconds when it does not answer. */
export function connectFailFast(url: string, told: { logger: Logger; metrics: Metrics }): Redis {
  const { logger, metrics } = told;
  const redis = new Redis(url, {
    ...reconnecting,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    socketTimeout: 5_000,
  });
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (!isAway) logger.warn({ err: error }, 'redis.unavailable');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.info('redis.available');
    isAway = false;
    metrics.redisUp.set(1);
  });
  // A depth that nobody can measure is no number at all.
  const unmeasured = () => {
    metrics.redisUp.set(0);
    metrics.queueDepth.remove();
  };
  unmeasured();
  redis.on('close', unmeasured);
  return redis;
}

/**
 * For taking jobs: what was sent when the connection broke is sent again. BullMQ blocks for ten seconds at most, so
 * twenty without an answer are a socket that is dead, and not a queue that is empty.
 */
export function connectBlocking(url: string): Redis {
  const redis = new Redis(url, {
    ...reconnecting,
    maxRetriesPerRequest: null,
    socketTimeout: 20_000,
  });
  redis.on('error', () => {});
  return redis;
}

/** What keeps this Redis from being a queue: a policy under which it may drop what it was given. Null when nothing does. */
export async function evictionPolicyFailure(redis: Redis): Promise<string | null> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  if (policy === 'noeviction') return null;
  return `Redis has maxmemory-policy ${policy ?? 'unknown'}, and Inlet's queue needs noeviction`;
}

/**
 * Waits for Redis and rejects with StartupError unless it keeps what it is given. False when the signal ended
 * the waiting.
 */
export async function requireNoEviction(redisUrl: string, signal: AbortSignal): Promise<boolean> {
  const redis = connectBlocking(redisUrl);
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const trouble = await evictionPolicyFailure(redis);
    if (trouble === null) return true;
    throw new StartupError(
      `${trouble}. Set it in redis.conf, or at once with: redis-cli config set maxmemory-policy noeviction`,
    );
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    redis.disconnect();
  }
}
