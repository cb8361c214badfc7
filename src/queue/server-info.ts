/** What INFO says about the servers: whether the queue can work on them. */
import { Cluster, type Redis } from 'ioredis';
import { sleep } from '../base/clock.ts';
import { StartupError } from '../base/process/startup.ts';
import { connectBlocking, type RedisConnection } from './connection.ts';
import { isReplica, replicaFailure } from './primary.ts';
import { parseRedisUrl } from './redis-url.ts';
import { refusalOf } from './refusals.ts';

const mastersOf = (redis: RedisConnection): readonly Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis];

/** The settings that matter to the queue. Of a cluster, the worst of its masters. */
type RedisSettings = { readonly policy: string; readonly isPersistent: boolean };

const readInfo = (redis: RedisConnection): Promise<string[]> =>
  Promise.all(mastersOf(redis).map((server) => server.info()));

export const readSettings = async (redis: RedisConnection): Promise<RedisSettings> =>
  settingsOf(await readInfo(redis));

function settingsOf(texts: readonly string[]): RedisSettings {
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

/** Returns what keeps the queue from working on these servers, in words, or null. With another policy Redis may drop jobs. */
function failureIn(texts: readonly string[]): string | null {
  if (texts.some(isReplica)) return replicaFailure;
  const { policy } = settingsOf(texts);
  if (policy === 'noeviction') return null;
  return `Redis has maxmemory-policy ${policy}, and Inlet's queue needs noeviction`;
}

/** Returns what keeps the queue from working, in words, or null. Of a cluster every master is asked. Rejects when Redis does not answer. */
export const findServerFailure = async (redis: RedisConnection): Promise<string | null> =>
  failureIn(await readInfo(redis));

const minVersion = { major: 6, minor: 2 };

/** Returns what no wait resolves, in words, or null. */
function findMistake(
  texts: readonly string[],
  kind: 'single' | 'sentinel' | 'cluster',
): string | null {
  for (const text of texts) {
    const mode = /^redis_mode:(\S+)/m.exec(text)?.[1];
    if (mode === 'sentinel')
      return 'REDIS_URL leads to a sentinel; use redis+sentinel://host:26379/master';
    if (mode === 'cluster' && kind !== 'cluster')
      return 'REDIS_URL leads to a node of a cluster; use redis+cluster://host:6379';
    const [version, major, minor] = /^redis_version:(\d+)\.(\d+)\S*/m.exec(text) ?? [];
    if (version !== undefined && isTooOld(Number(major), Number(minor)))
      return `Redis has version ${version.slice('redis_version:'.length)}, and Inlet needs 6.2 or newer`;
  }
  const failure = failureIn(texts);
  if (failure === null) return null;
  return `${failure}. Set it in redis.conf, or at once with: redis-cli config set maxmemory-policy noeviction`;
}

const isTooOld = (major: number, minor: number): boolean =>
  major < minVersion.major || (major === minVersion.major && minor < minVersion.minor);

/**
 * Waits until Redis answers. Resolves to false when the signal aborts the wait. Rejects with `StartupError` for what no wait
 * resolves, such as a wrong password, an old version or an unsafe eviction policy.
 */
export async function requireUsableRedis(redisUrl: string, signal: AbortSignal): Promise<boolean> {
  const redis = connectBlocking(redisUrl);
  const ended = new AbortController();
  // A connection that is closed between two tries emits nothing.
  const stopped = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { signal: ended.signal }),
  );
  try {
    const answered = readMistake(redis, redisUrl, signal);
    const mistake = await Promise.race([refusal(redis), answered, stopped]);
    if (mistake === null) return !signal.aborted;
    throw new StartupError(`${mistake}.`);
  } finally {
    ended.abort();
    redis.disconnect();
  }
}

/** Resolves to the first error of the connection that no wait resolves. */
const refusal = (redis: RedisConnection): Promise<string> =>
  new Promise((resolve) =>
    redis.on('error', (error: Error) => {
      const reason = refusalOf(error);
      if (reason !== null) resolve(reason);
    }),
  );

const pauseMs = 1_000;

/** Repeats until a primary has answered, or the signal aborts. */
async function readMistake(
  redis: RedisConnection,
  redisUrl: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { kind } = parseRedisUrl(redisUrl);
  while (!signal.aborted) {
    // Until then a cluster knows no masters.
    await untilReady(redis);
    try {
      const texts = await readInfo(redis);
      if (!texts.some(isReplica)) return findMistake(texts, kind);
    } catch (error) {
      const reason = refusalOf(error as Error);
      if (reason !== null) return reason;
    }
    await sleep(pauseMs, signal);
  }
  return null;
}

/** Also resolves when the connection is closed for good. */
const untilReady = (redis: RedisConnection): Promise<void> =>
  new Promise((resolve) => {
    if (redis.status === 'ready') resolve();
    redis.once('ready', () => resolve()).once('end', () => resolve());
  });
