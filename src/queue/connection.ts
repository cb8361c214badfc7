/**
 * Connections to Redis that detect a server that does not answer.
 *
 * Promises: they reconnect for ever, at most every two seconds. A socket on which an answer is overdue is closed and
 * reopened, so a Redis that hangs counts as disconnected, and commands do not pile up behind it. The same holds for each
 * node of a cluster.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { once } from 'node:events';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { StartupError } from '../base/process/startup.ts';
import { parseRedisUrl, type RedisTarget } from './redis-url.ts';

const pauseMs = (tries: number): number => Math.min(tries * 200, 2_000);
const reconnecting: RedisOptions = { connectTimeout: 5_000, retryStrategy: pauseMs };

export type RedisConnection = Redis | Cluster;

const securedOf = ({ username, password, hasTls }: Exclude<RedisTarget, { kind: 'single' }>) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(hasTls && { tls: {} }),
});

/** Throws `StartupError` for an invalid URL. */
function open(url: string, options: RedisOptions): RedisConnection {
  const target = parseRedisUrl(url);
  if (target.kind === 'single') return new Redis(url, { ...reconnecting, ...options });
  const secured = securedOf(target);
  if (target.kind === 'sentinel') {
    const { name, db, nodes, sentinel, hasTls } = target;
    return new Redis({
      ...reconnecting,
      ...options,
      ...secured,
      name,
      db,
      sentinels: [...nodes],
      sentinelRetryStrategy: pauseMs,
      // Without it a sentinel that hangs would stop the reconnecting.
      sentinelCommandTimeout: 2_000,
      enableTLSForSentinelMode: hasTls,
      ...(hasTls && { sentinelTLS: {} }),
      ...(sentinel.username && { sentinelUsername: sentinel.username }),
      ...(sentinel.password && { sentinelPassword: sentinel.password }),
    });
  }
  // The cluster reconnects to its nodes by itself.
  const { retryStrategy: _own, ...connecting } = reconnecting;
  return new Cluster([...target.nodes], {
    clusterRetryStrategy: pauseMs,
    enableOfflineQueue: options.enableOfflineQueue ?? true,
    slotsRefreshTimeout: 2_000,
    // The certificates name hosts, and the addresses in answers need not be resolved here.
    ...(target.hasTls && { dnsLookup: (host, done) => done(null, host) }),
    redisOptions: { ...connecting, ...options, ...secured },
  });
}

/** For sending hints: a command fails at once without a connection, and after five seconds without an answer. */
export function connectFailFast(url: string, deps: { logger: Logger; metrics: Metrics }) {
  const { logger, metrics } = deps;
  const redis = open(url, {
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

const blocking: RedisOptions = { maxRetriesPerRequest: null, socketTimeout: 20_000 };

/** Commands are retried. BullMQ blocks for ten seconds at most, so twenty without an answer mean a dead socket. */
export function connectBlocking(url: string): RedisConnection {
  const redis = open(url, blocking);
  redis.on('error', () => {});
  return redis;
}

/**
 * Connects for invalidations. In a cluster it is a connection to one of the nodes of the URL, since each node passes all on; each
 * reconnect takes the next node. The library's subscriber of a cluster does not tell when invalidations may have been lost.
 */
export function connectSubscriber(url: string): RedisConnection {
  const target = parseRedisUrl(url);
  if (target.kind !== 'cluster') return connectBlocking(url);
  const { nodes } = target;
  let turn = 0;
  const next = () => nodes[turn++ % nodes.length];
  const redis = new Redis({
    ...reconnecting,
    ...blocking,
    ...next(),
    ...securedOf(target),
  });
  redis.on('close', () => Object.assign(redis.options, next()));
  redis.on('error', () => {});
  return redis;
}

const mastersOf = (redis: RedisConnection): readonly Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

/** The settings that matter to the queue. Of a cluster, the worst of its masters. */
type RedisSettings = { readonly policy: string; readonly isPersistent: boolean };

export async function readSettings(redis: RedisConnection): Promise<RedisSettings> {
  const texts = await Promise.all(mastersOf(redis).map((server) => server.info()));
  const policies = texts.map((text) => /maxmemory_policy:(\S+)/.exec(text)?.[1] ?? 'unknown');
  return {
    policy: policies.find((policy) => policy !== 'noeviction') ?? 'noeviction',
    isPersistent: texts.every((text) => /aof_enabled:1/.test(text)),
  };
}

/** Deletes the keys that match. Resolves to their number. */
export async function unlinkKeys(redis: RedisConnection, match: string): Promise<number> {
  let number = 0;
  for (const server of mastersOf(redis)) {
    for await (const keys of server.scanStream({ match, count: 500 })) {
      const names = keys as string[];
      if (names.length > 0) number += await redis.unlink(...names);
    }
  }
  return number;
}

/** In words, or null. With another policy Redis may drop jobs. Of a cluster every master is asked. */
export async function evictionPolicyFailure(redis: RedisConnection): Promise<string | null> {
  const { policy } = await readSettings(redis);
  if (policy === 'noeviction') return null;
  return `Redis has maxmemory-policy ${policy}, and Inlet's queue needs noeviction`;
}

/** Resolves to false when the signal aborts the wait, and rejects with StartupError when the eviction policy is unsafe. */
export async function requireNoEviction(redisUrl: string, signal: AbortSignal): Promise<boolean> {
  const redis = connectBlocking(redisUrl);
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Until then a cluster knows no masters.
    if (redis instanceof Cluster && redis.status !== 'ready')
      await once(redis, 'ready', { signal });
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

/** Commands that wait for jobs, and subscriptions. */
const waits = /^(?:b[lrz]|subscribe|psubscribe|unsubscribe)/i;

/** Measures from the call until the answer, with the wait for the connection. */
export function observeCommands(
  redis: RedisConnection,
  client: 'enqueue' | 'consume',
  seconds: Metrics['redisSeconds'],
): void {
  const send = redis.sendCommand.bind(redis) as Redis['sendCommand'];
  const observed: Redis['sendCommand'] = (command, ...rest) => {
    if (!waits.test(command.name)) {
      const sinceMs = performance.now();
      const observe = () => seconds.observe({ client }, (performance.now() - sinceMs) / 1_000);
      command.promise.then(observe, observe);
    }
    return send(command, ...rest);
  };
  redis.sendCommand = observed;
}
