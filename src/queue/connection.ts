/**
 * Connections to Redis that detect a server that does not answer.
 *
 * Promises: they reconnect for ever, at most every two seconds. A socket on which an answer is overdue is closed and
 * reopened, so a Redis that hangs counts as disconnected, and commands do not pile up behind it. The same holds for each
 * node of a cluster. A connection is ready only on a primary.
 */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { leaveReplica, primaryOnly, replicaFailure, watchRole } from './primary.ts';
import { parseRedisUrl, type RedisTarget } from './redis-url.ts';
import { refusalOf } from './refusals.ts';

const pauseMs = (tries: number): number => Math.min(tries * 200, 2_000);
const reconnecting: RedisOptions = { connectTimeout: 5_000, retryStrategy: pauseMs };

export type RedisConnection = Redis | Cluster;

export const redisAway = 'Redis does not answer';

/** Why connections are not ready, if more is known than that Redis does not answer. */
const failures = new WeakMap<RedisConnection, string>();

/** Returns why the connection is not ready, in words, or null. */
export const connectionFailure = (redis: RedisConnection): string | null =>
  redis.status === 'ready' ? null : (failures.get(redis) ?? redisAway);

function rememberFailure(redis: RedisConnection, reason: string | null): void {
  if (reason === null) failures.delete(redis);
  else failures.set(redis, reason);
}

const securedOf = ({ username, password, hasTls }: Exclude<RedisTarget, { kind: 'single' }>) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(hasTls && { tls: {} }),
});

/** Throws `StartupError` for an invalid URL. `onReplica` is called for each connection that led to a replica. */
function open(url: string, options: RedisOptions, onReplica = () => {}): RedisConnection {
  const leave = () => {
    failures.set(redis, replicaFailure);
    onReplica();
  };
  const redis = openTarget(url, options, leave);
  redis.on('error', (error: Error) => rememberFailure(redis, refusalOf(error)));
  redis.on('ready', () => failures.delete(redis));
  if (redis instanceof Redis) watchRole(redis, leave);
  return redis;
}

function openTarget(url: string, options: RedisOptions, onReplica: () => void): RedisConnection {
  const target = parseRedisUrl(url);
  if (target.kind === 'single')
    return new Redis(url, { ...reconnecting, ...primaryOnly(onReplica), ...options });
  const secured = securedOf(target);
  if (target.kind === 'sentinel') {
    const { name, db, nodes, sentinel, hasTls } = target;
    return new Redis({
      ...reconnecting,
      ...leaveReplica(onReplica),
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
  let reported: 'nothing' | 'replica' | 'unavailable' = 'nothing';
  const options = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    socketTimeout: 5_000,
  };
  const redis = open(url, options, () => {
    if (reported !== 'replica') logger.warn({ reason: replicaFailure }, 'redis.read_only');
    reported = 'replica';
  });
  observeCommands(redis, 'enqueue', metrics.redisSeconds);
  redis.on('error', (error: Error) => {
    if (reported !== 'nothing') return;
    const reason = refusalOf(error);
    logger.warn({ err: error, ...(reason && { reason }) }, 'redis.unavailable');
    reported = 'unavailable';
  });
  redis.on('ready', () => {
    if (reported !== 'nothing') logger.info('redis.available');
    reported = 'nothing';
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
