/**
 * Taking hints off the queue.
 *
 * Promises: refuses a Redis that may evict, since a job that disappears by itself would make the queue's depth and the
 * locks lie; never loses anything by dying, because the events are in MongoDB.
 */
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { sleep } from '../base/clock.ts';
import { processEventsQueue, type ProcessEventsJob, type QueueDeps } from './process-events.ts';

export class EvictingRedisError extends Error {
  override readonly name = 'EvictingRedisError';
}

/**
 * Waits for Redis and rejects with EvictingRedisError unless it keeps what it is given. False when the signal ended
 * the waiting.
 */
export async function requireNoEviction(redisUrl: string, signal: AbortSignal): Promise<boolean> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const stop = () => redis.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
    if (policy === 'noeviction') return true;
    throw new EvictingRedisError(
      `Redis has maxmemory-policy ${policy ?? 'unknown'}, and Inlet's queue needs noeviction. ` +
        'Set it in redis.conf, or at once with: redis-cli config set maxmemory-policy noeviction',
    );
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    redis.disconnect();
  }
}

export type Consumer = { readonly isReady: boolean; close(): Promise<void> };

type ConsumerDeps = QueueDeps & {
  readonly concurrency: number;
  readonly work: (job: ProcessEventsJob) => Promise<void>;
};

/** How long the end of a job may take to reach Redis when there is nothing left to do. */
const farewellMs = 3_000;

/** Returns nothing from the processor: what it returned would be stored in Redis. */
export function createConsumer(deps: ConsumerDeps): Consumer {
  const connection = new Redis(deps.redisUrl, {
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(tries * 200, 2_000),
  });
  connection.on('error', () => {});
  const inHand = new Set<Promise<void>>();
  const worker = new Worker<ProcessEventsJob, void>(
    processEventsQueue,
    async ({ data }) => {
      const work = deps.work(data);
      inHand.add(work);
      await work.finally(() => inHand.delete(work));
    },
    {
      connection,
      prefix: deps.prefix,
      concurrency: deps.concurrency,
      lockDuration: 60_000,
      // A job is a hint: one that stalled is dropped, and the sweeper finds its events.
      maxStalledCount: 0,
    },
  );
  worker.on('error', (error) => deps.logger.debug({ err: error }, 'consumer.error'));
  return {
    get isReady() {
      return connection.status === 'ready';
    },
    /** Waits for what is in hand, not for a Redis that is away. */
    async close() {
      const closed = worker.close();
      const isIdle = Promise.allSettled(inHand).then(() => sleep(farewellMs));
      await Promise.race([closed, isIdle]);
      connection.disconnect();
    },
  };
}
