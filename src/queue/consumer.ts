/**
 * Consumes hints from the queue.
 *
 * Promises: a crash loses nothing, because the events are in MongoDB. It resumes by itself after any failure of Redis or
 * of the connection.
 */
import { Worker } from 'bullmq';
import { sleep } from '../base/clock.ts';
import { connectBlocking, connectionFailure, observeCommands } from './connection.ts';
import { startReservedSlots } from './reserved-slots.ts';
import { keyPrefixOf } from './redis-url.ts';
import { processEventsQueue, type ProcessEventsJob, type QueueDeps } from './process-events.ts';

export type Consumer = ReturnType<typeof createConsumer>;

type ConsumerDeps = QueueDeps & {
  readonly concurrency: number;
  readonly work: (job: ProcessEventsJob) => Promise<void>;
};

/** How long BullMQ may take to complete its last jobs in Redis. */
const completionMs = 3_000;
/** The pause after Redis rejects a command. */
const pauseMs = 2_000;

/** The processor returns nothing, because BullMQ stores its result in Redis. */
export function createConsumer(deps: ConsumerDeps) {
  const connection = connectBlocking(deps.redisUrl);
  observeCommands(connection, 'consume', deps.metrics.redisSeconds);
  const inFlight = new Set<Promise<void>>();
  let ordinary = 0;
  let isClosing = false;

  async function work(job: ProcessEventsJob): Promise<void> {
    const working = deps.work(job);
    inFlight.add(working);
    await working.finally(() => inFlight.delete(working));
  }

  const worker = new Worker<ProcessEventsJob, void>(
    processEventsQueue,
    async ({ data }) => {
      ordinary += 1;
      if (isFull()) reserved.wake();
      await work(data).finally(() => (ordinary -= 1));
    },
    {
      connection,
      prefix: keyPrefixOf(deps.redisUrl, deps.prefix),
      concurrency: deps.concurrency,
      lockDuration: 60_000,
      // Here, and not with each job, so that a job takes less memory of Redis.
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      // A stalled job is dropped: the sweeper finds its events.
      maxStalledCount: 0,
    },
  );
  worker.on('error', (error) => {
    deps.logger.debug({ err: error }, 'consumer.error');
    if (error.name === 'ReplyError') void pause();
  });

  const isFull = () => ordinary >= deps.concurrency;
  const reserved = startReservedSlots({ worker, connection, isFull, work });

  /** BullMQ retries a rejected command at once: a full Redis got 2,300 commands a second. */
  async function pause(): Promise<void> {
    if (worker.isPaused()) return;
    await worker.pause(true);
    await sleep(pauseMs);
    if (!isClosing) await worker.resume();
  }

  return {
    /** Returns why no job can be taken, in words, or null. */
    failure: (): string | null => connectionFailure(connection),
    /** Waits for the jobs in flight, but not for a Redis that is down. */
    async close(): Promise<void> {
      isClosing = true;
      const closed = Promise.all([reserved.close(), worker.close()]);
      const isIdle = Promise.allSettled(inFlight).then(() => sleep(completionMs));
      await Promise.race([closed, isIdle]);
      connection.disconnect();
    },
  };
}
