/**
 * Taking hints off the queue.
 *
 * Promises: never loses anything by dying, because the events are in MongoDB; goes on by itself after whatever befell
 * Redis or the way to it.
 */
import { Worker } from 'bullmq';
import { sleep } from '../base/clock.ts';
import { connectBlocking } from './connection.ts';
import { processEventsQueue, type ProcessEventsJob, type QueueDeps } from './process-events.ts';

export type Consumer = { readonly isReady: boolean; close(): Promise<void> };

type ConsumerDeps = QueueDeps & {
  readonly concurrency: number;
  readonly work: (job: ProcessEventsJob) => Promise<void>;
};

/** How long the end of a job may take to reach Redis when there is nothing left to do. */
const farewellMs = 3_000;
/** After Redis refused a command. */
const restMs = 2_000;

/** Returns nothing from the processor: what it returned would be stored in Redis. */
export function createConsumer(deps: ConsumerDeps): Consumer {
  const connection = connectBlocking(deps.redisUrl);
  const inHand = new Set<Promise<void>>();
  let isClosing = false;
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
  worker.on('error', (error) => {
    deps.logger.debug({ err: error }, 'consumer.error');
    if (error.name === 'ReplyError') void rest();
  });

  /** BullMQ asks again at once what Redis refused: one that is full was asked 2,300 times a second. */
  async function rest(): Promise<void> {
    if (worker.isPaused()) return;
    await worker.pause(true);
    await sleep(restMs);
    if (!isClosing) await worker.resume();
  }

  return {
    get isReady() {
      return connection.status === 'ready';
    },
    /** Waits for what is in hand, not for a Redis that is away. */
    async close() {
      isClosing = true;
      const closed = worker.close();
      const isIdle = Promise.allSettled(inHand).then(() => sleep(farewellMs));
      await Promise.race([closed, isIdle]);
      connection.disconnect();
    },
  };
}
