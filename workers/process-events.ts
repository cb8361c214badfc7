/**
 * Takes hints off the queue and works on what they name, gathered into sets of up to a hundred events. Webhooks take turns
 * in a set, so that what one of them sent in thousands does not stand before what another sent once. An event that may end
 * its worker is claimed only while nothing else is in hand, so that it takes nobody with it.
 */
import { createBatcher } from '../src/base/concurrency/batcher.ts';
import { createRwLock } from '../src/base/concurrency/rw-lock.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { createConsumer, type Consumer } from '../src/queue/consumer.ts';
import {
  hintEvents,
  maxEventsPerJob,
  type EventQueue,
  type ProcessEventsJob,
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
/** Until what had to go back, because so many wait to be alone, is taken again. */
const putBackMs = 1_000;

export function startProcessEvents({ processEvents, queue, ...deps }: Deps): Consumer {
  const gate = createRwLock();
  let isClosing = false;
  const sets = createBatcher<Named, true>({
    maxBatch: maxEventsPerJob,
    maxPending: deps.concurrency * maxEventsPerJob,
    concurrency: lanes,
    groupOf: ({ webhookId }) => webhookId,
    async flush(events) {
      await gate.runShared(() => processEvents([...new Set(events.map(({ _id }) => _id))]));
      return events.map(() => true);
    },
  });

  async function gather(events: readonly Named[]): Promise<void> {
    const ended = await Promise.allSettled(events.map((event) => sets.add(event)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Half of the room at most is for those who wait here: the rest go back, so that other jobs are taken too. */
  async function isolate(job: ProcessEventsJob): Promise<void> {
    if (gate.waitingExclusive >= deps.concurrency / 2) return queue.hint(job, putBackMs);
    await gate.runExclusive(async () => {
      if (isClosing) queue.hint(job);
      else await processEvents(job.eventIds, { alone: true });
    });
  }

  const consumer = createConsumer({
    ...deps,
    async work(job) {
      const { webhookId, eventIds, alone } = job;
      try {
        if (isClosing) queue.hint(job);
        else if (alone) await isolate(job);
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
      hintEvents(queue, sets.drainPending(true));
      return closed;
    },
  };
}
