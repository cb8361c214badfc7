// Events held by a paused webhook are released in the order of receipt, in bounded steps, and none is lost.
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { RunRecord } from '../../../src/domain/events/run.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { resumeRunId } from '../../../src/store/runs/runs.ts';
import { storesCrashingAt, type CrashPoint } from '../../support/context/crashing-stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import {
  markWebhookPaused,
  markWebhookResumed,
  getWebhook,
  markWebhookArchived,
} from '../../../src/store/webhooks/webhooks.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('held');
});
beforeEach(async () => {
  await context.clear();
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'Ana' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const runs = () => collectionOf<RunRecord>(context.connection, 'runs');
const run = () => context.stores.runs.get(resumeRunId(webhook._id));
const makeDue = () => runs().updateMany({ open: true }, { $set: { nextAt: new Date(0) } });

const pause = async () => void (await markWebhookPaused(context.stores, webhook._id, actor));
const resume = async () => void (await markWebhookResumed(context.stores, webhook._id, actor));

/** Held events of a few people in turns, the first received first. */
async function hold(n: number): Promise<string[]> {
  const paused = await getWebhook(context.stores, webhook._id);
  if (!paused) throw new Error('no webhook');
  const ids: string[] = [];
  for (let made = 0; made < n; made += 1) {
    ids.push(
      await context.send(paused, { id: `h${made}`, lead: { id: `p${made % 3}` }, text: `${made}` }),
    );
  }
  return ids;
}

async function tickUntil(isDone: () => Promise<boolean>, ticker = context.newRuns()) {
  for (let tick = 0; tick < 100; tick += 1) {
    if (await isDone()) return ticker.close();
    await makeDue();
    await ticker.tick();
  }
  throw new Error('The run does not end.');
}
const isEnded = async () => ((await run())?.state ?? 'running') !== 'running';

test('no sweep finds a held event, and a ticker keeps it held while its webhook is paused', async () => {
  await pause();
  const [id = ''] = await hold(1);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({ state: 'held', nextAt: null });
  expect(event).not.toHaveProperty('open');
  expect((await context.stores.events.takeDueEvents({ thinned: false })).due).toEqual([]);
  expect(await context.stores.events.oldestOpenAt()).toBeNull();
  const ticker = context.newRuns();
  await ticker.tick();
  await ticker.close();
  expect((await context.stores.events.get(id))?.state).toBe('held');
  expect(await run()).toBeNull();
});

test('held events are released in steps of a hundred, each after the previous one is processed', async () => {
  await pause();
  const ids = await hold(130);
  await resume();
  const jobs: (readonly string[])[] = [];
  const ticker = context.newRuns({ queue: { hint: (job) => jobs.push(eventIdsOf(job)) } });
  await ticker.tick();
  await makeDue();
  await ticker.tick();
  expect(jobs).toHaveLength(1);
  expect([...(jobs[0] ?? [])].toSorted()).toEqual(ids.slice(0, 100).toSorted());
  expect(await events().countDocuments({ state: 'held' })).toBe(30);

  const [slow = ''] = ids;
  await events().updateMany(
    { state: 'received', _id: { $ne: slow } },
    { $set: { state: 'waiting' } },
  );
  await makeDue();
  await ticker.tick();
  expect(jobs).toHaveLength(1);
  await events().updateOne({ _id: slow }, { $set: { state: 'dead' } });
  await makeDue();
  await ticker.tick();
  expect([...(jobs[1] ?? [])].toSorted()).toEqual(ids.slice(100).toSorted());
  await events().updateMany({ state: 'received' }, { $set: { state: 'done' } });
  await tickUntil(isEnded, ticker);
  expect(await run()).toMatchObject({ state: 'done', kind: 'resume', total: 130, replayed: 130 });
});

test('with two workers, each person’s events are done in the order of receipt', async () => {
  await pause();
  const ids = await hold(230);
  await resume();
  const workers = [context.newProcessing(), context.newProcessing()];
  const inHand: Promise<void>[] = [];
  const hint = (job: ProcessEventsJob) => {
    // Each job goes to both workers at once.
    for (const work of workers) inHand.push(work(eventIdsOf(job)));
  };
  await tickUntil(isEnded, context.newRuns({ queue: { hint } }));
  await Promise.all(inHand);
  const found = await events().find({}).sort({ _id: 1 }).toArray();
  expect(found.map(({ _id }) => _id)).toEqual(ids);
  expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['done']));
  const taken = found.map(({ timeline }) => Number(timeline.at(-1)?.startedAt));
  const finished = found.map(({ finishedAt }) => Number(finishedAt));
  for (const cut of [100, 200]) {
    expect(Math.max(...finished.slice(0, cut))).toBeLessThanOrEqual(Math.min(...taken.slice(cut)));
  }
});

test('a run stops at a pause, and continues to its end after a resume', async () => {
  await pause();
  await hold(120);
  await resume();
  const ticker = context.newRuns();
  await ticker.tick();
  expect(await events().countDocuments({ state: 'held' })).toBe(20);
  await events().updateMany({ state: 'received' }, { $set: { state: 'done' } });
  await pause();
  await makeDue();
  await ticker.tick();
  await ticker.close();
  expect(await run()).toMatchObject({ state: 'cancelled', replayed: 100 });
  expect(await events().countDocuments({ state: 'held' })).toBe(20);
  await resume();
  await tickUntil(async () => (await events().countDocuments({ state: 'held' })) === 0);
  expect(await run()).toMatchObject({ state: 'running', replayed: 20 });
});

