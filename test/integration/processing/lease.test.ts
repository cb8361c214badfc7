// A set shows that its worker lives; one whose set has ended, or whose event was changed, commits nothing of it.
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { startSetExpiry } from '../../../src/processing/sets/expire-sets.ts';
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import type { Connection } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { dyingAt, setSteps } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import { surroundedConnection, type Around } from '../../support/context/surrounded-connection.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('lease');
});
afterAll(() => context.close());
beforeEach(() => context.clear());
afterEach(() => void jest.useRealTimers());

/** Only the test lets it end. */
const leaseMs = 3_600_000;
const thirdMs = leaseMs / 3;

const lead = (id: string, person = 1) => ({
  id,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: 'Ana', phone: `+55 11 9${70_000_000 + person}` },
  label: `Label ${id}`,
});
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const get = (id: string) => context.stores.events.get(id);
const sent = async () => context.send(await context.addWebhook(), lead('e1'));
const storesWith = (around: Around) => ({
  ...context.stores,
  connection: surroundedConnection(context.connection, around),
});

/** Calls `run` the first time that the step is reached. */
function once(step: SetStep, run: () => Promise<unknown>) {
  let isOver = false;
  return async (reached: SetStep): Promise<void> => {
    if (reached !== step || isOver) return;
    isOver = true;
    await run();
  };
}

/** The expiry of another process, whose clock and ticks the test moves. */
function otherProcess(connection: Connection = context.connection) {
  let elapsed = 0;
  const jobs: ProcessEventsJob[] = [];
  const expiry = startSetExpiry({
    connection,
    queue: { hint: (job) => void jobs.push(job) },
    leaseMs,
    logger: silentLogger(),
    metrics: createMetrics(),
    clock: { now: () => new Date(), elapsedMs: () => elapsed },
  });
  return {
    jobs,
    close: () => expiry.close(),
    async after(ms: number): Promise<void> {
      elapsed += ms;
      await expiry.tick();
    },
  };
}

test.each(setSteps.filter((step) => step !== 'committed'))(
  'a worker whose set another ended before its step %s commits nothing',
  async (step) => {
    const id = await sent();
    await context.newProcessing({ onStep: once(step, () => endSets(context.connection)) })([id]);
    expect(await get(id)).toMatchObject({ state: 'received', attempts: 1, fence: 1 });
    expect(await context.snapshot()).toMatchObject({ contacts: [], messages: 0 });
    await context.processEvents([id]);
    expect(await get(id)).toMatchObject({ state: 'done', attempts: 2 });
    expect((await context.snapshot()).messages).toBe(1);
  },
);

test('a set that takes longer than a lease shows that its worker lives, and nobody takes its events', async () => {
  const id = await sent();
  const real = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const;
  const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  // Only the intervals, which show it, are out of real time.
  jest.useFakeTimers({ doNotFake: [...real, ...others] });
  const other = otherProcess();
  const beats: number[] = [];
  const beatOf = async () => (await listSets(context.connection))[0]?.beat ?? 0;
  async function fourThirds(): Promise<void> {
    for (let third = 1; third <= 4; third += 1) {
      jest.advanceTimersByTime(thirdMs);
      while ((await beatOf()) < third) await new Promise((resolve) => setTimeout(resolve, 5));
      beats.push(await beatOf());
      await other.after(thirdMs);
    }
    await context.processEvents([id]);
  }
  await context.newProcessing({ leaseMs, onStep: once('taken', fourThirds) })([id]);
  await other.close();
  expect(beats).toEqual([1, 2, 3, 4]);
  expect(await get(id)).toMatchObject({ state: 'done', attempts: 1, fence: 1 });
  expect((await context.snapshot()).messages).toBe(1);
});

test('a set that is unchanged for a lease is ended, and its events are hinted, each alone', async () => {
  const ids = [await sent(), await sent()];
  const { onStep, died } = dyingAt('write');
  void context.newProcessing({ onStep })(ids);
  await died;
  const other = otherProcess();
  await other.after(0);
  await other.after(leaseMs - 1);
  expect(await listSets(context.connection)).toHaveLength(1);
  await other.after(1);
  await other.close();
  expect(await listSets(context.connection)).toEqual([]);
  expect(other.jobs.flatMap(eventIdsOf).toSorted()).toEqual([...ids].toSorted());
  expect(other.jobs.map(({ alone }) => alone)).toEqual([true, true]);
  for (const id of ids) expect(await get(id)).toMatchObject({ attempts: 1, alone: true });
});

