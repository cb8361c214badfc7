// The sweeper: every open event is offered again when its time has come, whatever the queue has forgotten.
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import type { EventRecord } from '../../../src/domain/event.ts';
import type { Webhook } from '../../../src/domain/webhook.ts';
import type { ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { startSweeper } from '../../../src/recovery/sweep.ts';
import { collectionOf } from '../../../src/store/connection.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let webhook: Webhook;
beforeAll(async () => {
  world = await createWorld('sweep');
});
beforeEach(async () => {
  await world.clear();
  webhook = await world.addWebhook();
});
afterAll(() => world.close());

const actor = { tokenId: 'test', name: 'test' };
const events = () => collectionOf<EventRecord>(world.connection, 'events');
const past = new Date(0);
const future = new Date(Date.now() + 3_600_000);

type QueueState = { isReady?: boolean; depth?: number; onHint?: (ids: readonly string[]) => void };

/** A sweeper that ticks when it is told to, over a queue that only writes down what it was offered. */
function createSweeper({ isReady = true, depth = 0, onHint }: QueueState = {}) {
  const jobs: ProcessEventsJob[] = [];
  const hint = (job: ProcessEventsJob) => {
    jobs.push(job);
    onHint?.(job.eventIds);
  };
  const sweeper = startSweeper({
    ...world.stores,
    queue: { hint, isReady, depth: () => Promise.resolve(depth) },
    intervalMs: 3_600_000,
    logger: silentLogger(),
    metrics: createMetrics(),
    clock: systemClock,
  });
  async function tick(): Promise<string[]> {
    jobs.length = 0;
    await sweeper.tick();
    return jobs.flatMap(({ eventIds }) => eventIds);
  }
  return { tick, jobs, close: () => sweeper.close() };
}

async function sweepOnce(state?: QueueState): Promise<string[]> {
  const sweeper = createSweeper(state);
  const hinted = await sweeper.tick();
  await sweeper.close();
  return hinted;
}

let count = 0;
async function add(set: Partial<EventRecord> = {}): Promise<string> {
  const id = await world.send(webhook, { id: `e${(count += 1)}`, lead: { id: `p${count}` } });
  await events().updateOne({ _id: id }, { $set: set });
  return id;
}

test.each<[string, Partial<EventRecord>]>([
  ['an event that nobody was told of', { nextAt: past }],
  ['a retry whose time has come', { state: 'waiting', dueAt: past, nextAt: past, attempts: 2 }],
  ['an event whose worker died', { state: 'processing', dueAt: past, nextAt: past, attempts: 1 }],
])('%s is offered, and can be processed', async (_what, set) => {
  const id = await add(set);
  expect(await sweepOnce()).toEqual([id]);
  await world.processEvents([id]);
  expect((await world.stores.events.get(id))?.state).toBe('done');
});

test.each<[string, Partial<EventRecord>]>([
  ['was received just now', {}],
  ['waits for its time', { state: 'waiting', dueAt: future, nextAt: future }],
  ['is being processed', { state: 'processing', dueAt: future, nextAt: future }],
])('an event that %s is left alone', async (_what, set) => {
  await add(set);
  expect(await sweepOnce()).toEqual([]);
});

test.each(['done', 'ignored', 'dead', 'discarded'] as const)(
  'an event that is %s is left alone',
  async (state) => {
    const id = await add({ state, nextAt: past });
    await events().updateOne({ _id: id }, { $unset: { open: '' } });
    expect(await sweepOnce()).toEqual([]);
  },
);

test('an event is pushed on before anybody is told, and offered less and less often', async () => {
  const id = await add({ nextAt: past });
  const pushed: Promise<EventRecord | null>[] = [];
  await sweepOnce({ onHint: (ids) => pushed.push(events().findOne({ _id: ids[0] ?? '' })) });
  expect((await pushed[0])?.sweeps).toBe(1);
  expect(await sweepOnce()).toEqual([]);
  const waits: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { nextAt } = (await world.stores.events.get(id)) ?? { nextAt: null };
    const { localTime } = await world.connection.getClient().db('admin').command({ hello: 1 });
    waits.push(Math.round((+(nextAt ?? past) - +(localTime as Date)) / 60_000));
    await events().updateOne({ _id: id }, { $set: { nextAt: past } });
    expect(await sweepOnce()).toEqual([id]);
  }
  expect(waits).toEqual([1, 2, 4, 8, 10]);
});

test('two sweepers that look at the same time offer each event at least once, and never again', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => add({ nextAt: past })));
  const both = (await Promise.all([sweepOnce(), sweepOnce()])).flat();
  expect([...new Set(both)].toSorted()).toEqual(ids.toSorted());
  expect(await sweepOnce()).toEqual([]);
});

test('nothing is pushed on or offered while the queue is away or deep', async () => {
  const id = await add({ nextAt: past });
  expect(await sweepOnce({ isReady: false })).toEqual([]);
  expect(await sweepOnce({ depth: 501 })).toEqual([]);
  expect(await world.stores.events.get(id)).toMatchObject({ nextAt: past, sweeps: 0 });
  expect(await sweepOnce({ depth: 500 })).toEqual([id]);
});

test('a job names at most a hundred events, all of one webhook', async () => {
  const other = await world.addWebhook();
  const mine = await Promise.all(Array.from({ length: 130 }, () => add()));
  webhook = other;
  const theirs = await add();
  await events().updateMany({}, { $set: { nextAt: past } });
  const sweeper = createSweeper();
  const hinted = await sweeper.tick();
  await sweeper.close();
  expect(hinted.toSorted()).toEqual([...mine, theirs].toSorted());
  expect(sweeper.jobs.map(({ eventIds }) => eventIds.length)).toEqual(
    expect.arrayContaining([100, 30, 1]),
  );
});

test('held events stay while their webhook is paused and are freed once it is not', async () => {
  await world.stores.webhooks.pause(webhook._id, actor);
  const id = await add({ state: 'held', nextAt: past });
  expect(await sweepOnce()).toEqual([]);
  const held = await world.stores.events.get(id);
  expect(held?.state).toBe('held');
  expect(+(held?.nextAt ?? past)).toBeGreaterThan(Date.now());

  await world.stores.webhooks.resume(webhook._id, actor);
  await events().updateOne({ _id: id }, { $set: { nextAt: past } });
  expect(await sweepOnce()).toEqual([id]);
  expect(await world.stores.events.get(id)).toMatchObject({ state: 'received', sweeps: 0 });
});

test('held events of a paused webhook keep no other event waiting', async () => {
  await world.stores.webhooks.pause(webhook._id, actor);
  await Promise.all(Array.from({ length: 30 }, () => add({ state: 'held', nextAt: past })));
  webhook = await world.addWebhook();
  const due = await add({ nextAt: past });
  expect(await sweepOnce()).toEqual([due]);
});
