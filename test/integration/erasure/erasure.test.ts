// Erasure of a person: all their data is deleted, other data stays, and no worker restores it.
import { erasePerson, listBlocked, unblock } from '../../../src/api/people/erasures.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { rescannedStates, scannedStates } from '../../../src/domain/people/erasure.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Rejection } from '../../../src/domain/webhooks/rejection.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createResendBodySaver } from '../../../src/store/events/resend-bodies.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createErasureContext, databaseText } from '../../support/context/erasures.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';
import { rejectionOf } from '../../support/fixtures/rejection.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { getAuditRow } from '../../../src/store/audit/audit.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let webhook: Webhook;
let split: Webhook;
let erasures: ReturnType<typeof createErasureContext>;

const splitMapping: MappingDocument = {
  ...leadMapping,
  split: 'leads',
  eventId: { path: 'id' },
  contact: { name: { path: 'name' }, email: { path: 'email' } },
};

beforeAll(async () => {
  context = await createTestContext('erasures');
  webhook = await context.addWebhook({
    ...leadMapping,
    filter: "type != 'noise'",
    message: { text: { path: 'text', required: true } },
  });
  split = await context.addWebhook(splitMapping, webhook.channelId);
  erasures = createErasureContext(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.clear();
  for (const name of ['erasures', 'merges', 'samples', 'rejections', 'audit_old'])
    await collectionOf(context.connection, name).deleteMany({});
});

const traces = /ana@example|90000-?0001|Ana Souza|lead-ana|Recife/i;
const ana = { id: 'lead-ana', name: 'Ana Souza', email: 'ana@example.com', city: 'Recife' };
let sent = 0;
async function send(lead: object, over: object = {}): Promise<string> {
  sent += 1;
  const at = new Date(Date.UTC(2026, 0, 1) + sent * 60_000).toISOString();
  return context.send(webhook, { id: `e${sent}`, at, text: `hello from ${sent}`, lead, ...over });
}
const rejected = (text: string, over: Partial<Rejection> = {}) =>
  rejectionOf(webhook._id, { body: Buffer.from(text), ...over });
async function tell(lead: object, over: object = {}): Promise<string> {
  const id = await send(lead, over);
  await context.processEvents([id]);
  return id;
}
const event = async (id: string) => {
  const found = await context.stores.events.get(id);
  if (!found) throw new Error('There is no such event.');
  return found;
};
const contactOf = async (id: string) => (await event(id)).effects?.contactId ?? '';
const contactsLeft = () =>
  collectionOf(context.connection, 'contacts').countDocuments({ erased: { $exists: false } });

test('no data of the person remains in any state of an event or any collection, except the certificate', async () => {
  const bia = await tell({ name: 'Bia', email: 'bia@example.com' });
  const done = await tell({ ...ana, phone: '+55 11 90000-0001' }, { text: 'Ana Souza writes' });
  const second = await tell({ name: 'Ana Souza', phone: '11 90000-0001' });
  const dead = await tell(ana, { text: null });
  const ignored = await tell({ ...ana, phone: '(11) 90000.0001' }, { type: 'noise' });
  const waiting = await send({ id: 'lead-ana' });
  const twin = await tell({ name: 'Ana Souza', email: 'ana2@example.com' });
  const contactId = await contactOf(done);
  await context.stores.people.merge(contactId, await contactOf(twin), actor);
  await context.stores.people.edit(contactId, {
    set: { name: 'Ana Souza' },
    pinned: ['name'],
    identities: [],
    actor,
  });
  const leads = [
    { id: 'x1', name: 'Ana Souza', email: 'ana@example.com' },
    { id: 'x2', name: 'Caio', email: 'caio@example.com' },
  ];
  const parent = await context.send(split, { leads, note: 'sent for ana@example.com' });
  await context.processEvents([parent]);
  const items = await collectionOf(context.connection, 'events')
    .find({ parentId: parent }, { sort: { itemIndex: 1 } })
    .toArray();
  await context.processEvents(items.map(({ _id }) => _id));
  const sample = { _id: 'sample-1', webhookId: webhook._id, receivedAt: new Date() };
  await context.stores.samples.add({
    ...sample,
    source: 'webhook',
    contentType: 'application/json',
    headers: {},
    query: {},
    body: Buffer.from(JSON.stringify({ lead: { phone: '11900000001' } })),
  });
  await context.stores.rejections.add([
    // A list that was not split, a body that was cut, and a form that is not decoded.
    rejected('[{ "email": "ana@example.com" }]'),
    rejected('{"lead":{"tel":"+55 11 90000-0001","n', { complete: false }),
    rejected('mail=ana%40example.com&x=1', { contentType: 'image/png' }),
    rejected('[{ "email": "caio@example.com" }]'),
    rejectionOf(webhook._id, { body: null }),
  ]);
  expect(await databaseText(context)).toMatch(traces);

  const { _id } = await erasures.erase(contactId, { reason: 'asked by mail' });
  await erasures.toEnd();
  expect(await databaseText(context)).not.toMatch(traces);

  const { counts, audit, identifiers, sought } = await erasures.read(_id);
  expect(sought).toBeNull();
  expect(counts).toMatchObject({ contacts: 2, samples: 1, chats: 2, messages: 4, bodies: 1 });
  expect(counts.rejections).toBe(3);
  expect(await context.stores.rejections.all(webhook._id)).toHaveLength(2);
  expect(counts.events).toBe(7);
  expect(identifiers).toHaveLength(4);
  const row = await getAuditRow(context.stores, audit?._id ?? '');
  expect(row).toMatchObject({ action: 'erasure.finish', after: counts });
  for (const id of [done, second, dead, ignored, waiting])
    expect(await event(id)).toMatchObject({ erased: true, delivery: null, externalId: null });
  expect((await event(waiting)).state).toBe('discarded');
  expect((await event(bia)).delivery).not.toBeNull();
  const left = JSON.parse(String((await event(parent)).delivery?.body));
  expect(left).toEqual({ leads: [null, leads[1]], note: null });
  expect(await contactsLeft()).toBe(2);
});

test('a body that cannot be redacted is deleted as a whole, and its other items keep their effects', async () => {
  const flat = await context.addWebhook(
    {
      ...leadMapping,
      split: 'emails[].{email: @}',
      eventId: { path: 'email' },
      contact: { email: { path: 'email' } },
    },
    webhook.channelId,
  );
  const parent = await context.send(flat, { emails: ['ana@example.com', 'bia@example.com'] });
  await context.processEvents([parent]);
  const items = await collectionOf(context.connection, 'events')
    .find({ parentId: parent }, { sort: { itemIndex: 1 } })
    .toArray();
  await context.processEvents(items.map(({ _id }) => _id));
  await erasures.erase(await contactOf(items[0]?._id ?? ''));
  await erasures.toEnd();
  expect(await databaseText(context)).not.toMatch(traces);
  expect((await event(parent)).delivery).toBeNull();
  expect((await event(items[1]?._id ?? '')).state).toBe('done');
  expect(await contactsLeft()).toBe(1);
});

test('an erased event cannot be replayed, and a resend of it is only counted', async () => {
  const payload = { id: 'again', at: '2026-01-01T00:00:00Z', lead: ana };
  const id = await context.send(webhook, payload);
  await context.processEvents([id]);
  expect((await event(id)).state).toBe('dead');
  await erasePerson(erasures.api, { email: 'ANA@example.com' }, actor);
  await erasures.toEnd();
  const { channelId } = webhook;
  const replay = { eventId: id, channelId, mappingVersion: 1, maxAttempts: undefined };
  for (const change of ['replay', 'remap'] as const)
    expect(
      await context.stores.events.replay({ ...replay, change, state: 'received' }, actor),
    ).toMatchObject({ ok: false, reason: 'invalid_state' });
  expect(await context.send(webhook, { ...payload, text: 'now with a text' })).toBe(id);
  expect(await event(id)).toMatchObject({ state: 'dead', delivery: null, deliveries: 2 });
});

test('a copy of a resend that is written after the erasure of its event is deleted', async () => {
  const payload = { id: 'late', at: '2026-01-01T00:00:00Z', lead: ana };
  const eventId = await context.send(webhook, payload);
  await context.processEvents([eventId]);
  const keep = createResendBodySaver({ connection: context.connection, clock: systemClock });
  const { delivery, parentId, itemIndex } = await event(eventId);
  const { _id: webhookId } = webhook;
  const place = { bodyBytes: 100, delivery, parentId, itemIndex };
  const copies = () => collectionOf(context.connection, 'resends').countDocuments({ eventId });
  const keepOne = (bodySha256: string) =>
    keep({ eventId, webhookId }, { added: [{ bodySha256, ...place }], gone: [] });
  await keepOne('before');
  expect(await copies()).toBe(1);
  await erasePerson(erasures.api, { email: 'ana@example.com' }, actor);
  await erasures.toEnd();
  await keepOne('after');
  expect(await copies()).toBe(0);
});

test('a blocked person is not stored again until the block is removed', async () => {
  const contactId = await contactOf(await tell(ana));
  await erasures.erase(contactId, { block: true });
  await erasures.toEnd();
  const again = await tell({ name: 'Ana Souza', email: 'ana@example.com', phone: '11 90000-0001' });
  const other = await tell({ name: 'Bia', email: 'bia@example.com' });
  expect(await event(again)).toMatchObject({ state: 'ignored', reason: 'blocked', delivery: null });
  expect((await event(other)).state).toBe('done');
  expect(await databaseText(context)).not.toMatch(traces);
  const all = { skip: 0, limit: 10, sort: { blockedAt: -1 } } as const;
  const asked = await listBlocked(erasures.api, { email: 'ana@example.com' }, all);
  expect(asked).toMatchObject({ total: 1, results: [{ kind: 'email' }] });
  for (const { _id } of (await listBlocked(erasures.api, {}, all)).results)
    await unblock(erasures.api, _id, actor);
  expect((await event(await tell({ email: 'ana@example.com' }))).state).toBe('done');
  expect(await contactsLeft()).toBe(2);
});

test('a person without a contact can be blocked as well', async () => {
  await erasePerson(erasures.api, { phone: '11 90000-0001', block: true }, actor);
  await erasures.toEnd();
  const id = await tell({ name: 'Ana Souza', phone: '+5511900000001' });
  expect(await event(id)).toMatchObject({ state: 'ignored', reason: 'blocked' });
  expect(await contactsLeft()).toBe(0);
});

test('an erasure that is interrupted at any step is continued, and counts each deletion once', async () => {
  const outcomes: unknown[] = [];
  for (let calls = 0, isWhole = false; !isWhole; calls += 3) {
    await context.clear();
    await erasures.records.deleteMany({});
    const contactId = await contactOf(await tell(ana));
    await tell(ana, { text: null });
    const { _id } = await erasures.erase(contactId);
    let left = calls;
    const dying = Object.fromEntries(
      Object.entries(context.stores.erasures).map(([name, call]) => [
        name,
        async (...given: never[]) => {
          if (left === 0) throw new Error('The process is gone.');
          left -= 1;
          return (call as (...args: never[]) => Promise<unknown>)(...given);
        },
      ]),
    ) as unknown as Stores['erasures'];
    isWhole = (await erasures.tick({ erasures: dying })).length === 0;
    await erasures.toEnd();
    outcomes.push((await erasures.read(_id)).counts);
  }
  expect(outcomes.length).toBeGreaterThan(5);
  const last = outcomes.at(-1);
  for (const counts of outcomes)
    expect({ ...(counts as object), auditRows: 0 }).toEqual({ ...(last as object), auditRows: 0 });
});

test('a worker that holds an event of the person, stopped at any step, restores nothing', async () => {
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await context.clear();
    await erasures.records.deleteMany({});
    const contactId = await contactOf(await tell(ana));
    const run = await startSteppedWorker(context, [await send({ ...ana, phone: '11 90000-0001' })]);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    await erasures.erase(contactId);
    if (run.isLocking()) void run.toEnd();
    await erasures.tick();
    await run.toEnd();
    await erasures.toEnd();
    expect({ stop, left: await contactsLeft() }).toEqual({ stop, left: 0 });
    expect(await databaseText(context)).not.toMatch(traces);
  }
});

