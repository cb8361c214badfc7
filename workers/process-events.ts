/**
 * Takes hints off the queue and processes their events in sets of up to a hundred. Webhooks take turns in a set, so that the
 * thousands of events of one do not delay the few of another. An event that may end its worker is processed only while nothing
 * else is in progress, so that it fails no other event.
 */
import { createBatcher } from '../src/base/concurrency/batcher.ts';
import { createPriorityYield } from '../src/base/concurrency/priority-yield.ts';
import { createRwLock } from '../src/base/concurrency/rw-lock.ts';
import type { ProcessEvents } from '../src/processing/process-events.ts';
import { createConsumer, type Consumer } from '../src/queue/consumer.ts';
import { reservedSlots } from '../src/queue/reserved-slots.ts';
import {
  eventIdsOf,
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
  /** How long a step of a full set waits for smaller sets. With six steps for a set, a backlog still advances beside them. */
  readonly maxYieldMs?: number;
};

type HintedEvent = { readonly _id: string; readonly webhookId: string };

const eventsOf = ({ groups }: ProcessEventsJob): HintedEvent[] =>
  groups.flatMap(({ webhookId, eventIds }) => eventIds.map((_id) => ({ _id, webhookId })));

/** Sets in progress at once with events of one webhook: one waits for MongoDB while the other computes. */
const maxSetsOfWebhook = 2;
/** The others are for other webhooks, whose few events do not wait for the sets of a backlog. */
export const maxSets = 4;
/** A set with events of several webhooks is small, so that those of a short line end soon. */
const maxMixedSet = 25;
const defaultMaxYieldMs = 250;
/** The delay of a job that goes back to the queue because too many wait to run alone. */
const putBackMs = 1_000;

export function startProcessEvents({ processEvents, queue, ...deps }: Deps): Consumer {
  const lock = createRwLock();
  const turns = createPriorityYield(deps.maxYieldMs ?? defaultMaxYieldMs);
  let isDraining = false;
  const sets = createBatcher<HintedEvent, true>({
    maxBatch: maxEventsPerJob,
    maxPending: (deps.concurrency + reservedSlots) * maxEventsPerJob,
    maxMixedBatch: maxMixedSet,
    concurrency: maxSets,
    maxFlushesPerGroup: maxSetsOfWebhook,
    startsNextTurn: true,
    groupOf: ({ webhookId }) => webhookId,
    async flush(events) {
      await lock.runShared(() => processSet([...new Set(events.map(({ _id }) => _id))]));
      return events.map(() => true);
    },
  });

  /** A full set is part of a backlog: between its steps it gives way to smaller sets. */
  const processSet = (eventIds: readonly string[]): Promise<void> =>
    eventIds.length < maxEventsPerJob
      ? turns.runUrgent(() => processEvents(eventIds))
      : processEvents(eventIds, { yieldTurn: () => turns.yieldTurn() });

  async function processInSets(events: readonly HintedEvent[]): Promise<void> {
    const ended = await Promise.allSettled(events.map((event) => sets.add(event)));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** At most half of the jobs may wait here; the others go back to the queue, so that other jobs are taken too. */
  async function processAlone(job: ProcessEventsJob): Promise<void> {
    if (lock.waitingExclusive >= deps.concurrency / 2) return queue.hint(job, putBackMs);
    await lock.runExclusive(async () => {
      if (isDraining) queue.hint(job);
      else await processEvents(eventIdsOf(job), { alone: true });
    });
  }

  const consumer = createConsumer({
    ...deps,
    async work(job) {
      const events = eventsOf(job);
      try {
        if (isDraining) queue.hint(job);
        else if (job.alone) await processAlone(job);
        else await processInSets(events);
      } catch (error) {
        // Claimed events are found again when their lease ends, the others by the next sweep.
        deps.logger.warn({ err: error, events: events.length }, 'job.failed');
      }
    },
  });
  return {
    failure: consumer.failure,
    /** Jobs that have not begun go back to the queue for other workers; sets in progress are finished. */
    close() {
      isDraining = true;
      const closed = consumer.close();
      hintEvents(queue, sets.drainPending(true));
      return closed;
    },
  };
}
