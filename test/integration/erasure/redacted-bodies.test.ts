// Erasure of people whose data shares a body with others, and of people without a contact at the time of the request.
import { erasePerson } from '../../../src/api/people/erasures.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { ApiContext } from '../../../src/api/context.ts';
import { createTestEvent } from '../../../src/api/events/test-events.ts';
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { matchEvents } from '../../../src/erasure/person-matcher.ts';
import { personOf } from '../../../src/erasure/person.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createErasureContext, databaseText } from '../../support/context/erasures.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let erasures: ReturnType<typeof createErasureContext>;
let channelId: string;
let plain: Webhook;

const splitBy = (split: string): MappingDocument => ({
  ...leadMapping,
  split,
  filter: "type != 'noise'",
  eventId: { path: 'id' },
  contact: { name: { path: 'name' }, email: { path: 'email' } },
  message: { text: { path: 'text', required: true } },
});

beforeAll(async () => {
  context = await createTestContext('erasing_bodies');
  plain = await context.addWebhook();
  channelId = plain.channelId;
  erasures = createErasureContext(context);
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.clear();
  await erasures.records.deleteMany({});
});

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const event = async (id: string) => {
  const found = await context.stores.events.get(id);
  if (!found) throw new Error('There is no such event.');
  return found;
};
const contactsLeft = () =>
  collectionOf(context.connection, 'contacts').countDocuments({ erased: { $exists: false } });

/** Sends a body that is split. Returns its id and those of its processed items. */
async function sendSplit(webhook: Webhook, leads: readonly object[]) {
  const parentId = await context.send(webhook, { leads });
  await context.processEvents([parentId]);
  const items = await events()
    .find({ parentId }, { sort: { itemIndex: 1 } })
    .toArray();
  const ids = items.map(({ _id }) => _id);
  await context.processEvents(ids);
  return { parentId, ids };
}

const ana = { name: 'Ana Souza', email: 'ana@example.com' };
const traces = /ana@example|Ana Souza|lead-ana/i;

test('two items of one body that name the person are both erased, in any state', async () => {
  const webhook = await context.addWebhook(splitBy('leads'), channelId);
  await sendSplit(webhook, [
    { ...ana, id: 'lead-ana-1' },
    { ...ana, id: 'lead-ana-2', type: 'noise' },
    { id: 'bia', name: 'Bia', email: 'bia@example.com', text: 'hello' },
  ]);
  await erasePerson(erasures.api, { email: ana.email }, actor);
  await erasures.toEnd();
  expect(await databaseText(context)).not.toMatch(traces);
  expect(await databaseText(context)).toMatch(/bia@example/);
});

test('an item that was replayed under a mapping without a split is found too', async () => {
  const webhook = await context.addWebhook(splitBy('leads'), channelId);
  const { ids } = await sendSplit(webhook, [{ ...ana, id: 'lead-ana-1' }, { id: 'bia' }]);
  const whole = { ...splitBy('leads') };
  delete (whole as { split?: string }).split;
  await insertMapping(context.stores, { webhookId: webhook._id, mapping: whole }, actor);
  const [eventId = ''] = ids;
  const replay = { eventId, change: 'replay', channelId, mappingVersion: 2 } as const;
  await context.stores.events.replay(
    { ...replay, maxAttempts: undefined, state: 'received' },
    actor,
  );
  await context.processEvents(ids);
  expect(await event(eventId)).toMatchObject({ state: 'dead', mappingVersion: 2 });
  await erasePerson(erasures.api, { email: ana.email }, actor);
  await erasures.toEnd();
  expect(await databaseText(context)).not.toMatch(traces);
});

test.each(['leads', 'leads[]', 'leads[*]'])(
  'the other items of a body that is split by %s are replayed unchanged',
  async (split) => {
    const webhook = await context.addWebhook(splitBy(split), channelId);
    const { ids } = await sendSplit(webhook, [
      { ...ana, id: 'lead-ana-1' },
      { id: 'bia', name: 'Bia', email: 'bia@example.com' },
      { id: 'caio', name: 'Caio', email: 'caio@example.com' },
    ]);
    await erasePerson(erasures.api, { email: ana.email }, actor);
    await erasures.toEnd();
    expect(await databaseText(context)).not.toMatch(traces);
    const mapping = splitBy(split);
    await insertMapping(
      context.stores,
      { webhookId: webhook._id, mapping: { ...mapping, message: { text: { path: 'name' } } } },
      actor,
    );
    for (const eventId of ids.slice(1)) {
      const replay = { eventId, change: 'replay', channelId, mappingVersion: 2 } as const;
      const again = { ...replay, maxAttempts: undefined, state: 'received' } as const;
      await context.stores.events.replay(again, actor);
    }
    await context.processEvents(ids.slice(1));
    const states = await Promise.all(ids.slice(1).map(async (id) => (await event(id)).state));
    const contacts = await collectionOf<ContactRecord>(context.connection, 'contacts')
      .find({ erased: { $exists: false } })
      .toArray();
    const names = contacts.map(({ registers }) => registers.name?.value ?? '');
    expect({ states, names: names.toSorted() }).toEqual({
      states: ['done', 'done'],
      names: ['Bia', 'Caio'],
    });
  },
);