test('an event received during the erasure is erased too, or creates a new contact', async () => {
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await context.clear();
    await erasures.records.deleteMany({});
    const contactId = await contactOf(await tell(ana));
    await erasures.erase(contactId);
    await erasures.records.updateOne({}, { $set: { phase: 'people', cursor: null } });
    const id = await send({ ...ana, phone: '11 90000-0001' });
    const run = await startSteppedWorker(context, [id]);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    if (run.isLocking()) void run.toEnd();
    await erasures.tick();
    await run.toEnd();
    await erasures.toEnd();
    await collectionOf(context.connection, 'events').updateMany(
      { state: 'waiting' },
      { $set: { dueAt: new Date(0) } },
    );
    await context.processEvents([id]);
    const { state, effects, erased } = await event(id);
    const left = await contactsLeft();
    expect({ stop, state, left }).toEqual({
      stop,
      state: erased ? expect.stringMatching(/^(?:done|discarded)$/) : 'done',
      left: erased ? 0 : 1,
    });
    if (!erased) expect(effects?.contactId).not.toBe(contactId);
    for (const name of ['chats', 'messages', 'identities'])
      expect(await collectionOf(context.connection, name).countDocuments({ contactId })).toBe(0);
  }
});

test('an event that returns to a scanned state during the scan is found by the second scan', async () => {
  const waiting = await send(ana);
  const dead = await tell(ana, { text: null });
  const scanned: string[] = [];
  const stores: Stores['erasures'] = {
    ...context.stores.erasures,
    async nextEvents(record, state) {
      scanned.push(state);
      if (state === 'held')
        await collectionOf(context.connection, 'events').updateOne(
          { _id: dead, state: 'dead' },
          { $set: { state: 'received', open: true } },
        );
      return context.stores.erasures.nextEvents(record, state);
    },
  };
  const { _id } = await erasePerson(erasures.api, { email: ana.email }, actor);
  await erasures.tick({ erasures: stores });
  for (const id of [waiting, dead]) expect((await event(id)).delivery).toBeNull();
  expect(scanned.filter((state) => state === 'received').length).toBeGreaterThan(2);
  expect((await erasures.read(_id)).counts.events).toBe(2);
});

