// How a hint becomes jobs, and what they cost Redis.
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import {
  createEventQueue,
  hintEvents,
  processEventsQueue,
  type ProcessEventsJob,
} from '../../../src/queue/process-events.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { sharedRedisUrl } from '../../support/services/services.ts';

type Waiting = { readonly sizes: readonly number[]; readonly priority: number };

/** Calls `hint` with a new queue, and returns the waiting jobs, the commands that added them, and their bytes in Redis. */
async function jobsOf(hint: (queue: ReturnType<typeof createEventQueue>) => void, count: number) {
  const prefix = `test_jobs_${randomUUID().slice(0, 8)}`;
  const around = { redisUrl: sharedRedisUrl(), prefix, logger: silentLogger() };
  const metrics = createMetrics();
  const queue = createEventQueue({ ...around, metrics });
  const connection = new Redis(around.redisUrl, { maxRetriesPerRequest: null });
  const reader = new Queue<ProcessEventsJob>(processEventsQueue, { connection, prefix });
  try {
    await waitForValue('the queue is ready', () => queue.isReady || undefined);
    hint(queue);
    await waitForValue('the jobs wait', async () => (await queue.depth()) >= count || undefined);
    const jobs: Waiting[] = [];
    let bytes = 0;
    for (const { id, data, priority } of await reader.getJobs(['waiting', 'prioritized'])) {
      jobs.push({ sizes: data.groups.map(({ eventIds }) => eventIds.length), priority });
      bytes += (await connection.memory('USAGE', `${prefix}:${processEventsQueue}:${id}`)) ?? 0;
    }
    const [queued] = (await metrics.hints.get()).values;
    return { jobs, bytes, adds: queued?.value };
  } finally {
    await queue.close();
    await reader.obliterate({ force: true });
    await reader.close();
    connection.disconnect();
  }
}

const eventsOf = (webhookId: string, count: number) =>
  Array.from({ length: count }, () => ({ _id: randomUUID(), webhookId }));

test('a webhook with a backlog gets jobs of its own, of a hundred events at most, which wait', async () => {
  const events = [...eventsOf('large', 230), ...eventsOf('small', 1), ...eventsOf('other', 2)];
  const { jobs } = await jobsOf((queue) => hintEvents(queue, events), 4);
  const byPriority = jobs.toSorted((one, other) => one.priority - other.priority);
  const [zeroth, first, second, third] = byPriority;
  expect([zeroth?.sizes, first?.sizes]).toEqual(expect.arrayContaining([[1, 2], [100]]));
  expect([second?.sizes, third?.sizes]).toEqual([[100], [30]]);
  expect(second?.priority).toBeGreaterThan(50);
  expect(third?.priority).toBeGreaterThan(150);
});

test('an event that must be processed alone is a job of its own', async () => {
  const [event = { _id: '', webhookId: '' }] = eventsOf('a', 1);
  const events = [{ ...event, alone: true }, ...eventsOf('a', 1), ...eventsOf('b', 1)];
  const { jobs } = await jobsOf((queue) => hintEvents(queue, events), 2);
  expect(jobs.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining([[1], [1, 1]]));
  expect(jobs).toHaveLength(2);
});

test('one command queues the events of many webhooks, in few bytes', async () => {
  const events = Array.from({ length: 100 }, () => eventsOf(randomUUID(), 1)).flat();
  const many = await jobsOf((queue) => hintEvents(queue, events), 1);
  expect([many.jobs.length, many.adds]).toEqual([1, 1]);
  expect(many.bytes / events.length).toBeLessThanOrEqual(200);

  const one = await jobsOf((queue) => hintEvents(queue, eventsOf(randomUUID(), 20)), 1);
  expect(one.bytes / 20).toBeLessThanOrEqual(100);
});

test('jobs that no worker takes are bounded: a webhook with a backlog gets no more first, then every webhook', async () => {
  const prefix = `test_jobs_${randomUUID().slice(0, 8)}`;
  const metrics = createMetrics();
  const around = { redisUrl: sharedRedisUrl(), prefix, logger: silentLogger() };
  const queue = createEventQueue({ ...around, metrics });
  const connection = new Redis(around.redisUrl);
  const hintsOf = async (result: string) =>
    (await metrics.hints.get()).values.find(({ labels }) => labels.result === result)?.value ?? 0;
  let added = 0;
  const addTo = async (state: string, count: number) => {
    const members = Array.from({ length: count }, (_, n) => [n, `job-${added + n}`]).flat();
    await connection.zadd(`${prefix}:${processEventsQueue}:${state}`, ...members);
    added += count;
  };
  const addWaiting = (count: number) => addTo('prioritized', count);
  const isDropped = (name: string, events: number) =>
    waitForValue(`a hint for ${name} is dropped`, async () => {
      const before = await hintsOf('dropped');
      hintEvents(queue, eventsOf(name, events));
      return (await hintsOf('dropped')) > before || undefined;
    });
  try {
    await waitForValue('the queue is ready', () => queue.isReady || undefined);
    await addWaiting(20_000);
    await isDropped('large', 300);
    const before = await hintsOf('queued');
    hintEvents(queue, eventsOf('small', 1));
    await waitForValue(
      'the hint is queued',
      async () => (await hintsOf('queued')) > before || undefined,
    );
    await addWaiting(20_000);
    await isDropped('another', 1);
    const [event] = eventsOf('retried', 1);
    const retry = { groups: [{ webhookId: 'retried', eventIds: [event?._id ?? ''] }] };
    const { queued, dropped } = {
      queued: await hintsOf('queued'),
      dropped: await hintsOf('dropped'),
    };
    queue.hint(retry, 60_000);
    await waitForValue(
      'the delayed hint is queued',
      async () => (await hintsOf('queued')) > queued || undefined,
    );
    expect(await hintsOf('dropped')).toBe(dropped);
    await addTo('delayed', 20_000);
    await waitForValue('a delayed hint is dropped', async () => {
      queue.hint(retry, 60_000);
      return (await hintsOf('dropped')) > dropped || undefined;
    });
  } finally {
    await queue.flush();
    await queue.close();
    connection.disconnect();
  }
});
