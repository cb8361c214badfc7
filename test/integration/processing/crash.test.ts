// A worker that crashes between any two steps: its set ends, another worker takes over, and no effect is lost or repeated.
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { startSetExpiry } from '../../../src/processing/sets/expire-sets.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { dyingAt, setSteps } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('crash');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (id: string, over: object = {}) => ({
  id,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: 'Ana', phone: '+55 11 90000-0001', email: 'ana@example.com', ...over },
  label: 'Lead',
});
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const get = (id: string) => context.stores.events.get(id);

/** A worker with these events dies before the step, and its set ends. */
async function crashAt(step: SetStep, ids: readonly string[]): Promise<void> {
  const { onStep, died } = dyingAt(step);
  void context.newProcessing({ onStep })(ids);
  await died;
  await endSets(context.connection);
}

test.each(setSteps)('a crash before %s repeats and loses nothing', async (step) => {
  const webhook = await context.addWebhook();
  const ids = [await context.send(webhook, lead('e1')), await context.send(webhook, lead('e2'))];
  await crashAt(step, ids);
  const isCommitted = step === 'committed';
  expect((await context.snapshot()).messages).toBe(isCommitted ? 2 : 0);
  for (const id of ids) await context.processEvents([id]);
  const after = await context.snapshot();
  expect(after).toMatchObject({ messages: 2, conflicts: 0, tombstones: 0 });
  expect(after.contacts).toHaveLength(1);
  expect(after.contacts[0]?.chats).toHaveLength(1);
  const attempts = isCommitted ? 1 : 2;
  for (const event of await context.stores.events.getMany(ids))
    expect(event).toMatchObject({ state: 'done', attempts });
});

test('after a crash, events that are processed in another order give the same chat', async () => {
  const webhook = await context.addWebhook();
  const send = (n: number) =>
    context.send(webhook, {
      ...lead(`e${n}`),
      at: `2026-01-0${n}T12:00:00Z`,
      label: `Label ${n}`,
      origin: `origin ${n}`,
    });
  const process = async (crashes: boolean): Promise<unknown> => {
    await context.clear();
    const ids = [await send(1), await send(2)];
    if (crashes) await crashAt('commit', ids);
    for (const id of crashes ? ids.toReversed() : ids) await context.processEvents([id]);
    return context.snapshot();
  };
  expect(await process(true)).toEqual(await process(false));
});

test('a worker whose set ended writes nothing over the one that took over', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  let resume = () => {};
  const paused = new Promise<void>((resolve) => (resume = resolve));
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const onStep = async (step: SetStep): Promise<void> => {
    if (step !== 'outcomes') return;
    reach();
    await paused;
  };
  const stalled = context.newProcessing({ onStep })([id]);
  await reached;
  await endSets(context.connection);
  await context.processEvents([id]);
  const done = await get(id);
  const after = await context.snapshot();
  expect(done).toMatchObject({ state: 'done' });
  resume();
  await stalled;
  expect(await get(id)).toEqual(done);
  expect(await context.snapshot()).toEqual(after);
  expect(after.messages).toBe(1);
});

test('an event whose last attempt ended without an outcome is dead, with the reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  await events().updateOne({ _id: id }, { $set: { attempts: 8 } });
  await crashAt('write', [id]);
  const dead = await get(id);
  expect(dead).toMatchObject({ state: 'dead', reason: 'attempts_spent', attempts: 9 });
  expect(dead).not.toHaveProperty('open');
  await context.processEvents([id]);
  expect(await get(id)).toEqual(dead);
});

