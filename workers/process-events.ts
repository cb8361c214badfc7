/** Takes hints off the queue and works on what they name, gathered into sets of up to a hundred events. */
import { createBatcher } from '../src/base/batcher.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { createConsumer, type Consumer } from '../src/queue/consumer.ts';
import { maxEventsPerJob, type QueueDeps } from '../src/queue/process-events.ts';

type Deps = QueueDeps & {
  readonly concurrency: number;
  readonly processEvents: ProcessEvents;
};

/** Sets in hand at once: one waits for MongoDB while the other computes. */
const lanes = 2;

export function startProcessEvents({ processEvents, ...deps }: Deps): Consumer {
  const sets = createBatcher<string, true>({
    maxBatch: maxEventsPerJob,
    maxPending: deps.concurrency * maxEventsPerJob,
    lanes,
    async flush(eventIds) {
      await processEvents([...new Set(eventIds)]);
      return eventIds.map(() => true);
    },
  });
  async function gather(eventIds: readonly string[]): Promise<void> {
    const ended = await Promise.allSettled(eventIds.map((eventId) => sets.add(eventId)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  return createConsumer({
    ...deps,
    async work({ eventIds, alone }) {
      try {
        await (alone ? processEvents(eventIds) : gather(eventIds));
      } catch (error) {
        // What was claimed is found again when its lease ends, the rest by its next look.
        deps.logger.warn({ err: error, events: eventIds.length }, 'job.failed');
      }
    },
  });
}
