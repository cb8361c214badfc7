// The cost of a list, measured by its commands: no count exceeds its bound, and none is repeated.
import mongoose from 'mongoose';
import type { ApiContext } from '../../../src/api/context.ts';
import { searchEvents } from '../../../src/api/events/event-search.ts';
import { newId } from '../../../src/base/ids.ts';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { ContactRecord, Register } from '../../../src/domain/people/contact.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { connectMongo, type Connection } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { maxCountMs, maxFindMs, maxTotal, readCountedPage } from '../../../src/store/db/queries.ts';
import { maxLookedThrough } from '../../../src/store/chats/chat-search.ts';
import type { ChatFilter } from '../../../src/store/chats/chat-stages.ts';
import { createStores, type Stores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { listAuditRows } from '../../../src/store/audit/audit.ts';

type Command = {
  readonly aggregate?: string;
  readonly find?: string;
  readonly limit?: number;
  readonly pipeline?: readonly Record<string, unknown>[];
  readonly filter?: object;
  readonly hint?: string;
  readonly maxTimeMS?: number;
};

let context: TestContext;
let watching: Connection;
let stores: Stores;
let webhook: Webhook;
let sent: Command[] = [];

beforeAll(async () => {
  context = await createTestContext('totals');
  watching = await connectMongo(`${context.url}&monitorCommands=true`);
  watching.getClient().on('commandStarted', ({ command }) => sent.push(command as Command));
  stores = createStores(watching);
  webhook = await context.addWebhook();
  const payload = {
    id: '1',
    type: 'lead',
    lead: { id: 'l1', name: 'Ana', phone: '+5511999990001' },
  };
  await context.processEvents([await context.send(webhook, payload)]);
});
afterAll(async () => {
  await watching.close();
  await context.close();
});
beforeEach(() => {
  sent = [];
});

const page = { skip: 0, limit: 10, sort: { createdAt: -1 } } as const;
const chatPage = { ...page, sort: { lastMessageAt: -1 } } as const;
const someChats = { statuses: ['ura_webhook'] } as const;
const ids = [newId()];

/** Count pipelines end in `$group` or `$count`. */
const countsIn = (commands: readonly Command[]) =>
  commands.filter(({ pipeline = [] }) =>
    pipeline.some((stage) => '$group' in stage || '$count' in stage),
  );
const limitIn = ({ pipeline = [] }: Command) =>
  pipeline.map((stage) => stage.$limit).find((limit) => limit !== undefined);

type Listing = readonly [string, () => Promise<unknown>, number];
const listings: Listing[] = [
  ['chats', () => stores.inbox.listChats(someChats, chatPage), maxTotal],
  ['messages', () => stores.inbox.listMessages('x', { ...page, sort: { date: 1 } }), maxTotal],
  [
    'contacts of some channels in the inbox',
    () => stores.inbox.listContacts({ channelIds: ids, test: false }, page),
    maxTotal,
  ],
  ['contacts of tests', () => stores.inbox.listContacts({ test: true }, page), maxTotal],
  ['contacts of some channels', () => stores.people.list({ channelId: ids }, page), maxTotal],
  ['conflicts', () => stores.people.listConflicts({ state: 'open' }, page), maxTotal],
  ['deliveries', () => stores.deliveries.list({}, page), maxTotal],
  ['the audit log', () => listAuditRows(stores, {}, { ...page, sort: { at: -1 } }), maxTotal],
  ['what is blocked', () => stores.erasures.listBlocked(null, page), maxTotal],
  [
    'test events',
    () => stores.testEvents.list(newId(), { ...page, sort: { receivedAt: -1 } }),
    maxTotal,
  ],
];

test.each(listings)('%s are counted up to a bound, within a time', async (_what, list, most) => {
  await list();
  const counts = countsIn(sent);
  expect(counts).toHaveLength(1);
  expect(counts.map((one) => [limitIn(one), one.maxTimeMS])).toEqual([[most + 1, maxCountMs]]);
  expect(sent).toHaveLength(2);
});

const byText = (a: string, b: string): number => a.localeCompare(b);

test('all contacts are counted by the collection metadata, minus two indexes', async () => {
  const listed = await stores.people.list({}, page);
  expect([listed.total, listed.isExact]).toEqual([1, true]);
  expect(sent.map((one) => Object.keys(one)[0] ?? '').toSorted(byText)).toEqual([
    'aggregate',
    'aggregate',
    'count',
    'find',
  ]);
  const counts = sent.filter((one) => !('find' in one));
  expect(counts.map(({ maxTimeMS }) => maxTimeMS)).toEqual([maxCountMs, maxCountMs, maxCountMs]);
});

test('contacts are searched by name in the cheapest order', async () => {
  const contacts = collectionOf<ContactRecord>(watching, 'contacts');
  const [ana] = await contacts.find().toArray();
  if (!ana) throw new Error('Nothing was processed.');
  const frequent = { ...ana.registers.name, value: 'Zé' } as Register;
  const many = Array.from({ length: 1_001 }, () => ({
    ...ana,
    _id: newId(),
    registers: { name: frequent },
  }));
  await contacts.insertMany(many);
  sent = [];
  const rare = await stores.people.list({ search: 'an' }, page);
  const all = await stores.people.list({ search: 'ze' }, { ...page, skip: 995 });
  expect([rare.total, all.total, all.results.length]).toEqual([1, 1_001, 6]);
  expect(sent.flatMap(({ find, hint }) => (find ? [hint] : []))).toEqual([
    undefined,
    'by_creation',
  ]);
  expect(countsIn(sent).map(limitIn)).toEqual([1_001, maxTotal + 1, 1_001, maxTotal + 1]);
  const ids = all.results.map(({ _id }) => _id);
  const expected = many
    .map(({ _id }) => _id)
    .toSorted()
    .toReversed()
    .slice(995);
  expect(ids).toEqual(expected);
  await contacts.deleteMany({ 'registers.name.value': 'Zé' });
});

const chatsNamed = (filter: Partial<ChatFilter>) =>
  stores.inbox.listChats({ ...someChats, ...filter }, chatPage);

test.each<[string, Partial<ChatFilter>]>([
  ['a name', { name: 'a' }],
  ['a number', { phoneDigits: '9' }],
  ['what is unread', { isUnread: true }],
])('chats are searched by %s up to a bound', async (_what, filter) => {
  await chatsNamed(filter);
  const reads = sent.filter(({ aggregate }) => aggregate === 'chats');
  expect(reads.map(limitIn)).toContain(maxLookedThrough + 1);
  const found = sent.filter(({ find }) => find === 'chats');
  expect(found.map(({ limit }) => limit)).toEqual([maxLookedThrough, maxLookedThrough]);
  // Every join starts with selected chats.
  const joins = reads.filter(({ pipeline = [] }) => pipeline.some((stage) => '$lookup' in stage));
  expect(joins.length).toBeGreaterThan(0);
  for (const { pipeline = [] } of joins) {
    expect(JSON.stringify(pipeline[0])).toMatch(/"_id":{"\$in":\[/);
  }
});

describe('of more chats than the bound', () => {
  beforeAll(async () => {
    const chats = collectionOf<ChatRecord>(watching, 'chats');
    const contacts = collectionOf<ContactRecord>(watching, 'contacts');
    const [like] = await chats.find().toArray();
    const [ana] = await contacts.find().toArray();
    if (!like || !ana) throw new Error('Nothing was processed.');
    const { name } = ana.registers;
    if (!name) throw new Error('The contact has no name.');
    const bia = { ...ana.registers, name: { ...name, value: 'Bia' } };
    const later = new Date(Date.now() + 86_400_000);
    const many = Array.from({ length: maxLookedThrough }, () => newId());
    await contacts.insertMany(many.map((_id) => ({ ...ana, _id, registers: bia })));
    const late = { ...like, lastMessageAt: later };
    await chats.insertMany(many.map((contactId) => ({ ...late, _id: newId(), contactId })));
  });

  const found = async (filter: Partial<ChatFilter>) => {
    const { results, total, isExact } = await chatsNamed(filter);
    return [results.map(({ contact }) => contact?.registers.name?.value), total, isExact];
  };

  test('the oldest is found by the start of its name, and by its number', async () => {
    expect(await found({ name: 'an' })).toEqual([['Ana'], 1, false]);
    expect((await chatsNamed({ phoneDigits: '11999990001' })).results).toHaveLength(10);
    expect(await found({ name: 'na' })).toEqual([[], 0, false]);
  });

  test('the answer says that there may be more', async () => {
    const last = await stores.inbox.listChats(
      { ...someChats, name: 'bia' },
      { ...chatPage, skip: maxLookedThrough - 2 },
    );
    expect([last.results.length, last.total, last.isExact]).toEqual([2, maxLookedThrough, false]);
  });
});

test.each(listings)(
  'a page of %s that takes too long is aborted by the database',
  async (_what, list) => {
    await list();
    const reads = sent.filter((one) => countsIn([one]).length === 0);
    expect(reads.map(({ maxTimeMS }) => maxTimeMS)).toEqual([maxFindMs]);
  },
);

test('an aborted page is rejected with a message, and other errors are passed on', async () => {
  const reading = (error: Error) =>
    readCountedPage(page, {
      find: () => Promise.reject(error),
      count: () => Promise.resolve({ total: 0, isExact: true }),
    });
  const slow = new mongoose.mongo.MongoServerError({ message: 'too slow', code: 50 });
  await expect(reading(slow)).rejects.toMatchObject({ code: 'invalid_query', cause: slow });
  const lost = new Error('gone');
  await expect(reading(lost)).rejects.toBe(lost);
});

describe('a search for events', () => {
  const order = { field: 'receivedAt', direction: -1 } as const;
  const first = { order, skip: 0, limit: 1 };

  test('behind a cursor counts nothing', async () => {
    const filter = { webhookId: [webhook._id], parents: false };
    const { total, isExact } = await stores.events.search(filter, first);
    expect(sent).toHaveLength(2);
    sent = [];
    const after = { value: new Date(), id: newId(), counted: { total, isExact } };
    const next = await stores.events.search(filter, { ...first, after });
    expect([sent.length, next.total, next.isExact]).toEqual([1, 1, true]);
  });

  test('by a type reads the events of the webhook in their order', async () => {
    const filter = { eventType: ['nothing'], webhookId: [webhook._id], parents: false };
    await stores.events.search(filter, first);
    const explained = await collectionOf(watching, 'events')
      .find(filterOf(sent) as never, { sort: { _id: -1 }, hint: 'by_webhook' })
      .explain();
    const plan = JSON.stringify(explained.queryPlanner.winningPlan);
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
    expect(sent.filter(({ find }) => find).map(({ hint }) => hint)).toEqual(['by_webhook']);
  });

  type Versions = { mappingVersion: number[]; webhookId?: string[]; expected: () => string[] };
  const versions: Record<string, Versions> = {
    'that a webhook has': { mappingVersion: [1], expected: () => [webhook._id] },
    'that none has': { mappingVersion: [9], expected: () => [] },
    'that the webhook does not have': {
      mappingVersion: [1],
      webhookId: [newId()],
      expected: () => [],
    },
  };

  test.each(Object.entries(versions))(
    'by a version %s reads only the events of that version',
    async (_what, { expected, ...asked }) => {
      const ctx = { ...stores, defaultRegion: 'BR' } as ApiContext;
      const all = { ...asked, from: new Date(0), parents: false };
      const { results } = await searchEvents(ctx, all, first);
      expect(results.map((one) => one.webhookId)).toEqual(expected());
      if (expected().length === 0) return expect(filterOf(sent)).toBeUndefined();
      const narrowed = JSON.stringify({ webhookId: { $in: expected() } }).slice(1, -1);
      expect(JSON.stringify(filterOf(sent))).toContain(narrowed);
    },
  );
});

const filterOf = (commands: readonly Command[]) =>
  commands.find(({ find }) => find === 'events')?.filter;
