// Chats: a contact has at most one open chat, its opening is that of the earliest event, and a stored message keeps its
// chat.
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('chats');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (n: number, over: object = {}) => ({
  id: `e${n}`,
  at: `2026-01-0${n}T12:00:00Z`,
  text: `hello ${n}`,
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
  ...over,
});
const chats = () => collectionOf<ChatRecord>(context.connection, 'chats');
const messages = () => collectionOf<MessageRecord>(context.connection, 'messages');
const page = { skip: 0, limit: 10, sort: { lastMessageAt: -1 } } as const;
const listed = async () =>
  (await context.stores.inbox.listChats({ statuses: ['ura_webhook'] }, page)).results;

async function processLead(n: number, over: object = {}): Promise<EventRecord> {
  const id = await context.send(webhook, lead(n, over));
  await context.processEvents([id]);
  const event = await context.stores.events.get(id);
  if (!event) throw new Error('The event is gone.');
  return event;
}

/** Processes the event up to the named call. */
async function dieAt(id: string, store: 'messages' | 'events', call: string): Promise<void> {
  await new Promise<void>((died) => {
    const dying = () => {
      died();
      return new Promise<never>(() => {});
    };
    const target = { ...context.stores[store], [call]: dying };
    const stores: Stores = { ...context.stores, [store]: target };
    void context.newProcessing({ stores })([id]);
  });
  await collectionOf<EventRecord>(context.connection, 'events').updateOne(
    { _id: id },
    { $set: { dueAt: new Date(0) } },
  );
}

test('an open chat is reused by an event of another sector, and stays in the sector of the earliest', async () => {
  await processLead(2, { sector: 'Vendas', origin: 'google' });
  await processLead(3, { sector: 'Suporte', origin: 'meta' });
  const sectorOf = async () => (await listed()).map(({ sector }) => sector?.name);
  expect(await sectorOf()).toEqual(['Vendas']);
  // The event with the earliest date is the opener, although it is received later.
  await processLead(1, { sector: 'Caixa' });
  expect(await sectorOf()).toEqual(['Caixa']);
  expect(await listed()).toMatchObject([{ opening: { origin: null } }]);
  expect(await messages().countDocuments()).toBe(3);
});

test('an open chat without a message is not listed, and the next event of its contact uses it', async () => {
  await processLead(1);
  await chats().updateMany({}, { $set: { status: 'closed' }, $unset: { open: '' } });
  await dieAt(await context.send(webhook, lead(2)), 'messages', 'insert');
  const empty = await chats().findOne({ open: true });
  expect(empty).toMatchObject({ lastMessageAt: null });
  expect(await listed()).toEqual([]);
  const { effects } = await processLead(3);
  expect(effects?.chatId).toBe(empty?._id);
  expect((await listed()).map(({ _id }) => _id)).toEqual([empty?._id]);
});

test('the database rejects a second open chat for a contact, and accepts a closed one', async () => {
  await processLead(1);
  const [chat] = await chats().find().toArray();
  if (!chat) throw new Error('No chat was opened.');
  const second: ChatRecord = { ...chat, _id: 'second' };
  expect(await context.stores.chats.applyChanges([second], [])).toEqual(new Set([chat.contactId]));
  await chats().updateOne({ _id: chat._id }, { $set: { status: 'closed' }, $unset: { open: '' } });
  expect(await context.stores.chats.applyChanges([second], [])).toEqual(new Set());
});

test('an event whose message is already in an open chat takes that chat, also after its contact changed', async () => {
  const id = await context.send(webhook, lead(1));
  await dieAt(id, 'events', 'finish');
  const [message] = await messages().find().toArray();
  const other = 'c-other';
  await context.stores.contacts.applyChanges([
    { contactId: other, channelId: webhook.channelId, registers: {}, isNew: true },
  ]);
  await collectionOf<{ _id: string; contactId: string }>(
    context.connection,
    'identities',
  ).updateMany({}, { $set: { contactId: other } });
  await context.processEvents([id]);
  const done = await context.stores.events.get(id);
  expect(done).toMatchObject({ state: 'done', effects: { chatId: message?.chatId } });
  expect(await chats().countDocuments()).toBe(1);
  expect(await messages().countDocuments()).toBe(1);
});

