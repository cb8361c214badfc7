/**
 * Slots of a worker for jobs of webhooks without a backlog. While the jobs of a backlog hold all ordinary slots, BullMQ
 * fetches nothing, and a job with the highest priority would wait until one of them ends.
 *
 * Promises: Redis is asked only while all ordinary slots are taken, at most fifty times a second; at other times no timer runs.
 * When another worker takes the job in between, the slot takes the next one of the queue. The lock of such a job is not renewed;
 * its events have their leases.
 */
import { randomUUID } from 'node:crypto';
import type { Worker } from 'bullmq';
import { sleep } from '../base/clock.ts';
import type { RedisConnection } from './connection.ts';
import { hasFrontJob } from './oldest-jobs.ts';
import type { ProcessEventsJob } from './process-events.ts';

export const reservedSlots = 8;
const pollIntervalMs = 20;
/** The pause after Redis fails. */
const pauseMs = 2_000;

type Deps = {
  readonly worker: Worker<ProcessEventsJob, void>;
  readonly connection: RedisConnection;
  readonly isFull: () => boolean;
  /** Never rejects. */
  readonly work: (job: ProcessEventsJob) => Promise<void>;
};

/**
 * Runs until it is closed. The caller calls `wake` each time that the last ordinary slot is taken. `close` resolves when the
 * jobs of these slots are done.
 */
export function startReservedSlots({ worker, connection, isFull, work }: Deps) {
  const closed = new AbortController();
  const taken = new Set<Promise<void>>();
  let wake = (): void => {};
  const untilFull = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (isFull() || closed.signal.aborted) resolve();
    });

  /** Takes the next job if it is of a webhook without a backlog. Rejects when Redis does not answer. */
  async function takeNext(): Promise<boolean> {
    if (connection.status !== 'ready' || !(await hasFrontJob(worker, connection))) return false;
    const token = randomUUID();
    const job = await worker.getNextJob(token, { block: false });
    if (!job) return false;
    const working = work(job.data)
      .then(() => job.moveToCompleted(undefined, token, false))
      // The lock has ended, or Redis is away: BullMQ drops the job as stalled, and its events have been processed.
      .catch(() => undefined)
      .then(() => void taken.delete(working));
    taken.add(working);
    return true;
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      await untilFull();
      const mayTake = isFull() && taken.size < reservedSlots && !worker.isPaused();
      try {
        if (mayTake && (await takeNext())) continue;
        await sleep(pollIntervalMs, closed.signal);
      } catch {
        await sleep(pauseMs, closed.signal);
      }
    }
  }

  const ended = run();
  return {
    wake: () => wake(),
    async close(): Promise<void> {
      closed.abort();
      wake();
      await ended;
      await Promise.all(taken);
    },
  };
}
