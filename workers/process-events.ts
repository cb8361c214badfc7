/**
 * Takes hints off the queue and works on what they name, gathered into sets of up to a hundred events. Webhooks take turns
 * in a set, so that what one of them sent in thousands does not stand before what another sent once.
 */
import { createBatcher } from '../src/base/batcher.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { createConsumer, type Consumer } from '../src/queue/consumer.ts';
import {
  hintAll,
  maxEventsPerJob,
  type EventQueue,
  type QueueDeps,
} from '../src/queue/process-events.ts';

type Deps = QueueDeps & {
  readonly concurrency: number;
  readonly processEvents: ProcessEvents;
  readonly queue: Pick<EventQueue, 'hint'>;
};

type Named = { readonly _id: string; readonly webhookId: string };

/** Sets in hand at once: one waits for MongoDB while the other computes. */
const lanes = 2;

export function startProcessEvents({ processEvents, queue, ...deps }: Deps): Consumer {
  let isClosing = false;
  const sets = createBatcher<Named, true>({
    maxBatch: maxEventsPerJob,
    maxPending: deps.concurrency * maxEventsPerJob,
    lanes,
    lineOf: ({ webhookId }) => webhookId,
    async flush(events) {
      await processEvents([...new Set(events.map(({ _id }) => _id))]);
      return events.map(() => true);
    },
  });

  async function gather(events: readonly Named[]): Promise<void> {
    const ended = await Promise.allSettled(events.map((event) => sets.add(event)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  const consumer = createConsumer({
    ...deps,
    async work(job) {
      const { webhookId, eventIds, alone } = job;
      try {
        if (isClosing) queue.hint(job);
        else if (alone) await processEvents(eventIds);
        else await gather(eventIds.map((_id) => ({ _id, webhookId })));
      } catch (error) {
        // What was claimed is found again when its lease ends, the rest by its next look.
        deps.logger.warn({ err: error, events: eventIds.length }, 'job.failed');
      }
    },
  });
  return {
    get isReady() {
      return consumer.isReady;
    },
    /** What has not begun goes back to the queue for others, what has is finished. */
    close() {
      isClosing = true;
      const closed = consumer.close();
      hintAll(queue, sets.withdraw(true));
      return closed;
    },
  };
}
