// Searching events over HTTP: indexed filters, and pages that are stable while events come in.
import { newId } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { EventFilter } from '../../../src/store/events/event-filter.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { receiveAt } from '../../support/fixtures/received-at.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let leads: Webhook;
let viewer: string;

const required: MappingDocument = {
  ...leadMapping,
  contact: { ...leadMapping.contact, email: { path: 'lead.mail', required: true } },
};

const lead = (id: string, over: Record<string, unknown> = {}) => ({
  id,
  type: 'lead.created',
  at: '2026-03-01T00:00:00Z',
  lead: { id: `L-${id}`, phone: '+55 11 99999-0001' },
  ...over,
});

beforeAll(async () => {
  api = await createTestApi('http_event_search');
  viewer = await api.addToken(['viewer']);
  leads = await api.addWebhook();
  const strict = await api.addWebhook(required);
  const ids = [
    await api.send(leads, lead('a-1')),
    await api.send(leads, lead('a-2', { type: 'lead.won', at: '2026-04-01T00:00:00Z' })),
    await api.send(leads, lead('b-1', { lead: { email: 'Bia@example.com' } })),
    await api.send(leads, { id: 'nobody' }),
    await api.send(strict, lead('c-1')),
  ];
  await api.processEvents(ids);
});
afterAll(() => api.close());

