// Erasure of a person with thousands of identities, messages and chats: bounded steps that a crash does not undo.
import { derivedId, newId } from '../../../src/base/ids.ts';
import type { AuditRow } from '../../../src/domain/audit/audit.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { Stores } from '../../../src/store/stores.ts';
import type { StoredIdentity } from '../../../src/store/people/records.ts';
import { collectionOf } from '../../support/services/collections.ts';
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
const counts = { identities: 1_150, messages: 620, chats: 130, conflicts: 520, files: 25 } as const;

async function processed(id: string, over: object): Promise<EventRecord> {
  await context.processEvents([await context.send(webhook, { id, ...over })]);
  const found = await all<EventRecord>('events').findOne({ externalId: id });
  if (!found) throw new Error('There is no such event.');
  return found;
}

type Kind = StoredIdentity['kind'];
const emailOf = (phone: string, n: number) => `n${n}-${phone.slice(-4)}@mail.example.org`;

/** Rows as a sender left them before a contact had a limit of identities, or as merges leave them. */
async function addIdentities(contactId: string, kind: Kind, values: readonly string[]) {
  const { channelId } = webhook;
  const rows = values.map((value) => ({
    _id: derivedId('identity', channelId, kind, value),
    kind,
    value,
    contactId,
  }));
  await identities().insertMany(rows);
}

/** Returns the id of a contact with thousands of records. */
async function growPerson(phone: string): Promise<string> {
  const { _id, effects } = await processed(`first ${phone}`, { lead: { name: 'Ana', phone } });
  const { contactId = '', chatId = '' } = effects ?? {};
  const values = numbersTo(counts.identities).map((n) => `${webhook._id}:${phone}-${n}`);
  await addIdentities(contactId, 'externalId', values);
  const chat = await all<ChatRecord>('chats').findOne({ _id: chatId });
  const message = await all<MessageRecord>('messages').findOne({ _id });
  if (!chat || !message) throw new Error('The event made no message.');
  const { open: _open, ...closed } = chat;
  await all('chats').insertMany(
    numbersTo(counts.chats).map((n) => ({
      ...closed,
      _id: newId(),
      status: 'closed',
      closedAt: new Date(n),
    })),
  );
  await all('conflicts').insertMany(
    numbersTo(counts.conflicts).map(() => ({
      _id: newId(),
      contactIds: [contactId, newId()],
      resolvedAt: null,
    })),
  );
  await all('media.files').insertMany(
    numbersTo(counts.files).map(() => ({ _id: newId(), metadata: { chatId } })),
  );
  await all('messages').insertMany(
    numbersTo(counts.messages).map(() => ({ ...message, _id: newId() })),
  );
  return contactId;
}

/** The stores with the sizes of what each step deletes; after the first step of a kind the process dies once. */
function measured(sizes: Record<string, number[]>): Stores['erasures'] {
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
    dropBatch: (record, batch) => note(batch.of, batch.ids, () => store.dropBatch(record, batch)),
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
    conflicts: counts.conflicts,
  });
  expect(Math.max(...(sizes.messages ?? []))).toBe(500);
  expect(sizes.identities?.slice(0, 2)).toEqual([500, 500]);
  expect(sizes.chats).toEqual([100]);
  expect(sizes.conflicts).toEqual([500]);
  expect(sizes.files).toEqual([20]);
  for (const name of ['identities', 'messages', 'chats'])
    expect(await all(name).countDocuments({ contactId })).toBe(0);
  expect(await all('conflicts').countDocuments({ resolvedAt: null })).toBe(0);
  expect(await all('media.files').countDocuments({})).toBe(0);
});

test('all identities of a large person are blocked', async () => {
  const contactId = await growPerson('+55 11 90000-0002');
  await eraseInSteps(contactId, { block: true });
  const blocked = { blocked: true, channelId: webhook.channelId } as const;
  expect(await all('identities').countDocuments(blocked)).toBe(counts.identities + 1);
  expect(await identities().countDocuments({ contactId })).toBe(0);
});

test('the record and the certificate name a bounded number of identities, and count all', async () => {
  const contactId = await growPerson('+55 11 90000-0003');
  const { _id, sought, identifiers, identifiersTotal } = await erasures.erase(contactId);
  expect(sought?.identities).toHaveLength(1_000);
  expect(sought?.identities[0]?.kind).toBe('phone');
  expect(identifiers).toHaveLength(1_000);
  expect(identifiersTotal).toBe(counts.identities + 1);
  await erasures.toEnd();
  expect((await erasures.records.findOne({ _id }))?.sought).toBeNull();
});

const isErased = async ({ _id }: EventRecord): Promise<boolean | undefined> =>
  (await context.stores.events.getMany([_id]))[0]?.erased;

test('events, samples and audit rows are found by every identity, also when the process dies between two groups', async () => {
  const phone = '+55 11 90000-0004';
  const contactId = await growPerson(phone);
  const emails = numbersTo(2_100).map((n) => emailOf(phone, n));
  await addIdentities(contactId, 'email', emails);
  const ignored = (id: string, over: object) => processed(id, { type: 'noise', ...over });
  const texts = await Promise.all(
    emails
      .filter((_email, n) => n % 300 === 0)
      .map((email, n) => ignored(`text ${n}`, { note: `write to ${email}` })),
  );
  const byId = await Promise.all(
    [0, 600, 1_149].map((n) => ignored(`id ${n}`, { lead: { id: `${phone}-${n}` } })),
  );
  const other = await ignored('other', {
    note: 'write to n1@mail.example.com',
    lead: { id: 'x-1' },
  });
  const { sought } = await erasures.erase(contactId);
  const named = new Set(sought?.identities.map(({ value }) => value));
  const further = emails.filter((email) => !named.has(email));
  expect(further.length).toBeGreaterThan(1_000);
  const email = further.at(-1);
  const sample = {
    _id: newId(),
    webhookId: webhook._id,
    receivedAt: new Date(),
    source: 'webhook' as const,
    headers: {},
    query: {},
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify({ to: email })),
  };
  await context.stores.samples.add(sample);
  const target = { type: 'token', id: newId() };
  const after = { email };
  await collectionOf<AuditRow>(context.connection, 'audit').insertOne({
    _id: newId(),
    target,
    after,
    redactedAt: null,
  } as unknown as AuditRow);
  const groups = new Set<string>();
  const move: Stores['erasures']['move'] = async (record, to) => {
    const moved = await context.stores.erasures.move(record, to);
    const { upTo } = to.group ?? {};
    if (upTo === undefined) return moved;
    const isFirst = groups.size === 0;
    groups.add(upTo);
    if (isFirst) throw new Error('The process dies.');
    return moved;
  };
  for (
    let n = 0;
    (await erasures.tick({ erasures: { ...context.stores.erasures, move } })).length > 0;
    n += 1
  ) {
    if (n > 20) throw new Error('The erasure does not end.');
    await erasures.records.updateMany({ open: true }, { $set: { waitUntil: null } });
  }
  // At least one of external ids and two of addresses.
  expect(groups.size).toBeGreaterThanOrEqual(3);
  expect(await Promise.all([...texts, ...byId].map(isErased))).toEqual(
    [...texts, ...byId].map(() => true),
  );
  expect(await isErased(other)).toBeUndefined();
  expect(await all('samples').countDocuments({ _id: sample._id })).toBe(0);
  const row = await all<AuditRow>('audit').findOne({ 'target.id': target.id });
  expect(row?.after).toBeNull();
});
