// A webhook with a long backlog does not starve others, neither in the queue nor in a worker that already has its jobs.
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createEventQueue, hintEvents } from '../../../src/queue/process-events.ts';
import { sharedRedisUrl } from '../../support/services/services.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { startProcessEvents } from '../../../workers/process-events.ts';

const batch = (webhookId: string, howMany: number, from = 0) =>
  Array.from({ length: howMany }, (_, n) => ({ _id: `${webhookId}${from + n}`, webhookId }));

const isOf = (webhookId: string, ids: readonly string[]) =>
  ids.every((id) => id.startsWith(webhookId));

const stepsOfSet = 6;

function createWorld() {
  const around = {
    redisUrl: sharedRedisUrl(),
    prefix: `test_fair_${randomUUID().slice(0, 8)}`,
    logger: silentLogger(),
    metrics: createMetrics(),
  };
  const queue = createEventQueue(around);
  const done: string[] = [];
  /** The webhook of each step that has begun. */
  const steps: string[] = [];
  const startWorker = (
    concurrency: number,
    gate: (ids: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
  ) =>
    startProcessEvents({
      ...around,
      queue,
      concurrency,
      // Longer than a busy machine takes for a few steps.
      maxYieldMs: 60_000,
      async processEvents(ids, { yieldTurn } = {}) {
        for (let step = 0; step < stepsOfSet; step += 1) {
          await yieldTurn?.();
          steps.push(ids[0]?.charAt(0) ?? '');
          await gate(ids);
        }
        done.push(...ids);
      },
    });
  const isDone = (howMany: number) =>
    waitForValue(`${howMany} are done`, () => done.length >= howMany || undefined);
  /** How many events of A were done before the last one of B. */
  const before = () =>
    done
      .slice(
        0,
        done.findLastIndex((id) => id.startsWith('b')),
      )
      .filter((id) => id.startsWith('a'));
  return { queue, done, steps, startWorker, isDone, before };
}

test.each([
  ['jobs of one event', 1],
  ['jobs of a hundred', 100],
])(
  'ten events behind five thousand of another webhook, in %s, are processed among the first',
  async (_what, size) => {
    const { queue, startWorker, isDone, before } = createWorld();
    await waitForValue('the queue is ready', () => queue.isReady || undefined);
    for (let from = 0; from < 5_000; from += size) {
      hintEvents(queue, batch('a', size, from));
      // At most the limit of jobs in flight.
      if (from % 500 === 0)
        await waitForValue(
          'the queue has room',
          async () => (await queue.depth()) * size >= from || undefined,
        );
    }
    hintEvents(queue, batch('b', 10));
    await waitForValue(
      'they wait',
      async () => (await queue.depth()) === 5_000 / size + 1 || undefined,
    );
    const worker = startWorker(5);
    await isDone(5_010);
    await worker.close();
    await queue.close();
    expect(before().length).toBeLessThan(300);
  },
);

test('ten events that arrive while a worker holds five thousand of another webhook are in one of its next sets', async () => {
  const { queue, done, startWorker, isDone, before } = createWorld();
  await waitForValue('the queue is ready', () => queue.isReady || undefined);
  let open: (value?: unknown) => void = () => undefined;
  const gate = new Promise((resolve) => (open = resolve));
  const worker = startWorker(60, () => gate);
  hintEvents(queue, batch('a', 5_000));
  await waitForValue('all are taken', async () => (await queue.depth()) === 0 || undefined);
  hintEvents(queue, batch('b', 10));
  await waitForValue('these too', async () => (await queue.depth()) === 0 || undefined);
  // The answer that gave the worker its last job is read by then.
  for (let turn = 0; turn < 2; turn += 1) await queue.depth();
  expect(done).toEqual([]);
  open();
  await isDone(5_010);
  await worker.close();
  await queue.close();
  expect(before().length).toBeLessThanOrEqual(300);
});

test('ten events are processed while the backlog of another webhook holds all slots and none of its sets ends', async () => {
  const { queue, done, startWorker, isDone } = createWorld();
  await waitForValue('the queue is ready', () => queue.isReady || undefined);
  let open: (value?: unknown) => void = () => undefined;
  const gate = new Promise((resolve) => (open = resolve));
  const worker = startWorker(5, (ids) => (isOf('a', ids) ? gate : Promise.resolve()));
  hintEvents(queue, batch('a', 1_000));
  await waitForValue('five jobs are taken', async () => (await queue.depth()) === 5 || undefined);
  hintEvents(queue, batch('b', 10));
  await isDone(10);
  expect(isOf('b', done)).toBe(true);
  expect(await queue.depth()).toBe(5);
  open();
  await isDone(1_010);
  await worker.close();
  expect(await queue.depth()).toBe(0);
  await queue.close();
});

test('between the first and the last step of ten events, no step of the full sets of another webhook begins', async () => {
  const { queue, steps, startWorker, isDone } = createWorld();
  await waitForValue('the queue is ready', () => queue.isReady || undefined);
  let open: (value?: unknown) => void = () => undefined;
  const gate = new Promise((resolve) => (open = resolve));
  // The sets of A wait in their steps until the first step of B: A cannot end before B begins.
  const worker = startWorker(5, (ids) => {
    if (isOf('b', ids)) open();
    else if (steps.length > 20) return gate;
    return turn();
  });
  hintEvents(queue, batch('a', 3_000));
  await waitForValue('some are done', () => steps.length > 20 || undefined);
  hintEvents(queue, batch('b', 10));
  await isDone(3_010);
  await worker.close();
  await queue.close();
  const few = steps.slice(steps.indexOf('b'), steps.lastIndexOf('b') + 1);
  expect(few).toEqual(Array.from({ length: stepsOfSet }, () => 'b'));
});

test('a worker that shuts down releases the events that it has not started, and finishes the others', async () => {
  const { queue, done, startWorker, isDone } = createWorld();
  await waitForValue('the queue is ready', () => queue.isReady || undefined);
  let open: (value?: unknown) => void = () => undefined;
  const gate = new Promise((resolve) => (open = resolve));
  const worker = startWorker(60, () => gate);
  hintEvents(queue, batch('a', 1_000));
  await waitForValue('all are taken', async () => (await queue.depth()) === 0 || undefined);
  const closed = worker.close();
  await waitForValue('most are back', async () => (await queue.depth()) > 0 || undefined);
  open();
  await closed;
  expect(done.length).toBeLessThanOrEqual(200);
  const other = startWorker(60);
  await isDone(1_000);
  await other.close();
  await queue.close();
  expect(new Set(done).size).toBe(1_000);
});