test('a process that wakes after its lease, when its webhook is paused again, releases nothing', async () => {
  await pause();
  await hold(3);
  await resume();
  const slow = context.newRuns({
    runs: {
      ...context.stores.runs,
      saveStep: async (...given) => {
        const isPlanned = await context.stores.runs.saveStep(...given);
        await pause();
        await tickUntil(isEnded);
        await resume();
        return isPlanned;
      },
    },
  });
  await tickUntil(async () => (await run()) !== null, slow);
  await slow.tick();
  expect(await events().countDocuments({ state: 'held' })).toBe(3);
});

test('a process that was suspended since it read its webhook as active releases nothing', async () => {
  await pause();
  await hold(3);
  await resume();
  let asleepMs = 0;
  let looks = 0;
  const slow = context.newRuns({
    clock: { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + asleepMs },
    connection: surroundedConnection(context.connection, async (name, run, [filter]) => {
      const found = await run();
      if (name !== 'webhooks.find' || 'status' in (filter as object)) return found;
      looks += 1;
      // The first read begins the step, the second is the last before its end.
      if (looks === 2) {
        await pause();
        asleepMs = 10_000;
      }
      return found;
    }),
  });
  await slow.tick();
  await makeDue();
  await slow.tick();
  await slow.close();
  expect(looks).toBeGreaterThanOrEqual(2);
  expect(await events().countDocuments({ state: 'held' })).toBe(3);
});

test('held events of an archived or deleted webhook stay held, and can be discarded', async () => {
  await pause();
  const [id = ''] = await hold(2);
  await markWebhookArchived(context.stores, webhook._id, actor);
  const ticker = context.newRuns();
  await ticker.tick();
  expect(await run()).toBeNull();
  const order = { held: { count: 2, exact: true }, by: actor };
  await context.stores.runs.ensureResume(webhook._id, order);
  await tickUntil(isEnded, ticker);
  expect((await run())?.state).toBe('cancelled');
  await collectionOf(context.connection, 'webhooks').deleteOne({ _id: webhook._id });
  await context.stores.runs.ensureResume(webhook._id, order);
  await tickUntil(isEnded);
  expect(await events().countDocuments({ state: 'held' })).toBe(2);
  await context.stores.events.discard(id, actor);
  expect((await context.stores.events.get(id))?.state).toBe('discarded');
});

test('an event that is held after the run has ended is found too', async () => {
  const held = { ...webhook, status: 'paused' as const };
  const id = await context.send(held, { id: 'late', lead: { id: 'l' } });
  expect((await context.stores.events.get(id))?.state).toBe('held');
  await tickUntil(async () => (await context.stores.events.get(id))?.state === 'received');
  await context.processEvents([id]);
  await tickUntil(isEnded);
  const again = await context.send(held, { id: 'later', lead: { id: 'l' } });
  await tickUntil(async () => (await context.stores.events.get(again))?.state === 'received');
});

const points: readonly CrashPoint[] = [
  ['runs', 'ensureResume', 'after'],
  ['runs', 'claim', 'after'],
  ['runs', 'saveStep', 'after'],
  ['events', 'releaseHeld', 'before'],
  ['events', 'releaseHeld', 'after'],
  ['runs', 'advance', 'before'],
  ['runs', 'advance', 'after'],
];

test.each(points)(
  'a process that crashes at %s.%s (%s it) leaves no held event behind, and counts correctly',
  async (...point) => {
    await pause();
    await hold(3);
    await resume();
    const dying = storesCrashingAt(context.stores, point);
    await Promise.race([context.newRuns({ ...dying.stores }).tick(), dying.died]);
    const jobs: string[] = [];
    const hint = (job: ProcessEventsJob) => void jobs.push(...eventIdsOf(job));
    await tickUntil(
      async () => (await events().countDocuments({ state: 'held' })) === 0,
      context.newRuns({ queue: { hint } }),
    );
    await events().updateMany({ state: 'received' }, { $set: { state: 'done' } });
    await tickUntil(isEnded);
    expect(await run()).toMatchObject({ state: 'done', replayed: 3 });
    const found = await events().find({}).toArray();
    const resumed = found.map(
      ({ timeline }) => timeline.filter(({ reason }) => reason === 'resumed').length,
    );
    expect(resumed).toEqual([1, 1, 1]);
  },
);

test('a live event does not wait behind held events', async () => {
  await pause();
  await hold(120);
  await resume();
  await context.newRuns().tick();
  const active = await getWebhook(context.stores, webhook._id);
  const live = await context.send(active ?? webhook, { id: 'live', lead: { id: 'p1' } });
  await context.processEvents([live]);
  expect((await context.stores.events.get(live))?.state).toBe('done');
  expect(await events().countDocuments({ state: 'held' })).toBe(20);
});

test('held events are found by an index of held events only, with one key per webhook', async () => {
  await pause();
  await hold(40);
  const { queryPlanner, executionStats } = (await context.connection
    .getClient()
    .db(context.connection.name)
    .command({
      explain: { distinct: 'events', key: 'webhookId', query: { state: 'held' } },
      verbosity: 'executionStats',
    })) as { queryPlanner: unknown; executionStats: { totalKeysExamined: number } };
  expect(JSON.stringify(queryPlanner)).toContain('DISTINCT_SCAN');
  expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(2);
});
