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
  return createConsumer({
    ...deps,
    async work({ eventIds }) {
      await Promise.allSettled(eventIds.map((eventId) => sets.add(eventId)));
    },
  });
}
