// A worker that crashes between any two steps: its lease ends, another worker takes over, and no effect is repeated.
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import { storesCrashingAt, type CrashPoint } from '../../support/context/crash-points.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

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

const points: readonly CrashPoint[] = [
  ['events', 'claim', 'after'],
  ['identities', 'claim', 'before'],
  ['identities', 'claim', 'after'],
  ['contacts', 'applyChanges', 'after'],
  ['labels', 'ensureIds', 'after'],
  ['messages', 'insert', 'before'],
  ['messages', 'insert', 'after'],
  ['chats', 'open', 'before'],
  ['chats', 'open', 'after'],
  ['events', 'finish', 'before'],
  ['events', 'finish', 'after'],
];

async function endLeases(): Promise<void> {
  await collectionOf<EventRecord>(context.connection, 'events').updateMany(
    { state: 'processing' },
    { $set: { dueAt: new Date(0) } },
  );
}

const closeAllChats = () =>
  collectionOf(context.connection, 'chats').updateMany(
    {},
    { $set: { status: 'closed' }, $unset: { open: '' } },
  );

test.each(points)('a crash at %s.%s (%s it) repeats and loses nothing', async (...point) => {
  const webhook = await context.addWebhook();
  const ids = [await context.send(webhook, lead('e1')), await context.send(webhook, lead('e2'))];
  const dying = storesCrashingAt(context.stores, point);
  void context.newProcessing({ stores: dying.stores })(ids);
  await dying.died;
  await endLeases();
  for (const id of ids) await context.processEvents([id]);
  const after = await context.snapshot();
  expect(after).toMatchObject({ messages: 2, conflicts: 0, tombstones: 0 });
  expect(after.contacts).toHaveLength(1);
  expect(after.contacts[0]?.chats).toHaveLength(1);
  for (const event of await context.stores.events.getMany(ids)) expect(event.state).toBe('done');
});

test('a chat that a later event opens after a crash has the opening and the labels of the earlier one too', async () => {
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
    if (crashes) {
      const dying = storesCrashingAt(context.stores, ['messages', 'insert', 'after']);
      void context.newProcessing({ stores: dying.stores })(ids);
      await dying.died;
      await endLeases();
    }
    for (const id of ids.toReversed()) await context.processEvents([id]);
    return context.snapshot();
  };
  expect(await process(true)).toEqual(await process(false));
});

test('a chat that is opened before its message is not dated, so that no list shows it', async () => {
  const webhook = await context.addWebhook();
  await context.processEvents([await context.send(webhook, lead('e1'))]);
  await closeAllChats();
  const dying = storesCrashingAt(context.stores, ['chats', 'applyChanges', 'after']);
  void context.newProcessing({ stores: dying.stores })([await context.send(webhook, lead('e2'))]);
  await dying.died;
  const [contact] = (await context.snapshot()).contacts;
  expect(contact?.chats).toMatchObject([
    { lastMessageAt: new Date('2026-01-06T12:00:00Z') },
    { lastMessageAt: null, messages: [] },
  ]);
});

test('a message whose chat was never opened goes to the chat of the contact that its contact was merged into', async () => {
  const webhook = await context.addWebhook();
  const [one, other] = [
    await context.send(
      webhook,
      lead('e1', { phone: '+55 11 90000-0002', email: 'eva@example.com' }),
    ),
    await context.send(webhook, lead('e2')),
  ];
  await context.processEvents([one]);
  const dying = storesCrashingAt(context.stores, ['chats', 'open', 'before']);
  void context.newProcessing({ stores: dying.stores })([other]);
  await dying.died;
  const survivor = await context.stores.events.get(one);
  const [message] = await context.stores.messages.getMany([other]);
  const merged = await context.stores.people.merge(
    survivor?.effects?.contactId ?? '',
    message?.contactId ?? '',
    { tokenId: 'test', name: 'test' },
  );
  expect(merged).toMatchObject({ ok: true });
  await endLeases();
  await context.processEvents([other]);
  const done = await context.stores.events.get(other);
  expect(done).toMatchObject({ state: 'done', effects: { chatId: survivor?.effects?.chatId } });
  const [contact] = (await context.snapshot()).contacts;
  expect(contact?.chats[0]?.messages).toHaveLength(2);
});

test('a message whose chat was closed before its event was done moves to the open chat', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  const dying = storesCrashingAt(context.stores, ['events', 'finish', 'before']);
  void context.newProcessing({ stores: dying.stores })([id]);
  await dying.died;
  await closeAllChats();
  await endLeases();
  await context.processEvents([id]);
  const [contact] = (await context.snapshot()).contacts;
  expect(contact?.chats.map(({ messages }) => messages.length).toSorted()).toEqual([0, 1]);
  const event = await context.stores.events.get(id);
  expect(await context.stores.chats.getMany([event?.effects?.chatId ?? ''])).toMatchObject([
    { open: true },
  ]);
});

