/**
 * Connections to Redis that detect a server that does not answer.
 *
 * Promises: they reconnect for ever, at most every two seconds. A socket on which an answer is overdue is closed and
 * reopened, so a Redis that hangs counts as disconnected, and commands do not pile up behind it.
 */
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { StartupError } from '../base/process/startup.ts';
import { observeCommands } from './observe-commands.ts';

const reconnecting: RedisOptions = {
  connectTimeout: 5_000,
  retryStrategy: (tries) => Math.min(tries * 200, 2_000),
};

/** For sending hints: a command fails at once without a connection, and after five seconds without an answer. */
export function connectFailFast(url: string, deps: { logger: Logger; metrics: Metrics }): Redis {
  const { logger, metrics } = deps;
  const redis = new Redis(url, {
    ...reconnecting,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    socketTimeout: 5_000,
  });
  observeCommands(redis, 'enqueue', metrics.redisSeconds);
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) logger.warn({ err: error }, 'redis.unavailable');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) logger.info('redis.available');
    isDown = false;
    metrics.redisUp.set(1);
  });
  // An unknown depth must not be reported as a number.
  const markDown = () => {
    metrics.redisUp.set(0);
    metrics.queueDepth.remove();
    metrics.oldestJob.reset();
  };
  markDown();
  redis.on('close', markDown);
  return redis;
}

/**
 * For consuming jobs: commands are retried after a reconnect. BullMQ blocks for ten seconds at most, so twenty seconds
 * without an answer mean a dead socket, not an empty queue.
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

/** Returns what is wrong with the eviction policy, in words, or null. With another policy Redis may drop jobs. */
export async function evictionPolicyFailure(redis: Redis): Promise<string | null> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  if (policy === 'noeviction') return null;
  return `Redis has maxmemory-policy ${policy ?? 'unknown'}, and Inlet's queue needs noeviction`;
}

/**
 * Waits for Redis. Resolves to true when its eviction policy is safe, and to false when the signal aborts the wait.
 * Rejects with StartupError otherwise.
 */
export async function requireNoEviction(redisUrl: string, signal: AbortSignal): Promise<boolean> {
  const redis = connectBlocking(redisUrl);
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const failure = await evictionPolicyFailure(redis);
    if (failure === null) return true;
    throw new StartupError(
      `${failure}. Set it in redis.conf, or at once with: redis-cli config set maxmemory-policy noeviction`,
    );
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    redis.disconnect();
  }
}
