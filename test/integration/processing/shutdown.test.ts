// Events that were taken and will not be processed are free at once, without an attempt.
import mongoose from 'mongoose';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { surroundedConnection, type Around } from '../../support/context/surrounded-connection.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('give_back');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (id: string) => ({
  id,
  text: 'hello',
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
});
const never = () => new Promise<never>(() => {});
const get = (id: string) => context.stores.events.get(id);
const storesWith = (around: Around) => ({
  ...context.stores,
  connection: surroundedConnection(context.connection, around),
});

async function addEvents(...names: string[]): Promise<string[]> {
  const webhook = await context.addWebhook();
  return Promise.all(names.map((name) => context.send(webhook, lead(name))));
}

const isFree = { state: 'received', attempts: 0, fence: 0, dueAt: null, open: true };
const lostAnswer = () => new mongoose.mongo.MongoNetworkError('The answer was lost.');

test('a set that was taken while the database became unavailable is dropped when it answers again', async () => {
  const [a = '', b = ''] = await addEvents('a', 'b');
  let tries = 0;
  const stores = storesWith(async (name, run) => {
    if (name === 'sets.deleteOne' && (tries += 1) <= 2) throw lostAnswer();
    const result = await run();
    if (name === 'sets.insertOne') throw lostAnswer();
    return result;
  });
  await expect(context.newProcessing({ stores })([a, b])).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(tries).toBe(3);
  expect(await listSets(context.connection)).toEqual([]);
  for (const id of [a, b]) expect(await get(id)).toMatchObject(isFree);
  await context.processEvents([a, b]);
  for (const id of [a, b]) expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

/** A worker that waits before a step, until `goOn`. `reached` resolves there. */
function waitingAt(step: SetStep) {
  let reach = () => {};
  let goOn = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const jobs: ProcessEventsJob[] = [];
  const worker = context.newProcessor({
    queue: { hint: (job) => void jobs.push(job) },
    onStep: async (at) => {
      if (at !== step) return;
      reach();
      await going;
    },
  });
  return { ...worker, jobs, reached, goOn };
}

const hour = 3_600_000;

test.each(['taken', 'begin'] as const)(
  'a worker that shuts down at %s drops its set without an attempt, and hints its events',
  async (step) => {
    const [a = '', b = ''] = await addEvents('a', 'b');
    const worker = waitingAt(step);
    const working = worker.processEvents([a, b]);
    await worker.reached;
    await worker.drain(never(), { runningMs: 0, dropMs: hour });
    expect(await listSets(context.connection)).toEqual([]);
    for (const id of [a, b]) expect(await get(id)).toMatchObject(isFree);
    expect(worker.jobs.flatMap(eventIdsOf).toSorted()).toEqual([a, b].toSorted());
    await context.processEvents([a, b]);
    worker.goOn();
    await working;
    for (const id of [a, b]) expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
    expect((await context.snapshot()).messages).toBe(2);
    expect(worker.jobs).toHaveLength(1);
  },
);

test('a set whose transaction is committed during the shutdown is not hinted', async () => {
  const [id = ''] = await addEvents('a');
  const worker = waitingAt('commit');
  const working = worker.processEvents([id]);
  await worker.reached;
  const drained = worker.drain(never(), { runningMs: 0, dropMs: hour });
  worker.goOn();
  await drained;
  await working;
  expect(worker.jobs).toEqual([]);
  expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test('a worker without events drops nothing and does not wait', async () => {
  const [id = ''] = await addEvents('a');
  const worker = context.newProcessor();
  await worker.drain(worker.processEvents([id]), { runningMs: hour, dropMs: hour });
  expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test('a worker that shuts down takes nothing more', async () => {
  const [id = ''] = await addEvents('a');
  const worker = context.newProcessor();
  await worker.drain(never(), { runningMs: 0, dropMs: 0 });
  await worker.processEvents([id]);
  expect(await get(id)).toMatchObject(isFree);
  expect(await listSets(context.connection)).toEqual([]);
});

test('events taken just as the drain ends are dropped, and hinted', async () => {
  const [id = ''] = await addEvents('a');
  let drain = () => Promise.resolve();
  const jobs: ProcessEventsJob[] = [];
  const stores = storesWith(async (name, run) => {
    if (name === 'sets.insertOne') await drain();
    return run();
  });
  const queue = { hint: (job: ProcessEventsJob) => void jobs.push(job) };
  const worker = context.newProcessor({ stores, queue });
  drain = () => worker.drain(never(), { runningMs: 0, dropMs: 0 });
  await worker.processEvents([id]);
  expect(await get(id)).toMatchObject(isFree);
  expect(await listSets(context.connection)).toEqual([]);
  expect(jobs.flatMap(eventIdsOf)).toEqual([id]);
});
