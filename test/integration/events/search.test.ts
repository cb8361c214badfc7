// Searching events over HTTP: indexed filters, and pages that are stable while events come in.
import { newId } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { searchQuery } from '../../../src/store/event-queries/search.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
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
  ['state=done', ['a-1', 'a-2', 'b-1']],
  ['state=done,dead', ['a-1', 'a-2', 'b-1', 'nobody', 'c-1']],
  ['externalId=a-1,b-1', ['a-1', 'b-1']],
  ['externalIdPrefix=a-1', ['a-1']],
  ['externalIdPrefix=c-1&externalId=a-1', []],
  ['eventType=lead.won', ['a-2']],
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
  ['mappingVersion=1&eventType=lead.won', ['a-2']],
  ['mappingVersion=2', []],
  ['eventFrom=2026-04-01&eventTo=2026-04-01', ['a-2']],
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
    const answer = await api.ask('GET', `/v1/admin/events?sort_by=${sortBy}&state=done,dead`);
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
  const events = api.connection.collection('events');
  await events.updateMany({ webhookId: webhook._id }, { $set: { receivedAt: new Date(0) } });
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
const plans: [string, object, string][] = [
  ['nothing', {}, 'receivedAt'],
  ['webhookId', { webhookId: [anId] }, 'receivedAt'],
  ['state', { state: ['dead'] }, 'receivedAt'],
  ['states of a webhook', { webhookId: [anId], state: ['dead', 'done'] }, 'receivedAt'],
  ['externalId', { externalId: ['a'] }, 'receivedAt'],
  ['eventType', { eventType: ['a'] }, 'receivedAt'],
  ['mappingVersion', { mappingVersion: [1] }, 'receivedAt'],
  ['reasonIs', { reasonIs: ['filter', 'x:y'] }, 'receivedAt'],
  ['contactId', { contactId: [anId, newId()] }, 'receivedAt'],
  ['dates', { from: new Date(0), to: new Date() }, 'receivedAt'],
  ['event dates', { eventFrom: new Date(0) }, 'eventDate'],
  ['nothing, by end', {}, 'finishedAt'],
  ['a webhook, by event date', { webhookId: [anId] }, 'eventDate'],
];

test.each(plans)('a search by %s uses an index', async (_what, filter, field) => {
  for (const direction of [1, -1] as const) {
    const order = { field: field as 'receivedAt', direction };
    const after = { value: new Date(), id: anId };
    const { conditions, sort } = searchQuery({ ...filter, parents: false }, { order, after });
    const events = collectionOf<EventRecord>(api.connection, 'events');
    const { queryPlanner } = await events.find(conditions, { sort, limit: 11 }).explain();
    const plan = JSON.stringify(queryPlanner.winningPlan);
    expect(plan).not.toContain('COLLSCAN');
    expect(plan).toMatch(/IXSCAN|"EOF"/);
    if (!('webhookId' in filter) || field === 'receivedAt') expect(plan).not.toContain('"SORT"');
  }
});

test('no count and no look-up of a search reads the whole collection', async () => {
  const asked: Record<string, unknown>[] = [];
  const client = api.connection.getClient();
  const counts = ['eventType=x', 'mappingVersion=1', 'reason=filter', 'externalIdPrefix=abc', ''];
  const db = client.db(api.connection.name);
  await db.command({ profile: 2 });
  for (const query of counts) await search(query);
  await search('phone=%2B5511999990001');
  await search('sort_by=finishedAt'.replace('sort_by', 'state=done&eventType'));
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