test('a late worker with an already stored message lists no chat for it, and reports the existing chat', async () => {
  const id = await context.send(webhook, lead(1));
  let wake = () => {};
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const stores: Stores = {
    ...context.stores,
    messages: {
      ...context.stores.messages,
      insert: async (records) => {
        stop();
        await new Promise<void>((resolve) => (wake = resolve));
        return context.stores.messages.insert(records);
      },
    },
    // The fence rejects its write to the event, which this test does not check.
    events: { ...context.stores.events, finish: () => Promise.resolve(new Set([id])) },
  };
  const late = context.newProcessing({ stores })([id]);
  await stopped;
  await collectionOf<EventRecord>(context.connection, 'events').updateOne(
    { _id: id },
    { $set: { dueAt: new Date(0) } },
  );
  await context.processEvents([id]);
  wake();
  await late;
  const [message, ...others] = await messages().find().toArray();
  expect(others).toEqual([]);
  const dated = await chats()
    .find({ lastMessageAt: { $ne: null } })
    .toArray();
  expect(dated.map(({ _id }) => _id)).toEqual([message?.chatId]);
  expect(await chats().countDocuments()).toBe(1);
});

test('once its event is done a message stays in its chat, even a closed one', async () => {
  const { _id } = await processLead(1);
  const [before] = await messages().find().toArray();
  await chats().updateMany({}, { $set: { status: 'closed' }, $unset: { open: '' } });
  await processLead(2);
  await context.processEvents([_id]);
  expect(await messages().findOne({ eventId: _id })).toEqual(before);
  expect(await chats().countDocuments()).toBe(2);
});

test('an event that is dated at the very beginning of the calendar is done as any other', async () => {
  const webhook = await context.addWebhook();
  const id = await context.send(webhook, {
    id: 'epoch',
    at: '1970-01-01T00:00:00Z',
    text: 'hello',
    lead: { name: 'Ana', phone: '+55 11 90000-0001' },
  });
  await context.processEvents([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'done' });
  const [contact] = (await context.snapshot()).contacts;
  expect(contact?.chats).toMatchObject([{ lastMessageAt: new Date(0) }]);
});

test('the events of a webhook create a bounded number of labels; a further one is left out with a problem', async () => {
  const labels = collectionOf<{ _id: string; nameKey: string; webhookId: string }>(
    context.connection,
    'labels',
  );
  const { _id: webhookId } = webhook;
  const made = Array.from({ length: 999 }, (_, n) => `made ${n}`);
  await labels.deleteMany({});
  await labels.insertMany(
    made.map((nameKey) => ({ _id: nameKey, name: nameKey, nameKey, webhookId })),
  );
  const last = await processLead(1, { label: 'the last one' });
  const beyond = await processLead(2, { label: 'one too many' });
  const known = await processLead(3, { label: 'made 7' });
  const problems = [last, beyond, known].map((event) => event.problems.map(({ code }) => code));
  expect(problems).toEqual([[], ['too_many_names'], []]);
  expect(beyond.state).toBe('done');
  expect(await labels.countDocuments({ webhookId })).toBe(1_000);
  const [chat] = await chats().find().toArray();
  expect(chat?.labelIds).toHaveLength(2);
  await labels.deleteMany({});
});

test('and a bounded number of sectors', async () => {
  const sectors = collectionOf<{ _id: string; nameKey: string; webhookId: string }>(
    context.connection,
    'sectors',
  );
  const { _id: webhookId } = webhook;
  const made = Array.from({ length: 200 }, (_, n) => `made ${n}`);
  await sectors.deleteMany({});
  await sectors.insertMany(
    made.map((nameKey) => ({ _id: nameKey, name: nameKey, nameKey, webhookId })),
  );
  const beyond = await processLead(1, { sector: 'one too many' });
  expect(beyond.problems.map(({ code }) => code)).toEqual(['too_many_names']);
  expect(await sectors.countDocuments({ webhookId })).toBe(200);
  await sectors.deleteMany({});
});

