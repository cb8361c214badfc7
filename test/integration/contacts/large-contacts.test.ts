// What one contact can hold: identities, fields, merged contacts and conflicts.
import { newId } from '../../../src/base/ids.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { maxIdentities, maxMembers } from '../../../src/domain/people/contact.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { moveMessagesAhead } from '../../../src/store/people/foreign-messages.ts';
import type { MergeRecord } from '../../../src/store/people/records.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let webhook: Webhook;
const path = '/v1/admin/contacts';
beforeAll(async () => {
  api = await createTestApi('large_contacts');
  webhook = await api.addWebhook();
});
afterAll(() => api.close());

const collection = (name: string) =>
  collectionOf<{ readonly _id: string; readonly resolvedAt?: Date | null }>(api.connection, name);
const many = <Item>(count: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => make(n));

let sent = 0;
async function contact(): Promise<string> {
  sent += 1;
  const lead = { id: `l${sent}`, name: `Ana ${sent}` };
  const eventId = await api.send(webhook, { id: `e${sent}`, type: 'lead', text: 'hello', lead });
  await api.processEvents([eventId]);
  return (await api.stores.events.get(eventId))?.effects?.contactId ?? '';
}

const edit = (id: string, body: object) => api.ask('PATCH', `${path}/${id}`, { body });
const merge = (id: string, contactId: string) =>
  api.ask('POST', `${path}/${id}/merge`, { body: { contactId } });

const addIdentities = (contactId: string, count: number) =>
  collection('identities').insertMany(
    many(count, (n) => ({
      _id: newId(),
      kind: 'externalId',
      value: `${webhook._id}:more-${n}`,
      contactId,
    })),
  );

test('the details of a contact show a bounded number of identities, and how many there are', async () => {
  const id = await contact();
  await addIdentities(id, maxIdentities + 20);
  const { body } = await api.ask('GET', `${path}/${id}`);
  expect(body.data.identities).toHaveLength(maxIdentities);
  expect(body.data.identitiesTotal).toBe(maxIdentities + 21);
});

test('all identities of a contact are read in pages, those of merged contacts too', async () => {
  const [id, merged] = [await contact(), await contact()];
  await addIdentities(id, maxIdentities + 20);
  expect((await merge(id, merged)).status).toBe(200);
  const seen = new Map<string, string>();
  for (const page of [1, 2, 3, 4]) {
    const { status, body } = await api.ask(
      'GET',
      `${path}/${id}/identities?current_page=${page}&per_page=100`,
    );
    expect([status, body.data.pagings.total]).toEqual([200, maxIdentities + 22]);
    for (const one of body.data.results) seen.set(`${one.webhookId} ${one.value}`, one.contactId);
  }
  expect(seen.size).toBe(maxIdentities + 22);
  expect([...seen.values()].filter((owner) => owner === merged)).toHaveLength(1);
  const unknown = await api.ask('GET', `${path}/${newId()}/identities`);
  expect(unknown.status).toBe(404);
});

test('an edit adds no identity to a contact that has as many as it may', async () => {
  const id = await contact();
  await addIdentities(id, maxIdentities - 1);
  const refused = await edit(id, { phone: '11 90000-0009' });
  expect([refused.status, refused.body.data.state]).toEqual([409, 'too_many_identities']);
  expect((await edit(id, { name: 'Ana' })).status).toBe(200);
});

test('an edit adds no field to a contact that has as many as it may', async () => {
  const id = await contact();
  const fieldsFrom = (from: number) =>
    Object.fromEntries(many(100, (n) => [`field ${from + n}`, 'a value']));
  for (const from of [0, 100, 200, 300])
    expect((await edit(id, { fields: fieldsFrom(from) })).status).toBe(200);
  const refused = await edit(id, { fields: fieldsFrom(400) });
  expect([refused.status, refused.body.data.state]).toEqual([409, 'too_many_fields']);
  expect((await edit(id, { fields: fieldsFrom(0) })).status).toBe(200);
});

