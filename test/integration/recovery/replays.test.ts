// Replays of many events: previewed events are replayed once each, with crashing and concurrent processes.
import { systemClock } from '../../../src/base/clock.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { RunFilter, RunRecord } from '../../../src/domain/events/run.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { QueryTooSlow } from '../../../src/store/db/queries.ts';
import { createStores } from '../../../src/store/stores.ts';
import { storesCrashingAt, type CrashPoint } from '../../support/context/crashing-stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { markWebhookPaused } from '../../../src/store/webhooks/webhooks.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('replays');
});
beforeEach(async () => {
  await context.clear();
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'Ana' };
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const runs = () => collectionOf<RunRecord>(context.connection, 'runs');
let count = 0;
/** An event that ended as given, a minute ago. */
async function addEnded(set: Partial<EventRecord> = {}): Promise<string> {
  const id = await context.send(webhook, { id: `e${(count += 1)}`, lead: { id: `p${count}` } });
  const ended = { state: 'dead', reason: 'contact_unidentified', nextAt: null } as const;
  await events().updateOne(
    { _id: id },
    { $set: { ...ended, finishedAt: new Date(Date.now() - 60_000), ...set }, $unset: { open: '' } },
  );
  return id;
}
const addMany = async (n: number, set?: Partial<EventRecord>) => {
  const ids: string[] = [];
  while (ids.length < n) ids.push(await addEnded(set));
  return ids;
};

const replay = { kind: 'replay', remap: false } as const;
async function begin(filter: RunFilter, over: { perSecond?: number; remap?: boolean } = {}) {
  const selection = { ...replay, filter, ...over };
  const { count: total, exact: totalExact } = await context.stores.events.countSelection(selection);
  return context.stores.runs.create({ perSecond: 1_000, ...selection, total, totalExact }, actor);
}

const makeDue = () => runs().updateMany({ open: true }, { $set: { nextAt: new Date(0) } });

async function tickUntilDone(id: string, ticker = context.newRuns()): Promise<RunRecord> {
  for (let tick = 0; tick < 50; tick += 1) {
    await makeDue();
    await ticker.tick();
    const run = await context.stores.runs.get(id);
    if (run && run.state !== 'running') {
      await ticker.close();
      return run;
    }
  }
  throw new Error('The run does not end.');
}

const states = async () => {
  const found = await events().find({}).sort({ _id: 1 }).toArray();
  return found.map(({ state, generation }) => `${state} ${generation}`);
};

test('the events that a preview counts are replayed, and a preview changes nothing', async () => {
  await addMany(3);
  await addMany(2, { reason: 'required_missing:contact.phone' });
  await addEnded({ state: 'ignored', reason: 'filter' });
  await addEnded({ state: 'done', reason: null });
  await context.send(webhook, { id: 'open', lead: { id: 'o' } });
  const before = await states();
  const selection = { ...replay, filter: { webhookId: [webhook._id] } };
  expect(await context.stores.events.countSelection(selection)).toEqual({
    count: 6,
    exact: true,
    byState: [
      { state: 'dead', count: 5 },
      { state: 'ignored', count: 1 },
    ],
    byReason: [
      { reason: 'contact_unidentified', count: 3 },
      { reason: 'required_missing:contact.phone', count: 2 },
      { reason: 'filter', count: 1 },
    ],
  });
  expect(await states()).toEqual(before);

  const run = await tickUntilDone((await begin(selection.filter))._id);
  expect(run).toMatchObject({ state: 'done', total: 6, replayed: 6, skipped: 0 });
  expect(run.finishedAt).not.toBeNull();
  expect(await events().countDocuments({ state: 'received', generation: 1 })).toBe(6);
  expect(await events().countDocuments({ state: 'done', generation: 0 })).toBe(1);
});

test.each<[string, () => Promise<RunFilter>, number]>([
  ['a reason', async () => ({ reason: ['filter'] }), 1],
  ['a state', async () => ({ state: ['dead'] }), 2],
  ['ids', async () => ({ ids: [(await events().findOne({ state: 'dead' }))?._id ?? ''] }), 1],
  ['a time before all', async () => ({ to: new Date(0) }), 0],
  ['another webhook', async () => ({ webhookId: [(await context.addWebhook())._id] }), 0],
  ['a mapping version', async () => ({ mappingVersion: [7] }), 0],
])('%s chooses, in the preview and in the run', async (_what, filterOf, n) => {
  await addMany(2);
  await addEnded({ state: 'ignored', reason: 'filter' });
  const filter = await filterOf();
  expect((await context.stores.events.countSelection({ ...replay, filter })).count).toBe(n);
  expect(await tickUntilDone((await begin(filter))._id)).toMatchObject({ total: n, replayed: n });
  expect(await events().countDocuments({ generation: 1 })).toBe(n);
});

test('steps follow the order of receipt, and no second has more events than the limit', async () => {
  await addMany(50);
  const run = await begin({ state: ['dead'] }, { perSecond: 20 });
  const ticker = context.newRuns();
  for (let steps = 0; steps < 5;) {
    const waitMs = await ticker.tick();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs / 4));
    steps = Math.floor(((await context.stores.runs.get(run._id))?.replayed ?? 0) / 10);
  }
  await ticker.close();
  const found = await events().find({}).sort({ _id: 1 }).toArray();
  const times = found.map(({ timeline }) => Number(timeline.at(-1)?.at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const inSecondOf = (from: number) => times.filter((at) => at >= from && at < from + 1_000);
  expect(Math.max(...times.map((at) => inSecondOf(at).length))).toBeLessThanOrEqual(20);
});

test('an event that becomes dead again is not replayed again by the same run', async () => {
  const ids = await addMany(4);
  const run = await begin({ state: ['dead'] }, { perSecond: 4 });
  const ticker = context.newRuns();
  await ticker.tick();
  const sent = await events().find({ state: 'received' }).toArray();
  expect(sent).toHaveLength(2);
  const now = { state: 'dead', finishedAt: new Date() } as const;
  await events().updateMany({ state: 'received' }, { $set: now, $unset: { open: '' } });
  expect(await tickUntilDone(run._id, ticker)).toMatchObject({ replayed: 4, skipped: 0 });
  const found = await context.stores.events.getMany(ids);
  expect(found.map(({ generation }) => generation)).toEqual([1, 1, 1, 1]);
});

test('events that end after the start of a run are left for the next one', async () => {
  await addMany(1);
  const open = await context.send(webhook, { id: 'later', lead: { id: 'l' } });
  const run = await begin({ webhookId: [webhook._id] });
  const now = new Date(Date.now() + 1_000);
  await events().updateOne({ _id: open }, { $set: { state: 'dead', finishedAt: now } });
  expect(await tickUntilDone(run._id)).toMatchObject({ total: 1, replayed: 1, skipped: 0 });
  expect(await context.stores.events.get(open)).toMatchObject({ state: 'dead', generation: 0 });
});

test('a repeated step does not replay events that became dead letters since', async () => {
  const ids = await addMany(3);
  const run = await begin({ state: ['dead'] });
  const dying = storesCrashingAt(context.stores, ['events', 'replayMany', 'after']);
  await Promise.race([context.newRuns({ ...dying.stores }).tick(), dying.died]);
  const now = { state: 'dead', finishedAt: new Date(Date.now() + 1_000) } as const;
  await events().updateMany({ state: 'received' }, { $set: now, $unset: { open: '' } });
  expect(await tickUntilDone(run._id)).toMatchObject({ replayed: 3, skipped: 0 });
  const found = await context.stores.events.getMany(ids);
  expect(found.map(({ generation }) => generation)).toEqual([1, 1, 1]);
});

test('a run that is cancelled before its step is planned replays nothing more', async () => {
  await addMany(2);
  const run = await begin({ state: ['dead'] });
  const ticker = context.newRuns({
    runs: {
      ...context.stores.runs,
      saveStep: async (mine, step) => {
        await context.stores.runs.cancel(run._id, actor);
        return context.stores.runs.saveStep(mine, step);
      },
    },
  });
  await ticker.tick();
  await ticker.close();
  expect(await states()).toEqual(['dead 0', 'dead 0']);
});

const points: readonly CrashPoint[] = [
  ['runs', 'claim', 'after'],
  ['runs', 'saveStep', 'before'],
  ['runs', 'saveStep', 'after'],
  ['events', 'replayMany', 'before'],
  ['events', 'replayMany', 'after'],
  ['runs', 'advance', 'before'],
  ['runs', 'advance', 'after'],
  ['runs', 'end', 'before'],
];

test.each(points)(
  'a process that crashes at %s.%s (%s it) leaves a run that another completes, each event replayed once',
  async (...point) => {
    const ids = await addMany(7);
    const run = await begin({ state: ['dead'] }, { perSecond: 6 });
    const dying = storesCrashingAt(context.stores, point);
    const ticker = context.newRuns({ ...dying.stores });
    let isDead = false;
    void dying.died.then(() => (isDead = true));
    for (let tick = 0; tick < 4 && !isDead; tick += 1) {
      await makeDue();
      await Promise.race([ticker.tick(), dying.died]);
    }
    expect(isDead).toBe(true);
    expect(await tickUntilDone(run._id)).toMatchObject({ total: 7, replayed: 7, skipped: 0 });
    const found = await context.stores.events.getMany(ids);
    expect(found.map(({ generation }) => generation)).toEqual(ids.map(() => 1));
  },
);

test('two processes with one run replay each event once', async () => {
  const ids = await addMany(20);
  const run = await begin({ state: ['dead'] }, { perSecond: 6 });
  const tickers = [context.newRuns(), context.newRuns()];
  while ((await context.stores.runs.get(run._id))?.state === 'running') {
    await makeDue();
    await Promise.all(tickers.map((ticker) => ticker.tick()));
  }
  for (const ticker of tickers) await ticker.close();
  expect(await context.stores.runs.get(run._id)).toMatchObject({ replayed: 20, skipped: 0 });
  const found = await context.stores.events.getMany(ids);
  expect(found.map(({ generation }) => generation)).toEqual(ids.map(() => 1));
});

test('a process that was suspended for longer than its lease counts nothing twice', async () => {
  await addMany(3);
  const run = await begin({ state: ['dead'] });
  let goOn = () => {};
  const away = new Promise<void>((resolve) => (goOn = resolve));
  const slow = context.newRuns({
    events: {
      ...context.stores.events,
      replayMany: async (batch) => {
        await away;
        return context.stores.events.replayMany(batch);
      },
    },
  });
  const stalled = slow.tick();
  while (!(await context.stores.runs.get(run._id))?.step)
    await new Promise((done) => setTimeout(done, 10));
  await tickUntilDone(run._id);
  goOn();
  await stalled;
  await slow.close();
  expect(await context.stores.runs.get(run._id)).toMatchObject({ state: 'done', replayed: 3 });
  expect(await states()).toEqual(['received 1', 'received 1', 'received 1']);
});

test('a run that is cancelled in the middle replays nothing more, and reports its progress', async () => {
  await addMany(6);
  const run = await begin({ state: ['dead'] }, { perSecond: 4 });
  const ticker = context.newRuns();
  await ticker.tick();
  const cancel = () => context.stores.runs.cancel(run._id, actor);
  expect(await cancel()).toMatchObject({ ok: true, value: { state: 'cancelled' } });
  await makeDue();
  await ticker.tick();
  await ticker.close();
  expect(await context.stores.runs.get(run._id)).toMatchObject({ state: 'cancelled', replayed: 2 });
  expect(await events().countDocuments({ state: 'dead' })).toBe(4);
  expect(await cancel()).toEqual({ ok: false, reason: 'not_cancellable' });
  const rows = await context.connection
    .collection('audit')
    .find({ 'target.id': run._id })
    .sort({ _id: 1 })
    .toArray();
  expect(rows.map(({ action }) => String(action))).toEqual(['replay.create', 'replay.cancel']);
});

test('events that were replayed by another request are skipped and counted as skipped', async () => {
  const [first = ''] = await addMany(3);
  const run = await begin({ state: ['dead'] });
  const ticker = context.newRuns({
    events: {
      ...context.stores.events,
      replayMany: async (batch) => {
        await context.stores.events.discard(first, actor);
        const before = new Date(Date.now() - 30_000);
        return context.stores.events.replayMany({ ...batch, before });
      },
    },
  });
  expect(await tickUntilDone(run._id, ticker)).toMatchObject({ replayed: 2, skipped: 1 });
});

test('an event that is replayed while its webhook is paused is held', async () => {
  const [id = ''] = await addMany(1);
  await markWebhookPaused(context.stores, webhook._id, actor);
  await tickUntilDone((await begin({ state: ['dead'] }))._id);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({ state: 'held', generation: 1, nextAt: null });
  expect(event).not.toHaveProperty('open');
});

test('a replay that was suspended since it read its webhook as active is repeated, and held', async () => {
  const [id = ''] = await addMany(1);
  const { _id } = await begin({ state: ['dead'] });
  let asleepMs = 0;
  const slow = context.newRuns({
    clock: { ...systemClock, elapsedMs: () => systemClock.elapsedMs() + asleepMs },
    connection: surroundedConnection(context.connection, async (name, run, [filter]) => {
      const isLook = name === 'webhooks.find' && !('status' in (filter as object));
      if (isLook) asleepMs = 10_000;
      const found = await run();
      if (isLook) await markWebhookPaused(context.stores, webhook._id, actor);
      return found;
    }),
  });
  await slow.tick();
  await slow.close();
  expect(await states()).toEqual(['dead 0']);
  expect(await tickUntilDone(_id)).toMatchObject({ replayed: 1, skipped: 0 });
  expect((await context.stores.events.get(id))?.state).toBe('held');
});

test('a split body is not replayed; a partially split one keeps its version', async () => {
  const whole = await addEnded({ state: 'done', items: 2, reason: null });
  const part = await addEnded({ mappingVersion: 9, reason: 'attempts_spent' });
  await addEnded({ state: 'done', reason: null, parentId: part, itemIndex: 0, delivery: null });
  await tickUntilDone((await begin({ webhookId: [webhook._id] }, { remap: true }))._id);
  const found = await context.stores.events.getMany([whole, part]);
  expect(found.map(({ state }) => state)).toEqual(['done', 'received']);
  expect(found[1]?.mappingVersion).toBe(9);
  expect(await events().findOne({ parentId: part })).toMatchObject({ state: 'received' });
});

test('a run whose event query times out is retried, and ends as failed with the reason', async () => {
  await addMany(1);
  const run = await begin({ state: ['dead'] });
  const ticker = context.newRuns({
    events: {
      ...context.stores.events,
      select: () => Promise.reject(new QueryTooSlow('too slow')),
    },
  });
  await ticker.tick();
  const reason = 'selection_too_slow';
  expect(await context.stores.runs.get(run._id)).toMatchObject({
    state: 'running',
    failures: 1,
    reason,
  });
  const ended = await tickUntilDone(run._id, ticker);
  expect(ended).toMatchObject({ state: 'failed', failures: 5, reason });
  expect(ended.finishedAt).not.toBeNull();
});

test('an idle ticker reads twice and writes nothing', async () => {
  const commands: string[] = [];
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const ticker = context.newRuns({ ...createStores(watching) });
  watching.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  await ticker.tick();
  await ticker.close();
  await watching.close();
  expect(commands.filter((name) => name !== 'endSessions')).toEqual(['distinct', 'find']);
});