test('of two concurrent erasures in one body, neither restores what the other removed', async () => {
  const webhook = await context.addWebhook(splitBy('leads'), channelId);
  const { parentId } = await sendSplit(webhook, [
    { ...ana, id: 'lead-ana-1' },
    { id: 'bia', name: 'Bia', email: 'bia@example.com' },
    { id: 'caio', name: 'Caio', email: 'caio@example.com' },
  ]);
  const { stores } = context;
  const matcher = context.newResources({ defaultRegion: 'BR' });
  for (const email of [ana.email, 'bia@example.com'])
    await erasePerson(erasures.api, { email }, actor);
  const first = await stores.erasures.claim();
  const second = await stores.erasures.claim();
  if (!first || !second) throw new Error('There are no two erasures.');
  const dead = await events().find({ state: 'dead' }).toArray();
  const matched = await Promise.all(
    [first, second].map(({ sought }) =>
      matchEvents(matcher, personOf(sought?.identities ?? []), dead),
    ),
  );
  for (const [n, record] of [first, second].entries()) {
    const found = matched[n];
    if (found) await stores.erasures.events(record, found, {}).catch(() => false);
  }
  await erasures.toEnd();
  await erasures.toEnd();
  const text = String((await event(parentId)).delivery?.body);
  expect(text).not.toMatch(/ana@|Ana Souza|bia@|Bia/);
  expect(text).toMatch(/Caio/);
});

test('a contact that a worker creates during the erasure of its person is deleted', async () => {
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await context.clear();
    await erasures.records.deleteMany({});
    const id = await context.send(plain, { id: 'e1', at: '2026-01-01T00:00:00Z', lead: ana });
    const run = await startSteppedWorker(context, [id]);
    await erasePerson(erasures.api, { email: ana.email }, actor);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    if (run.isLocking()) void run.toEnd();
    await erasures.tick();
    await run.toEnd();
    await erasures.toEnd();
    expect({ stop, left: await contactsLeft() }).toEqual({ stop, left: 0 });
    expect(await databaseText(context)).not.toMatch(traces);
  }
});

test('an event that is replayed during the search for the person is found', async () => {
  const webhook = await context.addWebhook(splitBy('leads'), channelId);
  const eventId = await context.send(webhook, { leads: 'ana@example.com' });
  await context.processEvents([eventId]);
  expect((await event(eventId)).state).toBe('dead');
  await erasePerson(erasures.api, { email: ana.email }, actor);
  // Held events were scanned already.
  await erasures.records.updateOne({}, { $set: { cursor: { state: 'ignored', id: '' } } });
  const replay = { eventId, change: 'replay', channelId, mappingVersion: 1 } as const;
  await context.stores.events.replay({ ...replay, maxAttempts: undefined, state: 'held' }, actor);
  await erasures.toEnd();
  expect(await event(eventId)).toMatchObject({ erased: true, state: 'discarded' });
  expect(await databaseText(context)).not.toMatch(traces);
});

test('a test event with data of the person is deleted as a whole, and others stay', async () => {
  const queue = { hint: () => {} };
  const { bodies } = context.newResources();
  const ctx = { ...context.stores, bodies, queue } as unknown as ApiContext;
  async function trying(lead: object): Promise<string> {
    const body = { id: 'e1', at: '2026-01-01T00:00:00Z', text: 'hello', lead };
    const made = await createTestEvent(ctx, { webhookId: plain._id, payload: { body } }, actor);
    await context.processEvents([made._id]);
    return made._id;
  }
  const id = await context.send(plain, { id: 'e1', at: '2026-01-01T00:00:00Z', lead: ana });
  await context.processEvents([id]);
  const theirs = [await trying(ana), await trying({ note: ana.email })];
  const others = await trying({ name: 'Bia', email: 'bia@example.com' });
  const states = await Promise.all(theirs.map(async (one) => (await event(one)).state));
  expect(states).toEqual(['done', 'dead']);
  const { _id } = await erasures.erase((await event(id)).effects?.contactId ?? '');
  await erasures.toEnd();
  expect(await databaseText(context)).not.toMatch(traces);
  expect(await context.stores.events.getMany(theirs)).toEqual([]);
  expect((await event(others)).delivery).not.toBeNull();
  expect((await erasures.read(_id)).counts.events).toBe(3);
});

test('a certificate counts the redacted audit rows, wherever its process was interrupted', async () => {
  const id = await context.send(plain, {
    id: 'e1',
    at: '2026-01-01T00:00:00Z',
    text: 'a',
    lead: ana,
  });
  await context.processEvents([id]);
  const contactId = (await event(id)).effects?.contactId ?? '';
  await context.stores.people.edit(contactId, { set: { name: 'Ana' }, identities: [], actor });
  const { _id } = await erasures.erase(contactId);
  const { finish, ...rest } = context.stores.erasures;
  let deaths = 1;
  const dying: Stores['erasures'] = {
    ...rest,
    finish: (...given) => {
      if (deaths === 0) return finish(...given);
      deaths -= 1;
      return Promise.reject(new Error('The process is gone.'));
    },
  };
  for (let n = 0; n < 5; n += 1) {
    await erasures.tick({ erasures: dying });
    await erasures.records.updateMany({ open: true }, { $set: { waitUntil: null } });
  }
  expect((await erasures.read(_id)).counts.auditRows).toBe(1);
});
