// The sweeper: every open event is hinted again when it is due, even if the queue has lost its job.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { startSweeper } from '../../../src/recovery/sweep.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { Collection } from '../../../src/store/db/collection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { takeDueEvents } from '../../../src/store/events/sweep.ts';
import { createStores } from '../../../src/store/stores.ts';
import { dyingAt } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
  type Overrides,
} from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('sweep');
});
beforeEach(async () => {
  await context.clear();
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const past = new Date(0);
const future = new Date(Date.now() + 3_600_000);

type QueueState = { isReady?: boolean; depth?: number; onHint?: (ids: readonly string[]) => void };

const intervalMs = 3_600_000;

/** A sweeper that ticks on request, with a queue that records the offered hints. */
function createSweeper(
  { isReady = true, depth = 0, onHint }: QueueState = {},
  over: Overrides = {},
) {
  const jobs: ProcessEventsJob[] = [];
  const hint = (job: ProcessEventsJob) => {
    jobs.push(job);
    onHint?.(eventIdsOf(job));
  };
  const queue = { hint, isReady, depth: () => Promise.resolve(depth) };
  const sweeper = startSweeper(context.newResources({ queue, ...over }), { intervalMs });
  const waits: number[] = [];
  async function tick(): Promise<string[]> {
    jobs.length = 0;
    waits.push(await sweeper.tick());
    return jobs.flatMap(eventIdsOf);
  }
  return { tick, jobs, waits, close: () => sweeper.close() };
}

async function sweepOnce(state?: QueueState): Promise<string[]> {
  const sweeper = createSweeper(state);
  const hinted = await sweeper.tick();
  await sweeper.close();
  return hinted;
}

let count = 0;
async function add(set: Partial<EventRecord> = {}): Promise<string> {
  const id = await context.send(webhook, { id: `e${(count += 1)}`, lead: { id: `p${count}` } });
  await events().updateOne({ _id: id }, { $set: set });
  return id;
}

test.each<[string, Partial<EventRecord>]>([
  ['an event without a hint', { nextAt: past }],
  ['a retry whose time has come', { state: 'waiting', dueAt: past, nextAt: past, attempts: 2 }],
  ['an event whose worker died', { alone: true, nextAt: past, attempts: 1 }],
])('%s is offered, and can be processed', async (_what, set) => {
  const id = await add(set);
  expect(await sweepOnce()).toEqual([id]);
  await context.processEvents([id]);
  expect((await context.stores.events.get(id))?.state).toBe('done');
});

test.each<[string, Partial<EventRecord>]>([
  ['was received just now', {}],
  ['waits for its time', { state: 'waiting', dueAt: future, nextAt: future }],
])('an event that %s is not hinted', async (_what, set) => {
  await add(set);
  expect(await sweepOnce()).toEqual([]);
});

test.each(['done', 'ignored', 'dead', 'discarded'] as const)(
  'an event that is %s is not offered',
  async (state) => {
    const id = await add({ state, nextAt: past });
    await events().updateOne({ _id: id }, { $unset: { open: '' } });
    expect(await sweepOnce()).toEqual([]);
  },
);

test('the next sweep of an event is postponed before it is hinted, further each time', async () => {
  const id = await add({ nextAt: past });
  const pushed: Promise<EventRecord | null>[] = [];
  await sweepOnce({ onHint: (ids) => pushed.push(events().findOne({ _id: ids[0] ?? '' })) });
  expect((await pushed[0])?.sweeps).toBe(1);
  expect(await sweepOnce()).toEqual([]);
  const waits: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { nextAt } = (await context.stores.events.get(id)) ?? { nextAt: null };
    const { localTime } = await context.connection.getClient().db('admin').command({ hello: 1 });
    waits.push(Math.round((+(nextAt ?? past) - +(localTime as Date)) / 60_000));
    await events().updateOne({ _id: id }, { $set: { nextAt: past } });
    expect(await sweepOnce()).toEqual([id]);
  }
  expect(waits).toEqual([1, 2, 4, 8, 10]);
});

test('an outcome and the end of a set reset the waits, so that the crash of a worker costs one sweep and not the longest wait', async () => {
  const id = await add({ nextAt: past, sweeps: 5 });
  const { onStep, died } = dyingAt('write');
  void context.newProcessing({ onStep })([id]);
  await died;
  await endSets(context.connection);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'received', sweeps: 0 });
  expect(await sweepOnce()).toEqual([id]);
  const failing = (step: string) =>
    step === 'write' ? Promise.reject(new Error('boom')) : Promise.resolve();
  await context.newProcessing({ onStep: failing })([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'waiting', sweeps: 0 });
});

