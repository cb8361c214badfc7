// Chats: a contact has at most one open chat, its opening is that of the earliest event, a stored message keeps its chat, and what a
// person does with a chat at the same time comes before or after an event as a whole.
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { setSteps } from '../../support/context/crash-points.ts';
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

test('the database rejects a second open chat for a contact, and accepts a closed one', async () => {
  await processLead(1);
  const [chat] = await chats().find().toArray();
  if (!chat) throw new Error('No chat was opened.');
  const second: ChatRecord = { ...chat, _id: 'second' };
  await expect(chats().insertOne(second)).rejects.toMatchObject({ code: 11_000 });
  await chats().updateOne({ _id: chat._id }, { $set: { status: 'closed' }, $unset: { open: '' } });
  await chats().insertOne(second);
  expect(await chats().countDocuments({ contactId: chat.contactId })).toBe(2);
});

test('once its event is done a message stays in its chat, even a closed one', async () => {
  const { _id } = await processLead(1);
  const [before] = await messages().find().toArray();
  await chats().updateMany({}, { $set: { status: 'closed' }, $unset: { open: '' } });
  await processLead(2);
  await context.processEvents([_id]);
  expect(await messages().findOne({ _id })).toEqual(before);
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

const executor = { agentId: null, actor: { tokenId: 'test', name: 'test' } };

/** Calls `run` the first time that a worker reaches the step. */
function once(step: SetStep, run: () => unknown) {
  let isOver = false;
  return async (reached: SetStep): Promise<void> => {
    if (reached !== step || isOver) return;
    isOver = true;
    await run();
  };
}

/** From here on its transaction has changed the chat, and other writers wait for its end. */
const lockedSteps: readonly SetStep[] = ['outcomes', 'commit'];
const openSteps = setSteps.filter((step) => step !== 'committed' && !lockedSteps.includes(step));

const textsIn = async (chatId: string) =>
  (await messages().find({ chatId }).toArray()).map(({ content }) => content.message);

test.each(openSteps)(
  'a chat that a person closes before the step %s keeps no message of the event, which goes to a new chat',
  async (step) => {
    const first = await processLead(1);
    const closedId = first.effects?.chatId ?? '';
    const id = await context.send(webhook, lead(2));
    const close = () => context.stores.conversations.close(closedId, null, executor);
    await context.newProcessing({ onStep: once(step, close) })([id]);
    const event = await context.stores.events.get(id);
    expect(event).toMatchObject({ state: 'done', attempts: 1 });
    const chatId = event?.effects?.chatId ?? '';
    expect(chatId).not.toBe(closedId);
    expect(await textsIn(closedId)).toEqual(['hello 1']);
    expect(await textsIn(chatId)).toEqual(['hello 2']);
    expect((await listed()).map(({ _id }) => _id)).toEqual([chatId]);
    expect(await chats().findOne({ _id: closedId })).toMatchObject({
      status: 'closed',
      lastMessageAt: new Date('2026-01-01T12:00:00Z'),
    });
  },
);

test.each(lockedSteps)(
  'a chat that a person closes before the step %s is closed after it has the message',
  async (step) => {
    const chatId = (await processLead(1)).effects?.chatId ?? '';
    const id = await context.send(webhook, lead(2));
    let closing: Promise<unknown> = Promise.resolve();
    const close = () => void (closing = context.stores.conversations.close(chatId, null, executor));
    await context.newProcessing({ onStep: once(step, close) })([id]);
    await closing;
    const event = await context.stores.events.get(id);
    expect(event).toMatchObject({ state: 'done', effects: { chatId } });
    expect(await chats().find().toArray()).toMatchObject([{ _id: chatId, status: 'closed' }]);
    expect((await textsIn(chatId)).toSorted()).toEqual(['hello 1', 'hello 2']);
  },
);

/** A contact whose chat is closed. */
async function closedContact() {
  const { contactId = '', chatId = '' } = (await processLead(1)).effects ?? {};
  valueOf(await context.stores.conversations.close(chatId, null, executor));
  return { contactId, chatId };
}

test.each(openSteps)(
  'a message goes to the chat that a person starts before the step %s',
  async (step) => {
    const { contactId } = await closedContact();
    const id = await context.send(webhook, lead(2));
    const { conversations } = context.stores;
    const place = { contactId, channelId: webhook.channelId, sectorId: null };
    let startedId = '';
    const start = async () => {
      startedId = valueOf(await conversations.start(place, executor)).chat._id;
    };
    await context.newProcessing({ onStep: once(step, start) })([id]);
    const event = await context.stores.events.get(id);
    expect(event).toMatchObject({ state: 'done', attempts: 1, effects: { chatId: startedId } });
    expect(await textsIn(startedId)).toEqual(['hello 2']);
    expect(await chats().countDocuments()).toBe(2);
  },
);

test('a message goes to a new chat when another worker opened one and a person closed it', async () => {
  await closedContact();
  const id = await context.send(webhook, lead(2));
  let otherChatId = '';
  const openAndClose = async () => {
    otherChatId = (await processLead(3)).effects?.chatId ?? '';
    valueOf(await context.stores.conversations.close(otherChatId, null, executor));
  };
  await context.newProcessing({ onStep: once('write', openAndClose) })([id]);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({ state: 'done', attempts: 1 });
  expect(await textsIn(otherChatId)).toEqual(['hello 3']);
  expect(await textsIn(event?.effects?.chatId ?? '')).toEqual(['hello 2']);
  const found = await chats().find().sort({ startedAt: 1 }).toArray();
  expect(found.map(({ status }) => status)).toEqual(['closed', 'closed', 'ura_webhook']);
  expect(found[2]?._id).toBe(event?.effects?.chatId);
});

test.each(setSteps)(
  'a message stays in its channel when a person transfers its chat before the step %s',
  async (step) => {
    const { channelId } = await context.addWebhook();
    const { stores } = context;
    const { chatId = '', contactId = '' } = (await processLead(1)).effects ?? {};
    const id = await context.send(webhook, lead(2));
    const transfer = async () => {
      const to = valueOf(await stores.people.counterpartIn(contactId, channelId, executor.actor));
      const terms = { to: { channelId, contactId: to._id }, isKept: false, annotation: null };
      valueOf(await stores.conversations.transfer(chatId, terms, executor));
    };
    let transferring: Promise<unknown> = Promise.resolve();
    const begin = () => {
      transferring = transfer();
      return lockedSteps.includes(step) ? undefined : transferring;
    };
    await context.newProcessing({ onStep: once(step, begin) })([id]);
    await transferring;
    const message = await messages().findOne({ _id: id });
    const chat = await chats().findOne({ _id: message?.chatId ?? '' });
    expect((await stores.events.get(id))?.effects?.chatId).toBe(chat?._id);
    if (openSteps.includes(step as never)) {
      expect(chat?._id).not.toBe(chatId);
      expect(chat).toMatchObject({ contactId, channelId: webhook.channelId });
    } else expect(chat?._id).toBe(chatId);
  },
);