test('states without events cost an erasure a read each, and no write', async () => {
  const { erasures: usual } = context.stores;
  const calls: string[] = [];
  const stores: Stores['erasures'] = {
    ...usual,
    nextEvents(...given) {
      calls.push('read');
      return usual.nextEvents(...given);
    },
    move(...given) {
      calls.push('move');
      return usual.move(...given);
    },
  };
  await erasePerson(erasures.api, { email: 'nobody@example.com' }, actor);
  await erasures.tick({ erasures: stores });
  const states = scannedStates.length + rescannedStates.length;
  expect(calls.slice(0, states + 1)).toEqual([...Array(states).fill('read'), 'move']);
  await erasures.toEnd();
});

/** Inserts the given number of copies of the event in another channel. */
async function addElsewhere(id: string, count: number, state: EventRecord['state']): Promise<void> {
  const { dedupKeys: _keys, ...one } = await event(id);
  const all = Array.from({ length: count }, () => ({
    ...one,
    _id: newId(),
    state,
    channelId: 'x',
  }));
  await collectionOf(context.connection, 'events').insertMany(all);
}

test('an erasure ends, and its reads are bounded, with any number of events of other channels', async () => {
  const told = await tell(ana);
  const own = [await tell(ana, { type: 'noise' }), await send(ana)];
  await addElsewhere(told, 2_000, 'ignored');
  await addElsewhere(told, 1_200, 'received');
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  const finds: Record<string, unknown>[] = [];
  watching.getClient().on('commandStarted', ({ command, commandName }) => {
    if (commandName === 'find' && command.find === 'events') finds.push(command);
  });
  const stores = createStores(watching);
  await erasures.erase(await contactOf(told));
  for (let n = 0; (await erasures.tick(stores)).length > 0; n += 1) {
    expect(n).toBeLessThan(40);
    await erasures.records.updateMany({ open: true }, { $set: { waitUntil: null } });
  }
  await watching.close();
  for (const id of own) expect((await event(id)).delivery).toBeNull();
  expect(finds.length).toBeGreaterThan(10);
  const parts = ['find', 'filter', 'sort', 'limit', 'hint', 'projection'];
  for (const command of finds) {
    const query = Object.fromEntries(
      Object.entries(command).filter(([key]) => parts.includes(key)),
    );
    const explained = await context.connection
      .getClient()
      .db(context.connection.name)
      .command({ explain: query, verbosity: 'executionStats' });
    expect(explained.executionStats.totalDocsExamined).toBeLessThanOrEqual(2_000);
  }
});