test('an outage that lasts longer than a lease ends no set', async () => {
  const id = await sent();
  const { onStep, died } = dyingAt('taken');
  void context.newProcessing({ onStep })([id]);
  await died;
  let isAway = false;
  const around: Around = (_name, run) =>
    isAway ? Promise.reject(new AppError('unavailable')) : run();
  const other = otherProcess(surroundedConnection(context.connection, around));
  await other.after(0);
  isAway = true;
  await other.after(leaseMs);
  isAway = false;
  await other.after(leaseMs);
  await other.after(leaseMs - 1);
  await other.close();
  expect(await listSets(context.connection)).toHaveLength(1);
  expect(await get(id)).toMatchObject({ state: 'received', attempts: 0 });
});

test('an event that was changed since it was taken has no effects, and the others of its set go on', async () => {
  const webhook = await context.addWebhook();
  const taken = await context.send(webhook, lead('taken', 1));
  const kept = await context.send(webhook, lead('kept', 2));
  const change = () => events().updateOne({ _id: taken }, { $inc: { fence: 1 } });
  await context.newProcessing({ onStep: once('write', change) })([taken, kept]);
  expect(await get(kept)).toMatchObject({ state: 'done', attempts: 1 });
  expect(await get(taken)).toMatchObject({ state: 'received', fence: 1, attempts: 0 });
  const messages = await collectionOf(context.connection, 'messages').find({}).toArray();
  expect(messages.map(({ _id }) => _id)).toEqual([kept]);
});

test('outcomes that the database rejects at first are tried again while the lease lasts', async () => {
  const id = await sent();
  let refusals = 0;
  const stores = storesWith((name, run) =>
    name === 'events.updateMany' && (refusals += 1) <= 2
      ? Promise.reject(new AppError('unavailable'))
      : run(),
  );
  await context.newProcessing({ stores })([id]);
  expect(refusals).toBe(3);
  expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test.each([1, 3])(
  'a commit whose answer was lost %i times counts as committed once',
  async (losses) => {
    const id = await sent();
    let commits = 0;
    const stores = storesWith(async (name, run) => {
      const result = await run();
      if (name === 'commit' && (commits += 1) <= losses) throw new AppError('unavailable');
      return result;
    });
    const metrics = createMetrics();
    await context.newProcessing({ stores, metrics })([id]);
    expect(commits).toBe(Math.min(losses + 1, 3));
    const done = await get(id);
    expect(done).toMatchObject({ state: 'done', attempts: 1 });
    expect(done?.timeline.map(({ state }) => state)).toEqual(['received', 'done']);
    const { values } = await metrics.processed.get();
    expect(values).toContainEqual({ labels: { outcome: 'done' }, value: 1 });
    expect((await context.snapshot()).messages).toBe(1);
    expect(await listSets(context.connection)).toEqual([]);
  },
);

test('a body of a thousand items is stored in hundreds; a crash between them loses and duplicates none', async () => {
  const webhook = await context.addWebhook({ ...leadMapping, split: 'items' });
  const items = Array.from({ length: 1_000 }, (_, n) => ({ id: `i${n}`, lead: { id: `p${n}` } }));
  const parent = await context.send(webhook, { items });
  const { onStep, died } = dyingAt('items', 2);
  void context.newProcessing({ onStep })([parent]);
  await died;
  expect(await events().countDocuments({ parentId: parent })).toBe(200);
  await endSets(context.connection);
  await context.processEvents([parent]);
  expect(await events().countDocuments({ parentId: parent })).toBe(1_000);
  expect(await events().countDocuments({ parentId: parent, deliveries: 1 })).toBe(1_000);
  expect(await get(parent)).toMatchObject({ state: 'done', items: 1_000, attempts: 2 });
});
