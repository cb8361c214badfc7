// Identities: events that share an identity have one contact, also from workers at the same time, and only two existing contacts are a
// conflict.
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import { identitiesOf } from '../../../src/domain/people/contact.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { collectionOf } from '../../support/services/collections.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { identityRowOf, type IdentityRow } from '../../../src/store/people/records.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('identities');
  webhook = await context.addWebhook({
    ...leadMapping,
    contact: { ...leadMapping.contact, document: { path: 'lead.document' } },
  });
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const person = {
  externalId: 'crm-1',
  phone: '+5511900000001',
  email: 'ana@example.com',
  document: 'AB-1',
};
type Kind = keyof typeof person;
const lead = (n: number, kinds: readonly Kind[]) => {
  const { externalId, ...given } = Object.fromEntries(kinds.map((kind) => [kind, person[kind]]));
  return {
    id: `e${n}`,
    at: `2026-01-0${n}T12:00:00Z`,
    text: `hello ${n}`,
    lead: { ...given, ...(externalId && { id: externalId }), name: `Ana ${n}` },
  };
};

const contacts = () =>
  collectionOf<ContactRecord>(context.connection, 'contacts').find().sort({ _id: 1 }).toArray();
const rows = () => collectionOf<IdentityRow>(context.connection, 'identities').find().toArray();

const insertContact = (_id: string, over: Partial<ContactRecord> = {}) => {
  const now = new Date();
  const made = { _id, channelId: webhook.channelId, registers: {}, createdAt: now, updatedAt: now };
  return collectionOf<ContactRecord>(context.connection, 'contacts').insertOne({
    ...made,
    ...over,
  });
};

const nobody = { externalId: null, phone: null, email: null, document: null };

async function insertRow(kinds: Partial<typeof person>, contactId: string): Promise<void> {
  const scope = { channelId: webhook.channelId, webhookId: webhook._id };
  const [row] = identitiesOf({ ...nobody, ...kinds }, scope);
  if (!row) throw new Error('The person has no identity.');
  const made = collectionOf<IdentityRow>(context.connection, 'identities');
  await made.insertOne(identityRowOf(row, contactId));
}

/** Calls `run` the first time that a worker is about to write. */
function beforeWrite(run: () => Promise<unknown>) {
  let isOver = false;
  return async (step: SetStep): Promise<void> => {
    if (step !== 'write' || isOver) return;
    isOver = true;
    await run();
  };
}

async function processLead(n: number, kinds: readonly Kind[]) {
  const id = await context.send(webhook, lead(n, kinds));
  await context.processEvents([id]);
  return context.stores.events.get(id);
}

test('two real contacts are a conflict: the stronger identity decides, both stay, and it is recorded once', async () => {
  const ana = (await processLead(1, ['phone']))?.effects?.contactId ?? '';
  const other = (await processLead(2, ['email']))?.effects?.contactId ?? '';
  const bridge = await processLead(3, ['phone', 'email']);
  await processLead(4, ['email', 'phone']);
  expect(bridge?.effects?.contactId).toBe(ana);
  const found = await collectionOf(context.connection, 'conflicts').find().toArray();
  expect(found).toMatchObject([
    { contactIds: [ana, other], eventId: bridge?._id, resolvedAt: null },
  ]);
  expect(await context.snapshot()).toMatchObject({ tombstones: 0, messages: 4 });
  expect(await contacts()).toHaveLength(2);
});

test('people that only this set knows, and that an event of it bridges, are one contact without a conflict', async () => {
  const ids = [
    await context.send(webhook, lead(1, ['phone'])),
    await context.send(webhook, lead(2, ['email'])),
    await context.send(webhook, lead(3, ['document'])),
    await context.send(webhook, lead(4, ['email', 'document'])),
    await context.send(webhook, lead(5, ['document', 'phone'])),
  ];
  await context.processEvents(ids);
  expect(await context.snapshot()).toMatchObject({ conflicts: 0, tombstones: 0, messages: 5 });
  const [contact, ...others] = await contacts();
  expect(others).toEqual([]);
  expect((await rows()).map(({ contactId }) => contactId)).toEqual(
    Array.from({ length: 3 }, () => contact?._id),
  );
  expect((await context.snapshot()).contacts[0]?.chats).toHaveLength(1);
});

test('rows that this set has just claimed are no conflict: they get the existing contact', async () => {
  const known = (await processLead(1, ['email']))?.effects?.contactId;
  const ids = [
    await context.send(webhook, lead(2, ['phone'])),
    await context.send(webhook, lead(3, ['phone', 'email'])),
  ];
  await context.processEvents(ids);
  for (const event of await context.stores.events.getMany(ids)) {
    expect(event.effects?.contactId).toBe(known);
  }
  expect(await context.snapshot()).toMatchObject({ conflicts: 0, tombstones: 0 });
});