test('an event whose set ended is processed alone, so that it fails no other event', async () => {
  const webhook = await context.addWebhook();
  const poison = await context.send(webhook, lead('poison'));
  const other = await context.send(webhook, lead('other'));
  const neighbour = await context.send(webhook, lead('neighbour'));
  await crashAt('write', [poison, neighbour]);
  await context.processEvents([poison, other]);
  expect(await get(poison)).toMatchObject({ state: 'received', attempts: 1, alone: true });
  expect((await get(other))?.state).toBe('done');
  for (const id of [poison, neighbour]) {
    await context.processEvents([id]);
    const done = await get(id);
    expect(done).toMatchObject({ state: 'done', attempts: 2, crashes: 0 });
    expect(done).not.toHaveProperty('alone');
  }
});

test('an event that crashes its worker three times while alone is dead, with the reason; its neighbours are not nearer to it', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('poison'));
  const neighbour = await context.send(webhook, lead('neighbour'));
  await crashAt('taken', [id, neighbour]);
  for (let crash = 1; crash <= 3; crash += 1) {
    expect(await get(id)).toMatchObject({ state: 'received', crashes: crash - 1 });
    await crashAt('taken', [id]);
  }
  expect(await get(id)).toMatchObject({ state: 'dead', reason: 'crashed_worker', attempts: 4 });
  expect(await get(neighbour)).toMatchObject({ state: 'received', attempts: 1, crashes: 0 });
});

test('a failing step makes the event wait, with the reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  const onStep = (step: SetStep) =>
    step === 'write' ? Promise.reject(new Error('boom')) : Promise.resolve();
  await context.newProcessing({ onStep, random: () => 1 })([id]);
  const event = await get(id);
  expect(event).toMatchObject({
    state: 'waiting',
    reason: 'internal_error',
    attempts: 1,
    open: true,
  });
  expect(event?.dueAt).toEqual(event?.nextAt);
  expect(await context.snapshot()).toMatchObject({ contacts: [], messages: 0 });
  // Its own wait is a few seconds, which a busy machine may take.
  const inAnHour = new Date(+(event?.dueAt ?? 0) + 3_600_000);
  await events().updateOne({ _id: id }, { $set: { dueAt: inAnHour } });
  await context.processEvents([id]);
  expect((await get(id))?.state).toBe('waiting');
});

test('an event that fails its set does not fail the others', async () => {
  const webhook = await context.addWebhook();
  const ids: string[] = [];
  for (const n of [1, 2, 3, 4, 5])
    ids.push(
      await context.send(webhook, lead(`e${n}`, { phone: `+55 11 90000-000${n}`, email: null })),
    );
  const [, , bad = ''] = ids;
  const connection = surroundedConnection(context.connection, (name, run, [records]) =>
    name === 'messages.insertMany' && (records as { _id: string }[]).some(({ _id }) => _id === bad)
      ? Promise.reject(new TypeError('internal_error'))
      : run(),
  );
  await context.newProcessing({ stores: { ...context.stores, connection } })(ids);
  for (const id of ids) expect((await get(id))?.state).toBe(id === bad ? 'waiting' : 'done');
  expect(await listSets(context.connection)).toEqual([]);
});

test('an event without attempts left is counted under its final reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('poison'));
  await events().updateOne({ _id: id }, { $set: { alone: true, crashes: 2, attempts: 3 } });
  const { onStep, died } = dyingAt('begin');
  void context.newProcessing({ onStep })([id]);
  await died;
  const metrics = createMetrics();
  let elapsed = 0;
  const expiry = startSetExpiry({
    ...context.stores,
    queue: { hint: () => {} },
    leaseMs: 60_000,
    logger: silentLogger(),
    metrics,
    clock: { now: () => new Date(), elapsedMs: () => elapsed },
  });
  await expiry.tick();
  elapsed = 60_000;
  await expiry.tick();
  await expiry.close();
  const dead = await get(id);
  expect(dead).toMatchObject({ state: 'dead', reason: 'crashed_worker' });
  expect(dead).not.toHaveProperty('alone');
  const { values } = await metrics.dead.get();
  expect(values).toEqual([{ labels: { reason: 'crashed_worker' }, value: 1 }]);
});