const search = async (query: string) => {
  const answer = await api.ask('GET', `/v1/admin/events?sort_by=receivedAt&${query}`, {
    token: viewer,
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body.data;
};
const named = async (query: string) =>
  (await search(query)).results.map(({ externalId }: { externalId: string }) => externalId);

test.each([
  ['state=done&from=2020-01-01', ['a-1', 'a-2', 'b-1']],
  ['state=done,dead&from=2020-01-01', ['a-1', 'a-2', 'b-1', 'nobody', 'c-1']],
  ['state=dead', ['nobody', 'c-1']],
  ['state=dead&eventType=lead.won', []],
  ['state=received,waiting,held,ignored', []],
  ['externalId=a-1,b-1', ['a-1', 'b-1']],
  ['externalIdPrefix=a-1', ['a-1']],
  ['externalIdPrefix=c-1&externalId=a-1', []],
  ['eventType=lead.won&from=2020-01-01', ['a-2']],
  ['reason=required_missing', ['c-1']],
  ['reason=required_missing:contact.email', ['c-1']],
  ['reason=required_missing:contact', []],
  ['reason=contact_unidentified,required_missing', ['nobody', 'c-1']],
  ['reason=.', []],
  ['phone=%2B5511999990001', ['a-1', 'a-2']],
  // First without the ninth digit, then with an unencoded plus.
  ['phone=(11)%209999-0001', ['a-1', 'a-2']],
  ['phone=+5511999990001', ['a-1', 'a-2']],
  ['email=BIA@example.com', ['b-1']],
  ['email=bia@example.com&phone=%2B5511999990001', []],
  ['email=nobody@example.com', []],
  ['email=nobody', []],
  ['mappingVersion=1&eventType=lead.won&externalId=a-1,a-2', ['a-2']],
  ['mappingVersion=2&from=2020-01-01', []],
  ['eventFrom=2026-04-01&eventTo=2026-04-01&from=2020-01-01', ['a-2']],
  ['from=2020-01-01&to=2020-12-31', []],
])('a search by %s finds exactly those', async (query, expected) => {
  expect(await named(query)).toEqual(expected);
});

test.each([
  'phone=abc',
  'externalIdPrefix=ab',
  'cursor=x',
  'cursor=!',
  'eventFrom=yesterday',
  'sort_by=reason',
  'contactId=1',
  'parents=maybe',
])('a search by %s is rejected', async (query) => {
  const answer = await api.ask('GET', `/v1/admin/events?${query}`);
  expect([answer.status, answer.body.data.code]).toEqual([400, 'invalid_query']);
  expect(answer.body.data.fields[0].path).toBe(query.split('=')[0]);
});

test.each([
  ['eventType=lead.won', ['eventType']],
  ['mappingVersion=1', ['mappingVersion']],
  ['state=done', ['state']],
  ['state=dead,done&to=2030-01-01', ['state']],
  ['eventFrom=2026-04-01&eventTo=2026-04-02', ['eventFrom', 'eventTo']],
  ['sort_by=finishedAt', ['sort_by']],
  ['sort_by=-eventDate&eventType=x&parents=true', ['eventType', 'sort_by']],
])('a search by %s needs a webhook or the start of a time range', async (query, paths) => {
  const message = 'needs webhookId or from';
  const refused = {
    status: 422,
    body: {
      message: 'This filter or order needs a webhook or the start of a time range.',
      data: { code: 'unbounded_query', fields: paths.map((path) => ({ path, message })) },
    },
  };
  for (const path of ['events', 'events/export'])
    expect(await api.ask('GET', `/v1/admin/${path}?${query}`)).toMatchObject(refused);
  for (const bound of [`webhookId=${leads._id}`, 'from=2020-01-01', 'externalId=a-1'])
    expect((await api.ask('GET', `/v1/admin/events?${query}&${bound}`)).status).toBe(200);
});

test('events of merged contacts are found by the number of either', async () => {
  const [{ id: eventId }] = (await search('externalId=b-1')).results;
  const bia = (await api.stores.events.get(eventId))?.effects?.contactId ?? '';
  const [{ id: other }] = (await search('externalId=a-1')).results;
  const ana = (await api.stores.events.get(other))?.effects?.contactId ?? '';
  const merge = await api.ask('POST', `/v1/admin/contacts/${ana}/merge`, {
    body: { contactId: bia },
  });
  expect([merge.status, merge.text]).toEqual([200, expect.any(String)]);
  expect(await named('phone=%2B5511999990001')).toEqual(['a-1', 'a-2', 'b-1']);
  expect(await named(`contactId=${bia}`)).toEqual(['a-1', 'a-2', 'b-1']);
});

test('sorted by another date than receipt, events without one are left out', async () => {
  const inOrder = async (sortBy: string) => {
    const answer = await api.ask(
      'GET',
      `/v1/admin/events?sort_by=${sortBy}&state=done,dead&from=2020-01-01`,
    );
    return answer.body.data.results.map(({ externalId }: { externalId: string }) => externalId);
  };
  expect(await inOrder('-eventDate')).toEqual(['a-2', 'c-1', 'b-1', 'a-1']);
  expect(await inOrder('finishedAt')).toHaveLength(5);
});

test('pages behind a cursor neither repeat nor miss anything while events come in', async () => {
  const webhook = await api.addWebhook();
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) sent.push(await api.send(webhook, { id: `p${n}` }));
  const list = async (rest: string) =>
    (await api.ask('GET', `/v1/admin/events?webhookId=${webhook._id}&per_page=2${rest}`)).body.data;
  const seen: string[] = [];
  let cursor: string | null = '';
  const pages: number[] = [];
  for (let n = 0; n < 9 && cursor !== null; n += 1) {
    const { pagings, results } = await list(cursor && `&cursor=${cursor}`);
    seen.push(...results.map(({ id }: { id: string }) => id));
    pages.push(pagings.current_page);
    cursor = pagings.next_cursor;
    await api.send(webhook, { id: `late${n}` });
  }
  expect(seen).toEqual(sent.toReversed());
  expect(pages).toEqual([1, 2, 3]);

  const first = await list('');
  const other = await api.ask(
    'GET',
    `/v1/admin/events?sort_by=finishedAt&cursor=${first.pagings.next_cursor}`,
  );
  expect(other.body.data.fields).toEqual([
    { path: 'cursor', message: 'belongs to another sort_by' },
  ]);
  const both = await api.ask(
    'GET',
    `/v1/admin/events?current_page=2&cursor=${first.pagings.next_cursor}`,
  );
  expect(both.status).toBe(400);
});

test('events of the same time are paged by their ids', async () => {
  const webhook = await api.addWebhook();
  for (let n = 0; n < 4; n += 1) await api.send(webhook, { id: `t${n}` });
  const events = collectionOf<EventRecord>(api.connection, 'events');
  const ofWebhook = { webhookId: webhook._id };
  for (const _id of await events.distinct('_id', ofWebhook))
    await receiveAt(api.connection, _id, new Date(0));
  const list = async (rest: string) =>
    (await api.ask('GET', `/v1/admin/events?webhookId=${webhook._id}&per_page=2${rest}`)).body.data;
  const one = await list('');
  const two = await list(`&cursor=${one.pagings.next_cursor}`);
  expect(two.pagings.next_cursor).toBeNull();
  const ids = [...one.results, ...two.results].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(4);
});

test('a total is exact up to its limit, and marked where it is not', async () => {
  const webhookId = newId();
  const [like] = await collectionOf<EventRecord>(api.connection, 'events').find().toArray();
  const many = Array.from({ length: 10_002 }, () => ({
    ...like,
    _id: newId(),
    webhookId,
    dedupKeys: [newId()],
    delivery: null,
    timeline: [],
  }));
  await collectionOf<EventRecord>(api.connection, 'events').insertMany(many as EventRecord[]);
  const { pagings } = await search(`webhookId=${webhookId}`);
  expect(pagings).toMatchObject({ total: 10_000, total_exact: false });
  const bare = (await search('')).pagings;
  expect(bare.total_exact).toBe(false);
  expect(bare.total).toBeGreaterThan(10_000);
  const few = (await search('externalId=a-2')).pagings;
  expect(few).toMatchObject({ total: 1, total_exact: true, next_cursor: null });
  await collectionOf<EventRecord>(api.connection, 'events').deleteMany({ webhookId });
});

const anId = newId();
type Plan = readonly [string, Partial<EventFilter>, ('receivedAt' | 'finishedAt' | 'eventDate')?];
const inOrder: Plan[] = [
  ['nothing', {}],
  ['webhookId', { webhookId: [anId, newId()] }],
  ['states of a webhook', { webhookId: [anId], state: ['dead', 'done'] }],
  ['externalId', { externalId: ['a'] }],
  ['eventType of a webhook', { webhookId: [anId], eventType: ['a'] }],
  ['reasonIs', { reasonIs: ['filter', 'x:y'] }],
  ['dates', { from: new Date(0), to: new Date() }],
  ['done events of a time', { from: new Date(0), state: ['done'] }],
];
const sorted: Plan[] = [
  ['dead', { state: ['dead'] }],
  ['discarded of a webhook', { state: ['discarded'], webhookId: [anId] }],
  ['open, held and ended', { state: ['waiting', 'held', 'ignored'], from: new Date(0) }],
  ['ids', { id: [anId, newId()] }],
  ['a webhook, by event date', { webhookId: [anId] }, 'eventDate'],
  ['a time, by end', { from: new Date(0) }, 'finishedAt'],
];

type Sent = Readonly<Record<string, unknown>> & {
  readonly aggregate?: string;
  readonly find?: string;
};

/** Returns the plans of the commands that a search sends. */
async function plansOf([, filter, field = 'receivedAt']: Plan, direction: 1 | -1) {
  const watching = await connectMongo(`${api.databaseUrl}&monitorCommands=true`);
  const sent: Sent[] = [];
  watching.getClient().on('commandStarted', ({ command }) => sent.push(command as Sent));
  const after = { value: new Date(), id: anId };
  const page = { order: { field, direction }, after, skip: 0, limit: 10 };
  await createStores(watching).events.search({ ...filter, parents: false }, page);
  await watching.close();
  const db = api.connection.getClient().db(api.connection.name);
  const reads = sent.filter(({ find, aggregate }) => (find ?? aggregate) === 'events');
  expect(reads.length).toBeGreaterThan(1);
  const known = ['find', 'aggregate', 'filter', 'pipeline', 'sort', 'limit', 'hint', 'projection'];
  return Promise.all(
    reads.map(async (command) => {
      const asked = Object.entries(command).filter(([name]) => known.includes(name));
      const explain = { ...Object.fromEntries(asked), ...(command.aggregate && { cursor: {} }) };
      const plan = await db.command({ explain, verbosity: 'executionStats' });
      return JSON.stringify(plan);
    }),
  );
}

test.each([...inOrder, ...sorted])('a search by %s uses an index', async (name) => {
  const plan = [...inOrder, ...sorted].find((one) => one[0] === name) as Plan;
  for (const direction of [1, -1] as const) {
    const plans = await plansOf(plan, direction);
    for (const one of plans) expect(one).not.toContain('COLLSCAN');
    if (inOrder.includes(plan)) for (const one of plans) expect(one).not.toContain('"SORT"');
  }
});

test.each(sorted.slice(0, 3))('%s events are found by indexes alone', async (name) => {
  const plan = sorted.find((one) => one[0] === name) as Plan;
  const [union = '', count = ''] = (await plansOf(plan, -1)).filter((one) =>
    one.includes('$match'),
  );
  for (const one of [union, count]) {
    expect(one).toContain('PROJECTION_COVERED');
    expect(one).not.toMatch(/"totalDocsExamined":[1-9]/);
  }
});

test('no count and no look-up of a search reads the whole collection', async () => {
  const asked: Record<string, unknown>[] = [];
  const client = api.connection.getClient();
  const counts = [
    `eventType=x&webhookId=${leads._id}`,
    'mappingVersion=1&from=2020-01-01',
    'reason=filter',
    'state=dead,received',
    'externalIdPrefix=abc',
    '',
  ];
  const db = client.db(api.connection.name);
  await db.command({ profile: 2 });
  for (const query of counts) await search(query);
  await search('phone=%2B5511999990001');
  await search('state=done&eventType=finishedAt&from=2020-01-01');
  await db.command({ profile: 0 });
  asked.push(
    ...(await db
      .collection('system.profile')
      .find({ ns: /\.events$/ })
      .toArray()),
  );
  expect(asked.length).toBeGreaterThan(10);
  const scans = asked.filter(({ planSummary }) => planSummary === 'COLLSCAN');
  expect(scans.map(({ command }) => JSON.stringify(command))).toEqual([]);
});

test('a filter with an empty list finds nothing, and reads nothing', async () => {
  const watching = await connectMongo(`${api.databaseUrl}&monitorCommands=true`);
  const sent: string[] = [];
  watching.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  const page = { order: { field: 'receivedAt', direction: -1 }, skip: 0, limit: 10 } as const;
  const { events } = createStores(watching);
  for (const filter of [{ webhookId: [] }, { webhookId: [], state: ['dead'] }, { id: [] }]) {
    const found = await events.search({ ...filter, parents: false }, page);
    expect(found).toMatchObject({ results: [], total: 0, isExact: true, next: null });
  }
  await watching.close();
  expect(sent.filter((name) => ['find', 'aggregate'].includes(name))).toEqual([]);
});