test('two concurrent sweepers offer each event at least once, and never again', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => add({ nextAt: past })));
  const both = (await Promise.all([sweepOnce(), sweepOnce()])).flat();
  expect([...new Set(both)].toSorted()).toEqual(ids.toSorted());
  expect(await sweepOnce()).toEqual([]);
});

/** Copies of a recorded event, all due. */
async function addMany(howMany: number, set: Partial<EventRecord> = {}): Promise<string[]> {
  const { dedupKeys: _none, ...model } = (await context.stores.events.get(
    await add(),
  )) as EventRecord;
  const copies = Array.from({ length: howMany }, (_, n) => {
    count += 1;
    return { ...model, _id: `copy${count}`, nextAt: new Date(1_000 + n), ...set };
  });
  await events().insertMany(copies);
  return copies.map(({ _id }) => _id);
}

test('nothing is postponed or offered while the queue is unavailable', async () => {
  const id = await add({ nextAt: past });
  expect(await sweepOnce({ isReady: false })).toEqual([]);
  expect(await context.stores.events.get(id)).toMatchObject({ nextAt: past, sweeps: 0 });
  expect(await sweepOnce()).toEqual([id]);
});

test('while the queue is deep, a hundred events of a large webhook are hinted at a time, and all of a small one', async () => {
  const crowd = await addMany(250);
  webhook = await context.addWebhook();
  const few = await addMany(99);
  const first = [...crowd.slice(0, 100), ...few];
  expect((await sweepOnce({ depth: 501 })).toSorted()).toEqual(first.toSorted());
  expect(await events().countDocuments({ _id: { $in: crowd }, sweeps: 0 })).toBe(150);
  expect(await sweepOnce({ depth: 501 })).toHaveLength(100);
  expect(await sweepOnce({ depth: 500 })).toHaveLength(50);
});

test.each<[string, Partial<EventRecord>]>([
  ['a worker had when it died', { dueAt: null, attempts: 1 }],
  ['wait for a retry', { state: 'waiting', dueAt: past, attempts: 1 }],
  ['go alone', { alone: true }],
])(
  'events of a large webhook that %s are offered at any depth of the queue',
  async (_what, set) => {
    await addMany(120);
    const lost = await addMany(200, set);
    const hinted = await sweepOnce({ depth: 501 });
    expect(hinted).toEqual(expect.arrayContaining(lost));
    expect(hinted).toHaveLength(300);
  },
);

test('a read past a large webhook that takes too long costs half a second, and the events found are hinted', async () => {
  await addMany(1_001);
  webhook = await context.addWebhook();
  await addMany(20, { nextAt: new Date(1_000_000) });
  const tried: unknown[] = [];
  class SlowEvents extends Collection<EventRecord> {
    override find<Found extends object = EventRecord>(
      ...[filter, options]: Parameters<Collection<EventRecord>['find']>
    ) {
      tried.push(options);
      const isSlow = tried.length > 1;
      return super.find<Found>(
        { ...filter, ...(isSlow && { $where: 'sleep(200) || true' }) },
        options,
      );
    }
  }
  const slow = new SlowEvents(context.connection, 'events');
  const { due } = await takeDueEvents(slow, { thinned: false });
  expect(due).toHaveLength(1_000);
  expect(tried).toEqual([
    expect.objectContaining({ maxTimeMS: 10_000 }),
    expect.objectContaining({ maxTimeMS: 500 }),
  ]);
  expect(await events().countDocuments({ sweeps: 1 })).toBe(1_000);
});

