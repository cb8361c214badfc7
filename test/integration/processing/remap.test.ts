// Remap: a newer mapping for a done event updates its effects and repeats none.
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import { newDelivery, type MessageDelivery } from '../../../src/domain/messages/delivery.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { replayRecord } from '../../../src/recovery/replay.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { dyingAt } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { getEventMessages } from '../../../src/store/chats/messages.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('remap');
});
beforeEach(async () => {
  await context.clear();
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'test' };
const messages = () => collectionOf<MessageRecord>(context.connection, 'messages');
const chats = () => collectionOf<ChatRecord>(context.connection, 'chats');
const contacts = () => collectionOf<ContactRecord>(context.connection, 'contacts');

/** Reads the right person and text, which the first version reads wrongly. */
const fixed: MappingDocument = {
  ...leadMapping,
  contact: { ...leadMapping.contact, name: { path: 'right.name' }, phone: { path: 'right.phone' } },
  message: { text: { path: 'right.text' } },
};
const payload = (id: string, right: object = {}, at = '2026-01-06T12:00:00Z') => ({
  id,
  at,
  text: `wrong ${id}`,
  lead: { name: 'Wrong', phone: '+55 11 90000-0001' },
  right: { name: 'Right', phone: '+55 11 90000-0001', text: `right ${id}`, ...right },
});
const otherPhone = { phone: '+55 11 90000-0002' };

async function activate(mapping: MappingDocument): Promise<void> {
  const made = await insertMapping(context.stores, { webhookId: webhook._id, mapping }, actor);
  const previous = (await getWebhook(context.stores, webhook._id))?.activeVersion ?? null;
  const { version } = valueOf(made);
  await activateWebhook(context.stores, webhook._id, { version, previous, overlapMs: 0, actor });
}

const replay = (id: string, change: 'replay' | 'remap' = 'remap') =>
  replayRecord(context.newResources(), { id, change }, actor);

async function done(content: unknown): Promise<EventRecord> {
  const id = await context.send(webhook, content);
  await context.processEvents([id]);
  return read(id);
}
async function read(id: string): Promise<EventRecord> {
  const event = await context.stores.events.get(id);
  if (!event) throw new Error('gone');
  return event;
}
async function remap(event: EventRecord, mapping = fixed): Promise<EventRecord> {
  await activate(mapping);
  await replay(event._id);
  await context.processEvents([event._id]);
  return read(event._id);
}
const messageOf = async (event: EventRecord) =>
  (await getEventMessages(context.stores, [event._id]))[0];
const nameOf = async (event: EventRecord) =>
  (await contacts().findOne({ _id: event.effects?.contactId ?? '' }))?.registers.name?.value;

/** Calls `run` the first time that a worker reaches the step. */
function once(step: SetStep, run: () => Promise<unknown>) {
  let isOver = false;
  return async (reached: SetStep): Promise<void> => {
    if (reached !== step || isOver) return;
    isOver = true;
    await run();
  };
}

const close = (chatId: string | undefined) =>
  chats().updateOne({ _id: chatId ?? '' }, { $set: { status: 'closed' }, $unset: { open: '' } });

test('a replay skips a done event; a remap processes it, and updates its contact and its text', async () => {
  const event = await done(payload('e1'));
  await expect(replay(event._id, 'replay')).rejects.toMatchObject({ code: 'invalid_transition' });
  const after = await remap(event);
  expect(after).toMatchObject({ state: 'done', generation: 1, effects: event.effects });
  expect(after.timeline.map(({ reason }) => reason)).toContain('remapped');
  expect(await nameOf(after)).toBe('Right');
  expect(await messageOf(after)).toMatchObject({
    content: { message: 'right e1' },
    chatId: event.effects?.chatId,
  });
  expect(await context.snapshot()).toMatchObject({ messages: 1, conflicts: 0 });
  expect(await chats().countDocuments()).toBe(1);
});

test('a remap that gives an event an earlier date replaces what the event itself wrote, and no value of a later event', async () => {
  const early = { created: '2026-01-02T12:00:00Z' };
  const event = await done({ ...payload('a', { origin: 'right' }), origin: 'wrong', ...early });
  await done({
    id: 'b',
    at: '2026-01-03T12:00:00Z',
    lead: { ...payload('b').lead, city: 'Recife' },
  });
  const { context: given, ...rest } = fixed;
  await remap(event, {
    ...rest,
    eventDate: { path: 'created' },
    contact: { ...fixed.contact, fields: { city: { const: 'Olinda' } } },
    context: { ...given, origin: { path: 'right.origin' } },
  });
  const [contact] = await contacts().find({}).toArray();
  expect(contact?.registers.name?.value).toBe('Right');
  expect(contact?.registers['f:city']?.value).toBe('Recife');
  expect((await chats().findOne({}))?.opening).toMatchObject({ origin: 'right' });
});

test('the fields from a later event stay when an earlier event is remapped', async () => {
  const early = await done(payload('early'));
  await done({
    ...payload('late', {}, '2026-01-07T12:00:00Z'),
    lead: { name: 'Later', phone: '+55 11 90000-0001' },
  });
  const after = await remap(early);
  expect(await nameOf(after)).toBe('Later');
  expect((await messageOf(after))?.content.message).toBe('right early');
});

test('an event whose contact stays the same leaves its message in its closed chat, and opens none', async () => {
  const event = await done(payload('e1'));
  await close(event.effects?.chatId);
  const after = await remap(event);
  expect(after.effects).toEqual(event.effects);
  expect((await messageOf(after))?.chatId).toBe(event.effects?.chatId);
  expect(await chats().countDocuments()).toBe(1);
});

test('a contact that was merged afterwards is still the same person', async () => {
  const event = await done(payload('e1'));
  const other = await done({
    ...payload('e2', otherPhone),
    lead: { name: 'Other', phone: '+55 11 90000-0002' },
  });
  const [from = '', into = ''] = [event.effects?.contactId, other.effects?.contactId];
  await contacts().updateOne({ _id: from }, { $set: { mergedInto: into } });
  await close(event.effects?.chatId);
  const after = await remap(event);
  expect(after.effects).toMatchObject({ contactId: into, chatId: event.effects?.chatId });
  expect((await messageOf(after))?.chatId).toBe(event.effects?.chatId);
});

test('a message moves to the contact that is identified now, into a chat that is opened for it', async () => {
  const event = await done(payload('e1', otherPhone));
  const after = await remap(event);
  const { contactId, chatId } = after.effects ?? {};
  expect(contactId).not.toBe(event.effects?.contactId);
  expect(await messageOf(after)).toMatchObject({ contactId, chatId });
  expect(await chats().findOne({ _id: chatId ?? '' })).toMatchObject({ contactId, open: true });
  expect((await chats().findOne({ _id: chatId ?? '' }))?.lastMessageAt).not.toBeNull();
  // The previous chat has no messages left to show.
  expect((await chats().findOne({ _id: event.effects?.chatId ?? '' }))?.lastMessageAt).toBeNull();
  expect((await context.snapshot()).messages).toBe(1);
});

test('a message moves into the open chat that its contact has, and leaves the others where they are', async () => {
  const stays = await done(payload('stays', {}, '2026-01-02T00:00:00Z'));
  const moves = await done(payload('moves', otherPhone, '2026-01-03T00:00:00Z'));
  expect(moves.effects?.chatId).toBe(stays.effects?.chatId);
  const there = await done({
    ...payload('there', otherPhone),
    lead: { name: 'There', phone: '+55 11 90000-0002' },
  });
  const after = await remap(moves);
  expect(after.effects?.chatId).toBe(there.effects?.chatId);
  expect((await messageOf(stays))?.chatId).toBe(stays.effects?.chatId);
  const left = await chats().findOne({ _id: stays.effects?.chatId ?? '' });
  expect(left?.lastMessageAt).toEqual(new Date('2026-01-02T00:00:00Z'));
  expect(await chats().countDocuments()).toBe(2);
});

/** Text and chat change only before a destination can have received them. */
const known: readonly [string, Partial<MessageDelivery>, boolean][] = [
  ['that no destination knows', {}, true],
  ['that is being delivered', { state: 'sending', attempts: 1, fence: 1 }, false],
  ['that was delivered', { state: 'delivered', attempts: 1, fence: 1 }, false],
];

test.each(known)('a message %s: %o (changed: %s)', async (_what, delivery, isChanged) => {
  const event = await done(payload('e1', otherPhone));
  const set = { delivery: { ...newDelivery(), ...delivery } };
  await messages().updateOne({ _id: event._id }, { $set: set });
  const after = await remap(event);
  const message = await messageOf(after);
  expect(message?.content.message).toBe(isChanged ? 'right e1' : 'wrong e1');
  expect(message?.chatId === event.effects?.chatId).toBe(!isChanged);
  expect(after.effects?.chatId).toBe(message?.chatId);
  expect(after.state).toBe('done');
  expect(await chats().countDocuments()).toBe(isChanged ? 2 : 1);
});

test('a message that a dispatcher claims during a remap is delivered unchanged', async () => {
  const event = await done(payload('e1', otherPhone));
  const id = event._id;
  await messages().updateOne({ _id: id }, { $set: { delivery: newDelivery() } });
  await activate(fixed);
  await replay(event._id);
  const claim = () => messages().updateOne({ _id: id }, { $set: { 'delivery.fence': 1 } });
  await context.newProcessing({ onStep: once('write', claim) })([event._id]);
  expect(await messageOf(event)).toMatchObject({
    content: { message: 'wrong e1' },
    chatId: event.effects?.chatId,
  });
  const after = await read(event._id);
  expect(after).toMatchObject({ state: 'done', effects: { chatId: event.effects?.chatId } });
});

test.each<[string, MappingDocument, Partial<EventRecord>]>([
  ['ignores', { ...fixed, filter: 'id == `null`' }, { state: 'ignored', reason: 'filter' }],
  [
    'finds no identity in',
    { eventId: { path: 'id' } },
    { state: 'dead', reason: 'contact_unidentified' },
  ],
  ['splits', { split: '[@]' }, { state: 'dead', reason: 'split_too_late' }],
])('an event that the new mapping %s keeps its effects', async (_what, mapping, ended) => {
  const event = await done(payload('e1'));
  const before = await context.snapshot();
  const after = await remap(event, mapping);
  expect(after).toMatchObject({ ...ended, effects: event.effects });
  expect(await context.snapshot()).toEqual(before);

  await activate(fixed);
  await replay(event._id, 'replay');
  await context.processEvents([event._id]);
  expect(await read(event._id)).toMatchObject({ state: 'done', effects: event.effects });
  expect((await context.snapshot()).messages).toBe(1);
});

test('a late worker of an earlier generation changes nothing', async () => {
  const event = await done(payload('e1'));
  await activate({ ...fixed, message: { text: { const: 'second' } } });
  await replay(event._id);
  const overtake = async () => {
    await context.stores.events.discard(event._id, actor);
    await activate(fixed);
    await replay(event._id);
    await endSets(context.connection);
    await context.processEvents([event._id]);
  };
  await context.newProcessing({ onStep: once('begin', overtake) })([event._id]);
  expect((await messageOf(event))?.content.message).toBe('right e1');
  expect(await read(event._id)).toMatchObject({ state: 'done', generation: 2 });
});

test('a worker whose event was discarded and replayed, while its set lives, changes nothing', async () => {
  const event = await done(payload('e1'));
  await activate({ ...fixed, message: { text: { const: 'second' } } });
  await replay(event._id);
  const overtake = async () => {
    await context.stores.events.discard(event._id, actor);
    await activate(fixed);
    await replay(event._id);
  };
  await context.newProcessing({ onStep: once('write', overtake) })([event._id]);
  expect((await messageOf(event))?.content.message).toBe('wrong e1');
  expect(await read(event._id)).toMatchObject({ state: 'received', generation: 2, attempts: 0 });
  await context.processEvents([event._id]);
  expect((await messageOf(event))?.content.message).toBe('right e1');
  expect(await read(event._id)).toMatchObject({ state: 'done', generation: 2 });
});

/** The steps of an event that moves its message. */
const remapSteps: readonly SetStep[] = [
  'taken',
  'begin',
  'identities',
  'contacts',
  'chats',
  'write',
  'relist',
  'outcomes',
  'commit',
  'committed',
];

test.each(remapSteps)(
  'a worker that crashes before its step %s in a remap is followed by one that completes it once',
  async (step) => {
    const stays = await done(payload('stays', {}, '2026-01-02T00:00:00Z'));
    const event = await done(payload('moves', otherPhone));
    await activate(fixed);
    await replay(event._id);
    const { onStep, died } = dyingAt(step);
    void context.newProcessing({ onStep })([event._id]);
    await died;
    await endSets(context.connection);
    await context.processEvents([event._id]);

    const after = await read(event._id);
    expect(after.state).toBe('done');
    const { contactId, chatId } = after.effects ?? {};
    expect(chatId).not.toBe(event.effects?.chatId);
    expect(await messageOf(after)).toMatchObject({
      contactId,
      chatId,
      content: { message: 'right moves' },
    });
    expect(await nameOf(after)).toBe('Right');
    const left = await chats().findOne({ _id: stays.effects?.chatId ?? '' });
    expect(left?.lastMessageAt).toEqual(new Date('2026-01-02T00:00:00Z'));
    expect(await messages().countDocuments()).toBe(2);
    expect(await chats().countDocuments()).toBe(2);
    expect(await contacts().countDocuments()).toBe(2);
  },
);