test('a person that another worker creates before this one writes is the same contact', async () => {
  const id = await context.send(webhook, lead(1, ['phone', 'email']));
  let otherId: string | undefined;
  const onStep = beforeWrite(async () => {
    otherId = (await processLead(2, ['phone']))?.effects?.contactId;
  });
  await context.newProcessing({ onStep })([id]);
  const event = await context.stores.events.get(id);
  expect(event).toMatchObject({ state: 'done', attempts: 1, effects: { contactId: otherId } });
  expect((await rows()).map(({ contactId }) => contactId)).toEqual([otherId, otherId]);
  expect(await context.snapshot()).toMatchObject({ conflicts: 0, tombstones: 0, messages: 2 });
});

test('values that another worker writes of a known person before this one writes are kept', async () => {
  await processLead(1, ['phone']);
  const id = await context.send(webhook, lead(2, ['phone', 'document']));
  const onStep = beforeWrite(() => processLead(3, ['phone', 'email']));
  await context.newProcessing({ onStep })([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'done', attempts: 1 });
  expect((await context.snapshot()).contacts).toMatchObject([
    { registers: { name: 'Ana 3', email: person.email, document: person.document } },
  ]);
});

test('a look-up follows tombstones to their end, in processing and in the inbox', async () => {
  await insertRow({ phone: person.phone }, 'c3');
  await insertContact('c3', { mergedInto: 'c2' });
  await insertContact('c2', { mergedInto: 'c1' });
  await insertContact('c1');
  const event = await processLead(1, ['phone']);
  expect(event?.effects?.contactId).toBe('c1');
  expect((await context.stores.inbox.getContact('c3'))?._id).toBe('c1');
  await collectionOf<{ _id: string }>(context.connection, 'chats').updateMany(
    {},
    { $set: { contactId: 'c3' } },
  );
  const page = { skip: 0, limit: 10, sort: { lastMessageAt: -1 } } as const;
  const { results } = await context.stores.inbox.listChats({ statuses: ['ura_webhook'] }, page);
  expect(results.map(({ contact }) => contact?._id)).toEqual(['c1']);
});

test('a body that two webhooks of one channel map differently leaves the same fields in either order of processing', async () => {
  const mapping = {
    ...leadMapping,
    contact: { phone: { path: 'lead.phone' }, name: { path: 'id' } },
  };
  const other = await context.addWebhook(mapping, webhook.channelId);
  const ends: unknown[] = [];
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    await context.clear();
    const ids: string[] = [];
    for (const each of [webhook, other]) ids.push(await context.send(each, lead(1, ['phone'])));
    for (const index of order) await context.processEvents([ids[index] ?? '']);
    ends.push(await context.snapshot());
  }
  expect(ends[0]).toEqual(ends[1]);
});

describe.each([
  ['a Brazilian mobile', '+5511987654321', '+551187654321'],
  ['an Argentine mobile', '+5491123456789', '+541123456789'],
  ['a Mexican mobile', '+525512345678', '+5215512345678'],
])('%s, as the CRM and as a messenger writes it, is one contact', (_what, full, short) => {
  const phoneLead = (n: number, phone: string) => ({ ...lead(n, []), lead: { phone } });
  const sendAll = (phones: readonly string[]) =>
    Promise.all(phones.map((phone, index) => context.send(webhook, phoneLead(index + 1, phone))));

  test.each([
    ['the CRM first', [full, short]],
    ['the messenger first', [short, full]],
  ] as const)('%s', async (_order, phones) => {
    for (const id of await sendAll(phones)) await context.processEvents([id]);
    expect(await contacts()).toHaveLength(1);
  });

  test('in one set, and in four at a time', async () => {
    await context.processEvents(await sendAll([full, short]));
    expect(await contacts()).toHaveLength(1);
    await context.clear();
    const ids = await sendAll([full, short, full, short]);
    await Promise.all(ids.map((id) => context.newProcessing()([id])));
    // One that lost against the others five times waits.
    await collectionOf(context.connection, 'events').updateMany({}, { $set: { dueAt: null } });
    for (const id of ids) await context.processEvents([id]);
    const all = await context.stores.events.getMany(ids);
    expect(all.map(({ state }) => state)).toEqual(ids.map(() => 'done'));
    const [contact, ...others] = await contacts();
    expect(others).toEqual([]);
    expect(new Set((await rows()).map(({ contactId }) => contactId))).toEqual(
      new Set([contact?._id]),
    );
  });
});

test('a contact whose only row is from before the second form is found by it', async () => {
  await insertRow({ phone: '+541123456789' }, 'c1');
  await insertContact('c1');
  const id = await context.send(webhook, { ...lead(1, []), lead: { phone: '+5491123456789' } });
  await context.processEvents([id]);
  expect((await context.stores.events.get(id))?.effects?.contactId).toBe('c1');
});

test('two Argentine numbers with other digits are two contacts', async () => {
  for (const [n, phone] of ['+541123456789', '+541123456780', '+542234567890'].entries()) {
    await context.processEvents([
      await context.send(webhook, { ...lead(n + 1, []), lead: { phone } }),
    ]);
  }
  expect(await contacts()).toHaveLength(3);
});
