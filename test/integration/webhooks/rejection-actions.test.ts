// What a person makes of a rejected request: a sample, an event, or nothing.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Rejection } from '../../../src/domain/webhooks/rejection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { auditRows } from '../../support/context/audit-rows.ts';
import {
  aChannel,
  aRejection,
  aWebhook,
  type BuiltWebhook,
} from '../../support/context/builders.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { rejectionOf } from '../../support/fixtures/rejection.ts';
import { addRejectionCounts } from '../../../src/store/counters/rejection-counts.ts';

let api: TestApi;
let channelId: string;
beforeAll(async () => {
  api = await createTestApi('http_rejections');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

const anActive = () => aWebhook(api, { channelId, mapping: leadMapping });
const events = () => collectionOf<EventRecord>(api.connection, 'events');

async function activate({ path }: BuiltWebhook, mapping: object): Promise<void> {
  const saved = await api.ask('POST', `${path}/mappings`, { body: { mapping } });
  const body = { version: saved.body.data.version };
  expect((await api.ask('POST', `${path}/activate`, { body })).status).toBe(200);
}

const takeAs = (token: string) => (webhook: BuiltWebhook, id: string, as: 'sample' | 'event') =>
  api.ask('POST', `${webhook.path}/rejections/${id}/${as}`, { token });
const take = takeAs(adminToken);

async function kept({ id }: BuiltWebhook, over: Partial<Rejection> = {}): Promise<Rejection> {
  const rejection = rejectionOf(id, over);
  await api.stores.rejections.add([rejection]);
  return rejection;
}

const lead = Buffer.from('{"id":"e1","lead":{"id":"L1"},"password":"hush"}');

test('a list becomes a sample, from it a mapping with a split, and then an event with an item', async () => {
  const webhook = await anActive();
  const id = await aRejection(api, webhook);
  const early = await take(webhook, id, 'event');
  expect([early.status, early.body.data]).toMatchObject([
    409,
    { code: 'invalid_transition', state: 'needs_split' },
  ]);

  const sample = await take(webhook, id, 'sample');
  expect([sample.status, sample.body.data]).toMatchObject([
    201,
    { source: 'manual', body: [{ id: expect.any(String) }] },
  ]);
  const again = await take(webhook, id, 'sample');
  expect(again.body.data.id).toBe(sample.body.data.id);
  const samples = await api.ask('GET', `${webhook.path}/samples?source=manual`);
  expect(samples.body.data.pagings.total).toBe(1);

  await activate(webhook, { ...leadMapping, split: '@' });
  const taken = await take(webhook, id, 'event');
  expect([taken.status, taken.body.data]).toEqual([
    200,
    { eventId: expect.any(String), duplicate: false, mode: 'event' },
  ]);
  const { eventId } = taken.body.data;
  await api.processEvents([eventId]);
  expect(await events().findOne({ _id: eventId })).toMatchObject({ state: 'done', items: 1 });
  const shown = await api.ask('GET', `${webhook.path}/rejections/${id}`);
  expect(shown.body.data).toMatchObject({ sampleId: sample.body.data.id, eventId });
});

test('a rejection taken several times is one event of its original time, and has one audit row', async () => {
  const webhook = await anActive();
  const receivedAt = new Date('2026-01-02T03:04:05Z');
  const code = 'invalid_signature';
  const { _id } = await kept(webhook, { receivedAt, code, body: lead });
  const answers = await Promise.all([take(webhook, _id, 'event'), take(webhook, _id, 'event')]);
  answers.push(await take(webhook, _id, 'event'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [{ eventId }] = answers.map(({ body }) => body.data) as [{ eventId: string }];
  expect(new Set(answers.map(({ body }) => body.data.eventId)).size).toBe(1);
  expect(answers.filter(({ body }) => !body.data.duplicate)).toHaveLength(1);
  const found = await events().find({ webhookId: webhook.id }).toArray();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ _id: eventId, receivedAt, externalId: 'e1' });
  const rows = await auditRows(api, { targetId: _id });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action: 'rejection.record',
    target: { type: 'rejection', id: _id },
    after: { webhookId: webhook.id, code },
  });
  expect(JSON.stringify(rows)).not.toContain('hush');
});

test('a rejected request that the sender repeated with success is a resend of that event', async () => {
  const webhook = await anActive();
  const { _id } = await kept(webhook, { code: 'rate_limited', body: lead });
  const sent = await api.ask('POST', `/v1/webhook/${webhook.key}`, {
    token: null,
    raw: lead,
    headers: { 'content-type': 'application/json' },
  });
  const taken = await take(webhook, _id, 'event');
  expect(taken.body.data).toMatchObject({ eventId: sent.body.data.eventId, duplicate: true });
  expect(await events().countDocuments({ webhookId: webhook.id })).toBe(1);
});

test('an event of a rejection and an event of its sample are the same', async () => {
  const webhook = await anActive();
  const { _id } = await kept(webhook, { body: Buffer.from('{"text":"without an id"}') });
  await take(webhook, _id, 'sample');
  const { eventId } = (await take(webhook, _id, 'event')).body.data;
  const body = { processSamples: true };
  expect((await api.ask('POST', `${webhook.path}/activate`, { body })).status).toBe(200);
  const found = events().find({
    'delivery.body': Buffer.from('{"text":"without an id"}'),
  });
  expect((await found.toArray()).map((event) => event._id)).toEqual([eventId]);
});

