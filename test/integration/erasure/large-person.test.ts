// Erasure of a person with thousands of identities, messages and chats: bounded steps that a crash does not undo.
import { derivedId, newId } from '../../../src/base/ids.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { ErasureStore } from '../../../src/store/erasures/erasures.ts';
import type { StoredIdentity } from '../../../src/store/people/records.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import { createErasureContext } from '../../support/context/erasures.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

jest.setTimeout(120_000);

let context: TestContext;
let webhook: Webhook;
let erasures: ReturnType<typeof createErasureContext>;
beforeAll(async () => {
  context = await createTestContext('large-person');
  webhook = await context.addWebhook({ ...leadMapping, filter: "type != 'noise'" });
  erasures = createErasureContext(context);
});
afterAll(() => context.close());

const all = <Doc extends { _id: string }>(name: string) =>
  collectionOf<Doc>(context.connection, name);
const identities = () => all<StoredIdentity>('identities');
const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const counts = { identities: 1_150, messages: 620, chats: 130 } as const;

async function processed(id: string, over: object): Promise<EventRecord> {
  await context.processEvents([await context.send(webhook, { id, ...over })]);
  const found = await all<EventRecord>('events').findOne({ externalId: id });
  if (!found) throw new Error('There is no such event.');
  return found;
}

/** What a sender left before a contact had a limit of identities. Returns the contact's id. */
async function growPerson(phone: string): Promise<string> {
  const { effects } = await processed(`first ${phone}`, { lead: { name: 'Ana', phone } });
  const { contactId = '', chatId = '', messageId } = effects ?? {};
  const { channelId } = webhook;
  const kind = 'externalId';
  const valueOf = (n: number) => `${webhook._id}:${phone}-${n}`;
  const rows = numbersTo(counts.identities).map((n) => {
    const value = valueOf(n);
    return {
      _id: derivedId('identity', channelId, kind, value),
      channelId,
      kind,
      value,
      contactId,
    };
  });
  await identities().insertMany(rows as StoredIdentity[]);
  const chat = await all<ChatRecord>('chats').findOne({ _id: chatId });
  const message = await all<MessageRecord>('messages').findOne({ _id: messageId ?? '' });
  if (!chat || !message) throw new Error('The event made no message.');
  const { open: _open, ...closed } = chat;
  await all('chats').insertMany(
    numbersTo(counts.chats).map(() => ({ ...closed, _id: newId(), status: 'closed' })),
  );
  await all('messages').insertMany(
    numbersTo(counts.messages).map(() => ({ ...message, _id: newId(), eventId: null })),
  );
  return contactId;
}

/** The stores with the sizes of what each step deletes; after the first step of a kind the process dies once. */
function measured(sizes: Record<string, number[]>): ErasureStore {
  const { erasures: store } = context.stores;
  const note = async (name: string, ids: readonly string[], work: () => Promise<boolean>) => {
    const seen = (sizes[name] ??= []);
    seen.push(ids.length);
    const done = await work();
    if (seen.length === 1) throw new Error('The process dies.');
    return done;
  };
  return {
    ...store,
    messages: (record, ids, erased) =>
      note('messages', ids, () => store.messages(record, ids, erased)),
    dropChats: (record, ids) => note('chats', ids, () => store.dropChats(record, ids)),
    dropIdentities: (record, ids) =>
      note('identities', ids, () => store.dropIdentities(record, ids)),
  };
}

async function eraseInSteps(contactId: string, terms: { block?: boolean }) {
  const sizes: Record<string, number[]> = {};
  const { _id } = await erasures.erase(contactId, terms);
  for (let n = 0; (await erasures.tick({ erasures: measured(sizes) })).length > 0; n += 1) {
    if (n > 20) throw new Error('The erasure does not end.');
    await erasures.records.updateMany({ open: true }, { $set: { waitUntil: null } });
  }
  const record = await erasures.records.findOne({ _id });
  return { sizes, record };
}

test('a large person is erased in bounded steps, each of which is kept when the process dies after it', async () => {
  const contactId = await growPerson('+55 11 90000-0001');
  const { sizes, record } = await eraseInSteps(contactId, {});
  expect(record?.phase).toBe('done');
  expect(record?.counts).toMatchObject({
    identities: counts.identities + 1,
    messages: counts.messages + 1,
    chats: counts.chats + 1,
  });
  expect(Math.max(...(sizes.messages ?? []))).toBe(500);
  expect(sizes.identities?.slice(0, 2)).toEqual([500, 500]);
  expect(sizes.chats).toEqual([100]);
  for (const name of ['identities', 'messages', 'chats'])
    expect(await all(name).countDocuments({ contactId })).toBe(0);
});

test('all identities of a large person are blocked', async () => {
  const contactId = await growPerson('+55 11 90000-0002');
  await eraseInSteps(contactId, { block: true });
  expect(await identities().countDocuments({ blocked: true })).toBe(counts.identities + 1);
  expect(await identities().countDocuments({ contactId })).toBe(0);
});

test('an erasure names a bounded number of identities, and finds events by the others too', async () => {
  const phone = '+55 11 90000-0003';
  const contactId = await growPerson(phone);
  const [last] = await identities()
    .find({ contactId, kind: 'externalId' }, { sort: { $natural: -1 }, limit: 1 })
    .toArray();
  const id = last?.value.slice(`${webhook._id}:`.length);
  const ignored = await processed('noise', { type: 'noise', lead: { id }, text: 'secret' });
  expect(ignored.state).toBe('ignored');
  const { sought } = await erasures.erase(contactId);
  expect(sought?.identities).toHaveLength(1_000);
  expect(sought?.identities[0]?.kind).toBe('phone');
  expect(sought?.identities.map(({ _id }) => _id)).not.toContain(last?._id);
  await erasures.toEnd();
  const [after] = await context.stores.events.getMany([ignored._id]);
  expect(after?.delivery).toBeNull();
});
