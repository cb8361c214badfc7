// The queue over a Redis that fails in every way: sending a hint never blocks, and the consumer resumes by itself.
import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createConsumer, type Consumer } from '../../../src/queue/consumer.ts';
import {
  createEventQueue,
  type EventQueue,
  eventIdsOf,
  type ProcessEventsJob,
} from '../../../src/queue/process-events.ts';
import { startRedis, type TestServer } from '../../support/services/services.ts';
import { waitForValue } from '../../support/processes/client.ts';

// It waits for time limits most of the time.
jest.setTimeout(240_000);

let redis: TestServer;
let admin: Redis;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(() => {
  admin = new Redis(redis.url);
  admin.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  admin.disconnect();
});
afterAll(() => redis.close());

let count = 0;
function surroundings(url = redis.url) {
  count += 1;
  return {
    redisUrl: url,
    prefix: `test_faults_${count}`,
    logger: silentLogger(),
    metrics: createMetrics(),
  };
}
type Surroundings = ReturnType<typeof surroundings>;

async function openQueue(around: Surroundings): Promise<EventQueue> {
  const queue = createEventQueue(around);
  opened.push(queue);
  await waitForValue('the queue is ready', async () => queue.isReady || undefined);
  return queue;
}

function openConsumer(around: Surroundings, onError: () => void = () => undefined) {
  const taken: string[] = [];
  const logger = Object.assign(silentLogger(), { debug: onError });
  const consumer: Consumer = createConsumer({
    ...around,
    logger,
    concurrency: 50,
    work: (job) => {
      taken.push(...eventIdsOf(job));
      return Promise.resolve();
    },
  });
  opened.push(consumer);
  const hasTaken = (id: string) =>
    waitForValue(`${id} is taken`, async () => taken.includes(id) || undefined, 60_000);
  /** Hints until one is taken. A job whose fetch was on its way may have been taken by a dead connection, as after a crash. */
  function takesHintsOf(queue: EventQueue): Promise<true> {
    let hints = 0;
    const isNew = (id: string) => id.startsWith('after');
    return waitForValue('a later hint is taken', () => {
      hints += 1;
      queue.hint(jobOf(`after${hints}`));
      return taken.some(isNew) || undefined;
    });
  }
  return { taken, hasTaken, takesHintsOf };
}

const jobOf = (id: string): ProcessEventsJob => ({ groups: [{ webhookId: 'w', eventIds: [id] }] });
const seriesOf = async ({ metrics }: Surroundings, name: string): Promise<unknown[]> =>
  (await metrics.registry.getMetricsAsJSON()).find((each) => each.name === name)?.values ?? [];

/** A proxy in front of Redis. `swallow` keeps the current connections open and drops everything on them. */
async function startProxy() {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(redis.url).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    swallow() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a Redis that hangs counts as unavailable within seconds, and as available when it answers', async () => {
  const around = surroundings();
  const queue = await openQueue(around);
  expect(await seriesOf(around, 'inlet_redis_up')).toMatchObject([{ value: 1 }]);
  around.metrics.queueDepth.set(7);
  redis.pause();
  try {
    for (let n = 0; n < 5_000; n += 1) queue.hint(jobOf(`lost${n}`));
    const hints = await seriesOf(around, 'inlet_queue_hints_total');
    expect(hints).toContainEqual(
      expect.objectContaining({ labels: { result: 'dropped' }, value: 4_000 }),
    );
    await waitForValue('it is away', async () => !queue.isReady || undefined);
    expect(await queue.readinessFailures()).toEqual(['Redis does not answer']);
    expect(await seriesOf(around, 'inlet_redis_up')).toMatchObject([{ value: 0 }]);
    expect(await seriesOf(around, 'inlet_queue_depth_jobs')).toEqual([]);
  } finally {
    redis.resume();
  }
  await waitForValue('it is back', async () => queue.isReady || undefined);
  await openConsumer(around).takesHintsOf(queue);
});

test('a consumer with dead sockets that were not closed opens new ones', async () => {
  const proxy = await startProxy();
  try {
    const around = surroundings();
    const queue = await openQueue(around);
    const consumer = openConsumer({ ...around, redisUrl: proxy.url });
    queue.hint(jobOf('before'));
    await consumer.hasTaken('before');
    proxy.swallow();
    await consumer.takesHintsOf(queue);
  } finally {
    proxy.close();
  }
});

test('a consumer resumes after Redis was killed, down for longer than it blocks, and empty', async () => {
  const around = surroundings();
  const queue = await openQueue(around);
  const consumer = openConsumer(around);
  queue.hint(jobOf('before'));
  await consumer.hasTaken('before');
  await redis.kill();
  await pause(12_000); // BullMQ's own watchdog has looked by then
  await redis.start();
  await waitForValue('it is back', async () => queue.isReady || undefined);
  await admin.flushall();
  await consumer.takesHintsOf(queue);
});

test('a full Redis fails hints, is not polled in a tight loop, and works again when there is room', async () => {
  const around = surroundings();
  const queue = await openQueue(around);
  let errors = 0;
  const consumer = openConsumer(around, () => (errors += 1));
  queue.hint(jobOf('before'));
  await consumer.hasTaken('before');
  await admin.config('SET', 'maxmemory', '1');
  try {
    queue.hint(jobOf('rejected'));
    await waitForValue('the hint failed', async () => {
      const values = (await seriesOf(around, 'inlet_queue_hints_total')) as {
        labels: { result: string };
        value: number;
      }[];
      return (
        values.some(({ labels, value }) => labels.result === 'failed' && value > 0) || undefined
      );
    });
    await pause(3_000);
    await waitForValue('the queue is ready', () => queue.isReady || undefined);
    expect(errors).toBeLessThan(20);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
  await consumer.takesHintsOf(queue);
});

test('a full Redis with jobs is not polled in a tight loop', async () => {
  const around = surroundings();
  const queue = await openQueue(around);
  for (let n = 0; n < 20; n += 1) queue.hint(jobOf(`waits${n}`));
  await waitForValue('they wait', async () => (await queue.depth()) === 20 || undefined);
  await admin.config('SET', 'maxmemory', '1');
  let errors = 0;
  const consumer = openConsumer(around, () => (errors += 1));
  try {
    await waitForValue('a command is rejected', async () => errors > 0 || undefined);
    await pause(3_000);
    expect(errors).toBeLessThan(20);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
  await consumer.takesHintsOf(queue);
});

test('an eviction policy that may drop jobs is reported, also when it is set later', async () => {
  const queue = await openQueue(surroundings());
  expect(await queue.readinessFailures()).toEqual([]);
  await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const troubles = await queue.readinessFailures();
  await admin.config('SET', 'maxmemory-policy', 'noeviction');
  expect(troubles).toEqual([
    "Redis has maxmemory-policy allkeys-lru, and Inlet's queue needs noeviction",
  ]);
});