test.each<[string, Partial<Rejection>, string]>([
  ['a body that was cut', { body: lead, complete: false }, 'incomplete'],
  ['no body', { body: null }, 'incomplete'],
  ['no JSON', { body: Buffer.from('{'), code: 'malformed_json' }, 'unreadable'],
  [
    'a type that is not read',
    { body: Buffer.from('a,b'), contentType: 'text/csv', code: 'unsupported_media_type' },
    'unreadable',
  ],
])('%s becomes neither a sample nor an event', async (_what, over, state) => {
  const webhook = await anActive();
  const { _id } = await kept(webhook, over);
  for (const as of ['sample', 'event'] as const) {
    const answer = await take(webhook, _id, as);
    expect([as, answer.status, answer.body.data]).toMatchObject([
      as,
      409,
      { code: 'invalid_transition', state },
    ]);
  }
  expect(await auditRows(api, { targetId: _id })).toEqual([]);
});

test('a webhook that is not active makes no event of it, a paused one holds it', async () => {
  const draft = await aWebhook(api, { channelId });
  const { _id } = await kept(draft, { body: lead });
  expect((await take(draft, _id, 'event')).body.data).toMatchObject({ state: 'draft' });
  expect((await take(draft, _id, 'sample')).status).toBe(201);
  const webhook = await anActive();
  await api.ask('POST', `${webhook.path}/pause`);
  const other = await kept(webhook, { body: lead });
  expect((await take(webhook, other._id, 'event')).body.data).toMatchObject({ mode: 'held' });
});

test('a rejection is deleted once, with an audit row, and only as it was seen', async () => {
  const webhook = await anActive();
  const { _id } = await kept(webhook, { body: lead });
  const path = `${webhook.path}/rejections/${_id}`;
  const etag = (await api.ask('GET', path)).headers.get('etag') ?? '';
  const stale = await api.ask('DELETE', path, { headers: { 'if-match': '"stale"' } });
  expect(stale.status).toBe(412);
  const deleted = await api.ask('DELETE', path, { headers: { 'if-match': etag } });
  expect([deleted.status, deleted.body.data]).toEqual([200, {}]);
  expect((await api.ask('DELETE', path)).status).toBe(404);
  expect(await auditRows(api, { targetId: _id })).toMatchObject([
    { action: 'rejection.delete', before: { webhookId: webhook.id, code: 'invalid_body' } },
  ]);
});

test('a restricted or weaker token reaches only what it may', async () => {
  const [own, foreign] = [await anActive(), await anActive()];
  const restriction = { webhookIds: [own.id], channelIds: [] };
  const restricted = await api.addToken(['operator'], { restriction });
  const viewer = await api.addToken(['viewer']);
  const [mine, other] = [await kept(own, { body: lead }), await kept(foreign, { body: lead })];
  const statusOf = async (method: string, path: string, token: string) =>
    (await api.ask(method, path, { token })).status;
  for (const under of ['', '/counts', `/${other._id}`])
    expect(await statusOf('GET', `${foreign.path}/rejections${under}`, restricted)).toBe(404);
  expect((await takeAs(restricted)(foreign, other._id, 'event')).status).toBe(404);
  // The id of another webhook's rejection below an own webhook.
  expect((await takeAs(restricted)(own, other._id, 'event')).status).toBe(404);
  expect(await statusOf('GET', `${own.path}/rejections`, viewer)).toBe(200);
  expect((await takeAs(viewer)(own, mine._id, 'sample')).status).toBe(403);
  expect((await takeAs(restricted)(own, mine._id, 'event')).status).toBe(200);
});

test('a repeated request with an Idempotency-Key gets the first answer', async () => {
  const webhook = await anActive();
  const { _id } = await kept(webhook, { body: lead });
  const ask = () =>
    api.ask('POST', `${webhook.path}/rejections/${_id}/event`, {
      headers: { 'idempotency-key': 'one' },
    });
  const [first, second] = [await ask(), await ask()];
  expect(first.body.data.duplicate).toBe(false);
  expect(second.body.data).toEqual(first.body.data);
  expect(await auditRows(api, { targetId: _id })).toHaveLength(1);
});

test('the rejections of the last 24 hours are counted for all webhooks that a token may read', async () => {
  const [much, little, other] = [await anActive(), await anActive(), await anActive()];
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const yesterday = new Date(+hour - 26 * 3_600_000);
  await addRejectionCounts(api.stores, [
    { webhookId: much.id, hour, codes: { malformed_json: 40_000, invalid_body: 2 } },
    { webhookId: little.id, hour, codes: { rate_limited: 7 } },
    { webhookId: little.id, hour: yesterday, codes: { rate_limited: 900 } },
    { webhookId: other.id, hour, codes: { rate_limited: 1 } },
  ]);
  const url = '/v1/admin/stats/rejections';
  const all = (await api.ask('GET', `${url}?per_page=1`)).body.data;
  expect(all.results).toMatchObject([{ webhookId: much.id, count: 40_002 }]);
  expect(all.total).toBeGreaterThanOrEqual(40_010);

  const { body } = await api.ask('POST', '/v1/admin/tokens', {
    body: { name: 'narrow', scopes: ['viewer'], webhookIds: [little.id, other.id] },
  });
  const narrowed = await api.ask('GET', url, { token: body.data.token });
  expect(narrowed.body.data).toMatchObject({
    total: 8,
    results: [
      { webhookId: little.id, count: 7 },
      { webhookId: other.id, count: 1 },
    ],
  });
});