describe.each([
  ['its message is stored', 'messages', 'insert'],
  ['its message is in the list', 'chats', 'raiseLastMessageAt'],
] as const)('a chat that a person closes before %s', (_moment, store, step) => {
  const closer = { agentId: null, actor: { tokenId: 'test', name: 'test' } };

  test('keeps no message of the event, which goes to a new chat', async () => {
    const first = await processLead(1);
    const closedId = first.effects?.chatId ?? '';
    const id = await context.send(webhook, lead(2));
    let isClosed = false;
    const proceed = context.stores[store][step as never] as (...given: unknown[]) => unknown;
    const closing = async (...given: unknown[]) => {
      if (!isClosed) await context.stores.conversations.close(closedId, null, closer);
      isClosed = true;
      return proceed(...given);
    };
    const target = { ...context.stores[store], [step]: closing };
    await context.newProcessing({ stores: { ...context.stores, [store]: target } })([id]);
    const event = await context.stores.events.get(id);
    expect(event).toMatchObject({ state: 'done', attempts: 1 });
    const chatId = event?.effects?.chatId ?? '';
    expect(chatId).not.toBe(closedId);
    const texts = async (of: string) =>
      (await messages().find({ chatId: of }).toArray()).map(({ content }) => content.message);
    expect(await texts(closedId)).toEqual(['hello 1']);
    expect(await texts(chatId)).toEqual(['hello 2']);
    expect((await listed()).map(({ _id }) => _id)).toEqual([chatId]);
    expect(await chats().findOne({ _id: closedId })).toMatchObject({
      status: 'closed',
      lastMessageAt: new Date('2026-01-01T12:00:00Z'),
    });
  });
});

test('a message goes to the chat that a person starts before the first chat of the contact is opened', async () => {
  const id = await context.send(webhook, lead(1));
  const { stores } = context;
  let startedId = '';
  const open: typeof stores.chats.open = async (records) => {
    const [chat] = records;
    const given = { contactId: chat?.contactId ?? '', channelId: chat?.channelId ?? '' };
    const start = { ...given, sectorId: null };
    const started = await stores.conversations.start(start, {
      agentId: null,
      actor: { tokenId: 'test', name: 'test' },
    });
    startedId = started.ok ? started.value.chat._id : '';
    return stores.chats.open(records);
  };
  await context.newProcessing({ stores: { ...stores, chats: { ...stores.chats, open } } })([id]);
  const event = await stores.events.get(id);
  expect(event).toMatchObject({ state: 'done', attempts: 1, effects: { chatId: startedId } });
  expect(await messages().findOne({ eventId: id })).toMatchObject({ chatId: startedId });
  expect(await chats().countDocuments()).toBe(1);
});

test('a message goes to a new chat when another worker opened the first one and a person closed it', async () => {
  const id = await context.send(webhook, lead(1));
  const { stores } = context;
  const open: typeof stores.chats.open = async (records) => {
    await stores.chats.open(records);
    const closer = { agentId: null, actor: { tokenId: 'test', name: 'test' } };
    for (const { _id } of records) await stores.conversations.close(_id, null, closer);
    return stores.chats.open(records);
  };
  await context.newProcessing({ stores: { ...stores, chats: { ...stores.chats, open } } })([id]);
  const event = await stores.events.get(id);
  expect(event).toMatchObject({ state: 'done', attempts: 1 });
  const message = await messages().findOne({ eventId: id });
  expect(message?.chatId).toBe(event?.effects?.chatId);
  const found = await chats().find().sort({ startedAt: 1 }).toArray();
  expect(found.map(({ status }) => status)).toEqual(['closed', 'ura_webhook']);
  expect(message?.chatId).toBe(found[1]?._id);
});

test('a message stays in its channel when a person transfers its chat before it is stored', async () => {
  const other = await context.addWebhook();
  const { stores } = context;
  const executor = { agentId: null, actor: { tokenId: 'test', name: 'test' } };
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await context.clear();
    const { chatId = '', contactId = '' } = (await processLead(1)).effects ?? {};
    const id = await context.send(webhook, lead(2));
    const run = await startSteppedWorker(context, [id]);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    const isStored = (await messages().countDocuments({ eventId: id })) > 0;
    const { channelId } = other;
    const to = valueOf(await stores.people.counterpartIn(contactId, channelId, executor.actor));
    const transfer = { to: { channelId, contactId: to._id }, isKept: false, annotation: null };
    valueOf(await stores.conversations.transfer(chatId, transfer, executor));
    await run.toEnd();
    const message = await messages().findOne({ eventId: id });
    const chat = await chats().findOne({ _id: message?.chatId ?? '' });
    const isMoved = chat?._id !== chatId;
    expect({ stop, isStored, isMoved }).toEqual({ stop, isStored, isMoved: isMoved || !isStored });
    if (isMoved) expect(chat).toMatchObject({ contactId, channelId: webhook.channelId });
    expect((await stores.events.get(id))?.effects?.chatId).toBe(chat?._id);
  }
});