test('while more events are due than a tick takes, the next tick follows at once, until the queue is deep', async () => {
  const backlog = await addMany(2_500);
  const sweeper = createSweeper();
  const hinted = [...(await sweeper.tick()), ...(await sweeper.tick()), ...(await sweeper.tick())];
  await sweeper.close();
  expect(sweeper.waits).toEqual([0, 0, intervalMs]);
  expect(hinted.toSorted()).toEqual(backlog.toSorted());

  await addMany(1_100);
  const deep = createSweeper({ depth: 501 });
  await deep.tick();
  await deep.close();
  expect(deep.waits).toEqual([intervalMs]);
});

test('a long backlog of one webhook delays no single event of another, at any depth of the queue', async () => {
  await addMany(3_000);
  webhook = await context.addWebhook();
  await addMany(400, { nextAt: new Date(1_000_000) });
  webhook = await context.addWebhook();
  const single = await add({ nextAt: new Date(2_000_000) });
  expect(await sweepOnce({ depth: 501 })).toContain(single);
  await events().updateOne({ _id: single }, { $set: { nextAt: new Date(2_000_000) } });
  const hinted = await sweepOnce();
  expect(hinted).toContain(single);
  expect(hinted.length).toBeLessThanOrEqual(1_600);
  expect(new Set(hinted).size).toBe(hinted.length);
});

test('an idle tick is one indexed read, for any number of events that are not due', async () => {
  await addMany(300, { nextAt: future, state: 'waiting', dueAt: future });
  await addMany(300, { nextAt: future, state: 'held' });
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const commands: Record<string, unknown>[] = [];
  watching.getClient().on('commandStarted', ({ command }) => commands.push(command));
  let elapsed = 0;
  const clock = { now: () => new Date(), elapsedMs: () => elapsed };
  const sweeper = createSweeper({}, { ...createStores(watching), clock });
  await sweeper.tick();
  const seen: number[] = [];
  for (let tick = 0; tick < 12; tick += 1) {
    elapsed += 10_000;
    commands.length = 0;
    await sweeper.tick();
    seen.push(commands.length);
  }
  const { find, filter, sort, limit } = commands[0] ?? {};
  await sweeper.close();
  await watching.close();
  expect(new Set(seen)).toEqual(new Set([1]));
  const plan = await collectionOf(context.connection, String(find))
    .find(filter as object, { sort: sort as never, limit: limit as number })
    .explain('executionStats');
  // The two that were copied may have become due by now.
  expect(plan.executionStats.totalKeysExamined).toBeLessThanOrEqual(2);
});

test('a split that a crashed worker left incomplete is offered, and completed', async () => {
  webhook = await context.addWebhook({ ...leadMapping, split: 'items' });
  const items = [1, 2, 3].map((n) => ({ id: `i${n}`, text: 'x', lead: { id: `person ${n}` } }));
  const parent = await context.send(webhook, { items });
  await context.processEvents([parent]);
  // The state before the last item, the end of the parent and any hint were written.
  await events().deleteOne({ parentId: parent, itemIndex: 2 });
  await events().updateOne(
    { _id: parent },
    { $set: { state: 'received', open: true, alone: true, nextAt: past, attempts: 1 } },
  );
  await events().updateMany({ parentId: parent }, { $set: { nextAt: past } });
  // The existing items and the parent, then the last item.
  expect(await sweepOnce()).toContain(parent);
  await context.processEvents([parent]);
  await events().updateMany({ parentId: parent }, { $set: { nextAt: past } });
  const offered = await sweepOnce();
  expect(offered).toHaveLength(3);
  await context.processEvents(offered);
  expect(await events().countDocuments({ state: 'done' })).toBe(4);
  expect((await context.snapshot()).messages).toBe(3);
});

test('each event that must be processed alone is a separate job', async () => {
  const alone = await add({ alone: true, nextAt: past });
  const retry = { state: 'waiting', dueAt: past, nextAt: past, attempts: 2 } as const;
  const waiting = await add({ ...retry, alone: true });
  const others = await addMany(3);
  const sweeper = createSweeper();
  await sweeper.tick();
  await sweeper.close();
  const named = sweeper.jobs.map((job) => [eventIdsOf(job).toSorted(), job.alone]);
  expect(named).toEqual(
    expect.arrayContaining([
      [[alone], true],
      [[waiting], true],
      [others.toSorted(), undefined],
    ]),
  );
});
