// What one contact can hold: identities, fields, merged contacts and conflicts.
import { newId } from '../../../src/base/ids.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { maxIdentities, maxMembers } from '../../../src/domain/people/contact.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
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
      channelId: webhook.channelId,
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
