// Identities: identity rows claim a contact before it exists, tombstones unite the ids of one person, and only two
// existing contacts are a conflict.
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import { identitiesOf } from '../../../src/domain/people/contact.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { unifyContactIds } from '../../../src/processing/contacts/unify-ids.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { Stores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import type { IdentityRow } from '../../../src/store/people/records.ts';

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
const all: readonly Kind[] = ['externalId', 'phone', 'email', 'document'];

const contacts = () =>
  collectionOf<ContactRecord>(context.connection, 'contacts').find().sort({ _id: 1 }).toArray();
const rows = () => collectionOf<IdentityRow>(context.connection, 'identities').find().toArray();

/** Identity rows of a worker that crashed before it created the contact. */
async function claimRow(kind: Kind, contactId: string): Promise<void> {
  const scope = { channelId: webhook.channelId, webhookId: webhook._id };
  const none = { externalId: null, phone: null, email: null, document: null };
  const identities = identitiesOf({ ...none, [kind]: person[kind] }, scope);
  await context.stores.identities.claim(identities.map((row) => ({ ...row, contactId })));
}

const makeContact = (contactId: string) =>
  context.stores.contacts.applyChanges([
    { contactId, channelId: webhook.channelId, registers: {}, isNew: true },
  ]);

async function processLead(n: number, kinds: readonly Kind[]) {
  const id = await context.send(webhook, lead(n, kinds));
  await context.processEvents([id]);
  return context.stores.events.get(id);
}

test('rows of a worker that crashed before it created the contact are reused with their id', async () => {
  await claimRow('phone', 'c1');
  await claimRow('email', 'c1');
  const event = await processLead(1, ['phone', 'email']);
  expect(event).toMatchObject({ state: 'done', effects: { contactId: 'c1' } });
  expect((await contacts()).map(({ _id }) => _id)).toEqual(['c1']);
});

test('of two ids without a contact, the larger becomes the tombstone', async () => {
  await claimRow('phone', 'c2');
  await claimRow('email', 'c1');
  const event = await processLead(1, ['phone', 'email']);
  expect(event?.effects?.contactId).toBe('c1');
  expect(await contacts()).toMatchObject([
    { _id: 'c1', registers: { name: { value: 'Ana 1' } } },
    { _id: 'c2', mergedInto: 'c1' },
  ]);
  expect((await context.snapshot()).conflicts).toBe(0);
});

test('the id of an existing contact stays, even if it is the larger one', async () => {
  await claimRow('phone', 'c1');
  await claimRow('email', 'c2');
  await makeContact('c2');
  const event = await processLead(1, ['phone', 'email']);
  expect(event?.effects?.contactId).toBe('c2');
  expect(await contacts()).toMatchObject([{ _id: 'c1', mergedInto: 'c2' }, { _id: 'c2' }]);
});

test.each<[string, { made: string[]; stays: string; conflicts: number }]>([
  ['none was made', { made: [], stays: 'c1', conflicts: 0 }],
  ['one was made', { made: ['c3'], stays: 'c3', conflicts: 0 }],
  ['two were made', { made: ['c2', 'c4'], stays: 'c4', conflicts: 1 }],
])(
  'four ids of one person are united pairwise when %s',
  async (_which, { made, stays, conflicts }) => {
    const ids = ['c4', 'c3', 'c2', 'c1'];
    for (const [n, kind] of all.entries()) await claimRow(kind, ids[n] ?? '');
    for (const id of made) await makeContact(id);
    const event = await processLead(1, all);
    expect(event?.effects?.contactId).toBe(stays);
    const after = await context.snapshot();
    expect(after.contacts).toHaveLength(Math.max(made.length, 1));
    expect(after).toMatchObject({ conflicts, tombstones: 4 - after.contacts.length });
    // A later event, by any of the identities, finds one of them and creates no contact.
    for (const [n, kind] of all.entries()) await processLead(n + 2, [kind]);
    expect((await contacts()).length).toBe(4);
  },
);

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

test('rows that this run claimed before it found the contact get that contact', async () => {
  const { identities } = context.stores;
  let isFirst = true;
  const slow: Stores = {
    ...context.stores,
    identities: {
      ...identities,
      claim: async (wanted) => {
        if (isFirst) {
          isFirst = false;
          await claimRow('phone', 'c0');
          await makeContact('c0');
        }
        return identities.claim(wanted);
      },
    },
  };
  const id = await context.send(webhook, lead(1, ['phone', 'email']));
  await context.newProcessing({ stores: slow })([id]);
  expect((await rows()).map(({ contactId }) => contactId)).toEqual(['c0', 'c0']);
  expect(await context.snapshot()).toMatchObject({ conflicts: 0, tombstones: 1 });
});

test('a look-up follows tombstones to their end, in processing and in the inbox', async () => {
  await claimRow('phone', 'c3');
  const scope = { channelId: webhook.channelId };
  await context.stores.contacts.insertTombstone('c3', { ...scope, mergedInto: 'c2' });
  await context.stores.contacts.insertTombstone('c2', { ...scope, mergedInto: 'c1' });
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

test('uniting with a tombstone follows it to its target', async () => {
  const { contacts: store } = context.stores;
  const unify = (...ids: [string, string]) =>
    unifyContactIds({ contacts: store }, { ids, channelId: webhook.channelId });
  await store.insertTombstone('c9', { mergedInto: 'c5', channelId: webhook.channelId });
  expect(await unify('c9', 'c7')).toBe('c5');
  await makeContact('c5');
  await makeContact('c6');
  expect(await unify('c7', 'c6')).toBeNull();
});

/** Wraps a read so that the call with this number finds nothing, as may happen right after a failover. */
function blindAt<Found>(read: (ids: readonly string[]) => Promise<Found[]>, at: number) {
  let calls = 0;
  return (ids: readonly string[]) => {
    calls += 1;
    return calls === at ? Promise.resolve([]) : read(ids);
  };
}

async function expectWaitsThenDone(stores: Partial<Stores>): Promise<void> {
  const id = await context.send(webhook, lead(1, ['phone', 'email']));
  const work = context.newProcessing({ stores: { ...context.stores, ...stores }, random: () => 0 });
  await work([id]);
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'waiting',
    reason: 'effect_contended',
  });
  await context.processEvents([id]);
  expect((await context.stores.events.get(id))?.state).toBe('done');
  const after = await context.snapshot();
  expect(after).toMatchObject({ conflicts: 0, messages: 1 });
  expect(after.contacts).toMatchObject([{ registers: { name: 'Ana 1' } }]);
}

test('a row that another worker won and that cannot be read yet is waited for: no second contact is created', async () => {
  const { identities } = context.stores;
  await expectWaitsThenDone({
    identities: {
      ...identities,
      findOwners: blindAt(identities.findOwners, 2),
      claim: async (wanted) => {
        await claimRow('phone', 'c1');
        return identities.claim(wanted);
      },
    },
  });
});

test('a contact that rejects a write and cannot be read yet is waited for: its change is not lost', async () => {
  const { contacts: people } = context.stores;
  await expectWaitsThenDone({
    contacts: {
      ...people,
      getMany: blindAt(people.getMany, 1),
      applyChanges: async (changes) => {
        for (const { contactId } of changes) await makeContact(contactId);
        return people.applyChanges(changes);
      },
    },
  });
});

test('a contact that replaced a tombstone and cannot be read yet is waited for', async () => {
  const { contacts: people } = context.stores;
  await makeContact('c2');
  const contacts = { ...people, getMany: blindAt(people.getMany, 1) };
  const pair = { ids: ['c1', 'c2'], channelId: webhook.channelId } as const;
  await expect(unifyContactIds({ contacts }, pair)).rejects.toThrow('cannot be read yet');
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

  test('in one set, and in two at a time', async () => {
    await context.processEvents(await sendAll([full, short]));
    expect(await contacts()).toHaveLength(1);
    await context.clear();
    const ids = await sendAll([full, short, full, short]);
    await Promise.all(ids.map((id) => context.processEvents([id])));
    const open = await context.stores.events.get(ids[0] ?? '');
    expect(open?.state).toBe('done');
    const alive = (await contacts()).filter(({ mergedInto }) => mergedInto === undefined);
    expect(alive).toHaveLength(1);
    const owners = new Set((await rows()).map(({ contactId }) => contactId));
    expect(owners.size).toBeLessThanOrEqual(2);
  });
});

test('a contact whose only row is from before the second form is found by it', async () => {
  await claimRowOf('+541123456789', 'c1');
  await makeContact('c1');
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

async function claimRowOf(phone: string, contactId: string): Promise<void> {
  const scope = { channelId: webhook.channelId, webhookId: webhook._id };
  const [row] = identitiesOf({ externalId: null, phone, email: null, document: null }, scope);
  if (row) await context.stores.identities.claim([{ ...row, contactId }]);
}
