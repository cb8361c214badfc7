// Chats: one open chat for each contact, whoever opens it; its opening is the earliest event's; and a message, once it
// is in a chat, stays there.
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let world: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  world = await createTestContext('chats');
  webhook = await world.addWebhook();
});
afterAll(() => world.close());
beforeEach(() => world.clear());

const lead = (n: number, over: object = {}) => ({
  id: `e${n}`,
  at: `2026-01-0${n}T12:00:00Z`,
  text: `hello ${n}`,
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
  ...over,
});
const chats = () => collectionOf<ChatRecord>(world.connection, 'chats');
const messages = () => collectionOf<MessageRecord>(world.connection, 'messages');
const page = { skip: 0, limit: 10, sort: { lastMessageAt: -1 } } as const;
const listed = async () =>
  (await world.stores.inbox.listChats({ statuses: ['ura_webhook'] }, page)).results;

async function processLead(n: number, over: object = {}): Promise<EventRecord> {
  const id = await world.send(webhook, lead(n, over));
  await world.processEvents([id]);
  const event = await world.stores.events.get(id);
  if (!event) throw new Error('The event is gone.');
  return event;
}

/** Works on the event until the named call, and no further. */
async function dieAt(id: string, store: 'messages' | 'events', call: string): Promise<void> {
  await new Promise<void>((died) => {
    const dying = () => {
      died();
      return new Promise<never>(() => {});
    };
    const target = { ...world.stores[store], [call]: dying };
    const stores: Stores = { ...world.stores, [store]: target };
    void world.newProcessing({ stores })([id]);
  });
  await collectionOf<EventRecord>(world.connection, 'events').updateOne(
    { _id: id },
    { $set: { dueAt: new Date(0) } },
  );
}

test('an open chat is reused by an event of another sector, and stays in the sector of the earliest', async () => {
  await processLead(2, { sector: 'Vendas', origin: 'google' });
  await processLead(3, { sector: 'Suporte', origin: 'meta' });
  const sectorOf = async () => (await listed()).map(({ sector }) => sector?.name);
  expect(await sectorOf()).toEqual(['Vendas']);
  // The event with the earliest date is the opener, though it comes later.
  await processLead(1, { sector: 'Caixa' });
  expect(await sectorOf()).toEqual(['Caixa']);
  expect(await listed()).toMatchObject([{ opening: { origin: null } }]);
  expect(await messages().countDocuments()).toBe(3);
});

test('an open chat without a message is not listed, and the next event of its contact uses it', async () => {
  await dieAt(await world.send(webhook, lead(1)), 'messages', 'insert');
  const [empty] = await chats().find().toArray();
  expect(empty).toMatchObject({ open: true, lastMessageAt: null });
  expect(await listed()).toEqual([]);
  const { effects } = await processLead(2);
  expect(effects?.chatId).toBe(empty?._id);
  expect((await listed()).map(({ _id }) => _id)).toEqual([empty?._id]);
});

test('the database itself refuses a second open chat for a contact, and takes a closed one', async () => {
  await processLead(1);
  const [chat] = await chats().find().toArray();
  if (!chat) throw new Error('No chat was opened.');
  const second: ChatRecord = { ...chat, _id: 'second' };
  expect(await world.stores.chats.applyChanges([second], [])).toEqual(new Set([chat.contactId]));
  await chats().updateOne({ _id: chat._id }, { $set: { status: 'closed' }, $unset: { open: '' } });
  expect(await world.stores.chats.applyChanges([second], [])).toEqual(new Set());
});

test('an event whose message is already in an open chat takes that chat, also after its contact changed', async () => {
  const id = await world.send(webhook, lead(1));
  await dieAt(id, 'events', 'finish');
  const [message] = await messages().find().toArray();
  const other = 'c-other';
  await world.stores.contacts.applyChanges([
    { contactId: other, channelId: webhook.channelId, registers: {}, isNew: true },
  ]);
  await collectionOf<{ _id: string; contactId: string }>(world.connection, 'identities').updateMany(
    {},
    { $set: { contactId: other } },
  );
  await world.processEvents([id]);
  const done = await world.stores.events.get(id);
  expect(done).toMatchObject({ state: 'done', effects: { chatId: message?.chatId } });
  expect(await chats().countDocuments()).toBe(1);
  expect(await messages().countDocuments()).toBe(1);
});

test('a worker that comes late with a message that is there lists no chat for it, and says where it is', async () => {
  const id = await world.send(webhook, lead(1));
  let wake = () => {};
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const stores: Stores = {
    ...world.stores,
    messages: {
      ...world.stores.messages,
      insert: async (records) => {
        stop();
        await new Promise<void>((resolve) => (wake = resolve));
        return world.stores.messages.insert(records);
      },
    },
    // What it writes of the event is of no interest here: the fence refuses it.
    events: { ...world.stores.events, finish: () => Promise.resolve(new Set([id])) },
  };
  const late = world.newProcessing({ stores })([id]);
  await stopped;
  await chats().updateMany({}, { $set: { status: 'closed' }, $unset: { open: '' } });
  await collectionOf<EventRecord>(world.connection, 'events').updateOne(
    { _id: id },
    { $set: { dueAt: new Date(0) } },
  );
  await world.processEvents([id]);
  wake();
  await late;
  const [message, ...others] = await messages().find().toArray();
  expect(others).toEqual([]);
  const dated = await chats()
    .find({ lastMessageAt: { $ne: null } })
    .toArray();
  expect(dated.map(({ _id }) => _id)).toEqual([message?.chatId]);
  expect(await chats().countDocuments()).toBe(2);
});

test('once its event is done a message stays in its chat, closed as it may be', async () => {
  const { _id } = await processLead(1);
  const [before] = await messages().find().toArray();
  await chats().updateMany({}, { $set: { status: 'closed' }, $unset: { open: '' } });
  await processLead(2);
  await world.processEvents([_id]);
  expect(await messages().findOne({ eventId: _id })).toEqual(before);
  expect(await chats().countDocuments()).toBe(2);
});

test('an event that is dated at the very beginning of the calendar is done as any other', async () => {
  const webhook = await world.addWebhook();
  const id = await world.send(webhook, {
    id: 'epoch',
    at: '1970-01-01T00:00:00Z',
    text: 'hello',
    lead: { name: 'Ana', phone: '+55 11 90000-0001' },
  });
  await world.processEvents([id]);
  expect(await world.stores.events.get(id)).toMatchObject({ state: 'done' });
  const [contact] = (await world.snapshot()).contacts;
  expect(contact?.chats).toMatchObject([{ lastMessageAt: new Date(0) }]);
});