test('no more contacts can be merged into one than a survivor may have', async () => {
  const [survivor, other] = [await contact(), await contact()];
  const members = many(maxMembers, () => newId());
  await collection('contacts').insertMany(
    members.map((_id) => ({ _id, registers: {}, mergedInto: survivor, gone: true })),
  );
  await collection('contacts').updateOne({ _id: survivor }, { $set: { members } });
  const refused = await merge(survivor, other);
  expect([refused.status, refused.body.data.state]).toEqual([409, 'too_many_members']);
  const reversed = await merge(other, survivor);
  expect([reversed.status, reversed.body.data.state]).toEqual([409, 'too_many_members']);
});

test('a merge resolves the conflicts between the two contacts and no others', async () => {
  const [survivor, merged, third] = [await contact(), await contact(), await contact()];
  const conflict = (contactIds: readonly string[]) => ({
    _id: newId(),
    contactIds,
    resolvedAt: null,
  });
  const others = [conflict([merged, third]), conflict([third, survivor])];
  await collection('conflicts').insertMany([conflict([survivor, merged]), ...others]);
  expect((await merge(survivor, merged)).status).toBe(200);
  const open = await collection('conflicts').find({ resolvedAt: null }).toArray();
  expect(open.map(({ _id }) => _id).toSorted()).toEqual(others.map(({ _id }) => _id).toSorted());
});

test('an unmerge moves the messages of a large chat in transactions of a bounded size, also after a crash between them', async () => {
  const [survivor, merged] = [await contact(), await contact()];
  const chats = collectionOf<ChatRecord>(api.connection, 'chats');
  const messages = collectionOf<MessageRecord>(api.connection, 'messages');
  await chats.updateOne(
    { contactId: survivor },
    { $set: { status: 'closed' }, $unset: { open: '' } },
  );
  const chat = await chats.findOne({ contactId: merged, open: true });
  expect((await merge(survivor, merged)).status).toBe(200);
  const own = await messages.findOne({ chatId: chat?._id ?? '' });
  if (!chat || !own) throw new Error('There is no chat with a message.');
  const later = many(1_100, (n) => ({
    ...own,
    _id: newId(),
    eventId: null,
    contactId: survivor,
    date: new Date(+own.date + 1_000 + n),
  }));
  await messages.insertMany(later);
  const stream = messages.watch([{ $match: { operationType: 'update' } }]);
  await stream.tryNext();
  // A process that died before the transaction of the unmerge: the messages are in two chats of the survivor.
  const record = await collectionOf<MergeRecord>(api.connection, 'merges').findOne({
    survivorId: survivor,
  });
  if (!record) throw new Error('There is no merge.');
  await moveMessagesAhead(api.connection, record, new Date());
  expect(await chats.countDocuments({ contactId: survivor, open: true })).toBe(1);
  expect(await messages.countDocuments({ chatId: chat._id, contactId: survivor })).toBe(100);
  const more = many(700, (n) => ({
    ...own,
    _id: newId(),
    eventId: null,
    contactId: survivor,
    date: new Date(+own.date + 10_000 + n),
  }));
  await messages.insertMany(more);
  const undone = await api.ask('POST', `${path}/${survivor}/unmerge`, { body: {} });
  expect(undone.status).toBe(200);
  const sizes = new Map<string, number>();
  for (let seen = 0; seen < later.length + more.length; seen += 1) {
    const { lsid, txnNumber } = await stream.next();
    const transaction = JSON.stringify([lsid, txnNumber]);
    sizes.set(transaction, (sizes.get(transaction) ?? 0) + 1);
  }
  await stream.close();
  expect([...sizes.values()]).toEqual([500, 500, 500, 300]);
  const moved = await chats.find({ contactId: survivor, open: true }).toArray();
  expect(moved.map(({ startedAt, lastMessageAt }) => [startedAt, lastMessageAt])).toEqual([
    [later.at(0)?.date, more.at(-1)?.date],
  ]);
  expect(await messages.countDocuments({ chatId: moved[0]?._id ?? '' })).toBe(
    later.length + more.length,
  );
  expect(await chats.findOne({ _id: chat._id })).toEqual(chat);
});