test('a worker that lost its lease writes no outcome over the one that took over', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  let resume = () => {};
  const paused = new Promise<void>((resolve) => (resume = resolve));
  const stalled = context.newProcessing({
    stores: {
      ...context.stores,
      events: {
        ...context.stores.events,
        finish: async (finishes) => {
          await paused;
          return context.stores.events.finish(finishes);
        },
      },
    },
  })([id]);
  while ((await context.stores.events.get(id))?.state !== 'processing') await pause();
  await endLeases();
  await context.processEvents([id]);
  const done = await context.stores.events.get(id);
  resume();
  await stalled;
  expect(await context.stores.events.get(id)).toEqual(done);
  expect((await context.snapshot()).messages).toBe(1);
});

test('an event whose last attempt ended without a result is dead, with the reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  const events = collectionOf<EventRecord>(context.connection, 'events');
  await events.updateOne(
    { _id: id },
    { $set: { attempts: 9, state: 'processing', dueAt: new Date(0) } },
  );
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent',
  });
});

test('an event whose lease ended is processed alone, so that it fails no other event', async () => {
  const webhook = await context.addWebhook();
  const poison = await context.send(webhook, lead('poison'));
  const other = await context.send(webhook, lead('other'));
  await collectionOf<EventRecord>(context.connection, 'events').updateOne(
    { _id: poison },
    { $set: { attempts: 1, state: 'processing', dueAt: new Date(0) } },
  );
  await context.processEvents([poison, other]);
  expect((await context.stores.events.get(poison))?.state).toBe('processing');
  expect((await context.stores.events.get(other))?.state).toBe('done');
  await context.processEvents([poison]);
  const done = await context.stores.events.get(poison);
  expect(done).toMatchObject({ state: 'done', attempts: 2, crashes: 0 });
  expect(done).not.toHaveProperty('alone');
});

test('an event that crashes its worker three times while alone is dead, with the reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('poison'));
  for (let crash = 0; crash < 4; crash += 1) {
    const dying = storesCrashingAt(context.stores, ['labels', 'ensureIds', 'before']);
    void context.newProcessing({ stores: dying.stores })([id]);
    await dying.died;
    await endLeases();
  }
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'dead',
    reason: 'crashed_worker',
    attempts: 4,
  });
});

test('a failing step makes the set wait, with the reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('e1'));
  const failing = { ...context.stores.messages, insert: () => Promise.reject(new Error('boom')) };
  await context.newProcessing({
    stores: { ...context.stores, messages: failing },
    random: () => 1,
  })([id]);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({
    state: 'waiting',
    reason: 'internal_error',
    attempts: 1,
    open: true,
  });
  expect(event?.dueAt).toEqual(event?.nextAt);
  // Its own wait is a few seconds, which a busy machine may take.
  const inAnHour = new Date(+(event?.dueAt ?? 0) + 3_600_000);
  await collectionOf<EventRecord>(context.connection, 'events').updateOne(
    { _id: id },
    { $set: { dueAt: inAnHour } },
  );
  await context.processEvents([id]);
  expect((await context.stores.events.get(id))?.state).toBe('waiting');
});

test('an event that fails its set does not fail the others', async () => {
  const webhook = await context.addWebhook();
  const good = await context.send(webhook, lead('good'));
  const bad = await context.send(
    webhook,
    lead('bad', { phone: '+55 11 90000-0002', email: undefined }),
  );
  const { messages } = context.stores;
  const picky: typeof messages = {
    ...messages,
    insert: (records) =>
      records.some(({ eventId }) => eventId === bad)
        ? Promise.reject(new TypeError('internal_error'))
        : messages.insert(records),
  };
  await context.newProcessing({ stores: { ...context.stores, messages: picky } })([good, bad]);
  expect((await context.stores.events.get(good))?.state).toBe('done');
  expect((await context.stores.events.get(bad))?.state).toBe('waiting');
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

test('an event without attempts left is counted under its final reason', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, lead('poison'));
  await collectionOf<EventRecord>(context.connection, 'events').updateOne(
    { _id: id },
    { $set: { state: 'processing', alone: true, crashes: 2, attempts: 3, dueAt: new Date(0) } },
  );
  const metrics = createMetrics();
  await context.newProcessing({ metrics })([id]);
  const dead = await context.stores.events.get(id);
  expect(dead).toMatchObject({ state: 'dead', reason: 'crashed_worker' });
  expect(dead).not.toHaveProperty('alone');
  const { values } = await metrics.dead.get();
  expect(values).toEqual([{ labels: { reason: 'crashed_worker' }, value: 1 }]);
});
