// Receipts: what a sender can read about its events, and that no other data can be read.
import { createHash } from 'node:crypto';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let elapsedMs = 0;
let channelId: string;
beforeAll(async () => {
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  api = await createTestApi('receipts', { clock, trustProxy: ['127.0.0.1'] });
  channelId = await aChannel(api);
});
afterAll(() => api.close());

type Hook = Awaited<ReturnType<typeof addWebhook>>;

async function addWebhook(mapping?: MappingDocument) {
  const { id, key, path } = await aWebhook(api, { channelId, mapping });
  return { id, admin: path, path: `/v1/webhook/${key}` };
}

async function activate({ admin }: { admin: string }, mapping: MappingDocument): Promise<void> {
  await api.ask('POST', `${admin}/mappings`, { body: { mapping } });
  expect((await api.ask('POST', `${admin}/activate`, { body: {} })).status).toBe(200);
}

async function send({ path }: { path: string }, payload: unknown): Promise<string> {
  const raw = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const answer = await api.ask('POST', path, { token: null, raw });
  expect(answer.status).toBe(200);
  return answer.body.data.eventId;
}

const get = (path: string, headers = {}) => api.ask('GET', path, { token: null, headers });
const byId = (hook: Pick<Hook, 'path'>, id: string) =>
  get(`${hook.path}/receipts/${encodeURIComponent(id)}`);
const byBody = (hook: Pick<Hook, 'path'>, body: string) =>
  get(`${hook.path}/receipts/by-body/${createHash('sha256').update(body).digest('hex')}`);
const shortOf = ({ status, body }: Awaited<ReturnType<typeof get>>) =>
  `${status} ${body.data.code ?? body.data.state}`;

test('a receipt has the state of an event, and how often it was sent', async () => {
  const hook = await addWebhook(leadMapping);
  const lead = { id: 'e1', lead: { id: 'crm-1', phone: '+5511912345678' }, text: 'hello' };
  const eventId = await send(hook, lead);
  const before = await byId(hook, 'e1');
  expect(before.body).toMatchObject({ status: true, message: 'Read.' });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const nothing = { contactId: null, chatId: null, messageId: null };
  const seen = { externalId: 'e1', eventId, firstSeenAt: time, lastSeenAt: time };
  expect(before.body.data).toEqual({ ...seen, state: 'received', deliveries: 1, ...nothing });
  await send(hook, lead);
  await api.processEvents([eventId]);
  const { effects } = (await api.ask('GET', `/v1/admin/events/${eventId}`)).body.data;
  expect(effects.messageId).toMatch(/^[\w-]{36}$/);
  const after = (await byId(hook, 'e1')).body.data;
  expect(after).toEqual({ ...seen, state: 'done', deliveries: 2, ...effects });
  expect(Date.parse(after.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(after.firstSeenAt));
});

test.each([
  ['slashes', 'a/b/c'],
  ['the name of a route', 'by-body'],
  ['a percent sign', '100%'],
  ['letters of other alphabets', 'é ü 漢'],
  ['a query', '?a=1#b'],
  ['two dots in it', 'a/../b'],
  ['1,024 characters', 'x'.repeat(1_024)],
  ['an encoding', '%2F'],
])('an encoded id with %s is found', async (_what, id) => {
  const hook = await addWebhook(leadMapping);
  const eventId = await send(hook, { id });
  const answer = await rawGet(`${hook.path}/receipts/${encodeURIComponent(id)}`);
  expect(answer).toContain(`"eventId":"${eventId}"`);
});

/** Sends the path unchanged over a socket: `fetch` resolves dots, encoded ones included. */
async function rawGet(path: string): Promise<string> {
  const { request } = await import('node:http');
  const { port } = new URL(api.url);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}

test('an event that was never sent, or sent to another webhook, is 404', async () => {
  const [mine, other] = [await addWebhook(leadMapping), await addWebhook(leadMapping)];
  await send(other, { id: 'theirs' });
  await send(other, '{"note":"theirs"}');
  const answers = [
    await byId(mine, 'theirs'),
    await byId(mine, 'never'),
    await byBody(mine, '{"note":"theirs"}'),
    await get(`${mine.path}/receipts/by-body/abc`),
    await get(`${mine.path}/receipts/%E0%A4%A`),
    await byId(mine, 'x'.repeat(2_000)),
    await byId(mine, ' '),
  ];
  expect(new Set(answers.map(shortOf))).toEqual(new Set(['404 not_found']));
  const bodies = answers.map(({ body: { data, ...rest } }) =>
    JSON.stringify([rest, { ...data, requestId: '' }]),
  );
  expect(new Set(bodies).size).toBe(1);
});

test('wrong keys, archived keys and unknown routes are rejected as on the receiving route', async () => {
  const hook = await addWebhook(leadMapping);
  const archived = await addWebhook(leadMapping);
  await send(archived, { id: 'e1' });
  await api.ask('POST', `${archived.admin}/archive`);
  const paths = [
    '/v1/webhook/inlet_wk_nobody/receipts/e1',
    '/v1/webhook/%/receipts/e1',
    '/v1/webhook//receipts/e1',
    `${archived.path}/receipts/e1`,
    `${archived.path}/receipts/by-body/${'0'.repeat(64)}`,
    `${hook.path}/receipts`,
    `${hook.path}/receipts/`,
    `${hook.path}/receipts/a/b`,
    `${hook.path}/receipts/by-body/`,
    `${hook.path}/receipts/by-body/a/b`,
    `${hook.path}/Receipts/e1`,
    `${hook.path}/receipt/e1`,
  ];
  const posted = await api.ask('POST', '/v1/webhook/inlet_wk_nobody', { token: null, raw: '{}' });
  const plain = ({ body: { data, ...rest } }: typeof posted) =>
    JSON.stringify([rest, { ...data, requestId: '' }]);
  for (const path of paths) {
    const answer = await get(path);
    expect([path, answer.status, plain(answer)]).toEqual([path, 401, plain(posted)]);
  }
});

test('HEAD is answered without a body, and other methods are 405 with any key', async () => {
  const hook = await addWebhook(leadMapping);
  await send(hook, { id: 'e1' });
  const head = await api.ask('HEAD', `${hook.path}/receipts/e1`, { token: null });
  expect([head.status, head.text]).toEqual([200, '']);
  for (const path of [hook.path, '/v1/webhook/inlet_wk_nobody']) {
    const answer = await api.ask('POST', `${path}/receipts/e1`, { token: null, raw: '{}' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

test('a webhook with samples only has no receipts; a paused one has receipts of held events', async () => {
  const draft = await addWebhook();
  await send(draft, { id: 'e1' });
  expect(shortOf(await byId(draft, 'e1'))).toBe('404 not_found');
  await activate(draft, leadMapping);
  await api.ask('POST', `${draft.admin}/pause`);
  const eventId = await send(draft, { id: 'e2' });
  const receipt = await byId(draft, 'e2');
  expect([shortOf(receipt), receipt.body.data.eventId]).toEqual(['200 held', eventId]);
});

test('during the grace period of an older recipe an event is found by either id', async () => {
  const hook = await addWebhook({ ...leadMapping, eventId: { path: 'old' } });
  const before = await send(hook, { old: '1', fresh: '2' });
  await activate(hook, { ...leadMapping, eventId: { path: 'fresh' } });
  const during = await send(hook, { old: '3', fresh: '1' });
  const idOf = async (id: string) => (await byId(hook, id)).body.data.eventId;
  // The active recipe wins.
  expect(await idOf('1')).toBe(during);
  expect(await idOf('3')).toBe(during);
  expect(await idOf('2')).toBeUndefined();
  await collectionOf<EventRecord>(api.connection, 'events').deleteOne({ _id: during });
  expect(await idOf('1')).toBe(before);
});

test('the items of a body have receipts of their own, and the body has one by its hash', async () => {
  const hook = await addWebhook({ ...leadMapping, split: 'leads', eventId: { path: 'id' } });
  const body = '{"leads":[{"id":"i1"},{"id":"i2"}]}';
  const parent = await send(hook, body);
  expect(shortOf(await byId(hook, 'i1'))).toBe('404 not_found');
  await api.processEvents([parent]);
  const items = [await byId(hook, 'i1'), await byId(hook, 'i2')];
  expect(items.map(({ body: { data } }) => data.externalId)).toEqual(['i1', 'i2']);
  const whole = (await byBody(hook, body)).body.data;
  expect(whole).toMatchObject({ eventId: parent, state: 'done', messageId: null, count: 1 });
});

test('a composite id is requested in its joined form', async () => {
  const eventId = { join: [{ path: 'shop' }, { path: 'order' }], with: ':' };
  const hook = await addWebhook({ ...leadMapping, eventId });
  const sent = await send(hook, { shop: 'a:b', order: 'c' });
  const receipt = (await byId(hook, 'a:b:c')).body.data;
  expect([receipt.eventId, receipt.externalId]).toEqual([sent, 'a:b:c']);
});

test('events without an id are found by their body: the newest one, with their number', async () => {
  const hook = await addWebhook({ contact: { phone: { path: 'phone' } } });
  const body = '{ "phone": "+5511912345678" }';
  await send(hook, body);
  const newest = await send(hook, body);
  const receipt = (await byBody(hook, body)).body.data;
  expect(receipt).toMatchObject({ eventId: newest, externalId: null, deliveries: 1, count: 2 });
  const upper = createHash('sha256').update(body).digest('hex').toUpperCase();
  expect((await get(`${hook.path}/receipts/by-body/${upper}`)).body.data).toEqual(receipt);
  expect(shortOf(await byBody(hook, body.trim().replace(' ', '')))).toBe('404 not_found');
  const identified = await addWebhook(leadMapping);
  await send(identified, '{"id":"e1"}');
  expect(shortOf(await byBody(identified, '{"id":"e1"}'))).toBe('404 not_found');
});

test('receipts have a rate limit of their own', async () => {
  const hook = await addWebhook(leadMapping);
  await api.ask('PATCH', `${hook.admin}/settings`, { body: { rateLimit: { perMinute: 1 } } });
  await send(hook, { id: 'e1' });
  const answers = await Promise.all(Array.from({ length: 101 }, () => byId(hook, 'e1')));
  const rejected = answers.filter(({ status }) => status === 429);
  expect(rejected).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(rejected[0]?.headers.get('ratelimit-limit')).toBe('100');
  expect(rejected[0]?.headers.get('retry-after')).toBe('1');
  expect((await byId(hook, 'never')).status).toBe(429);
  elapsedMs += 100;
  expect((await byId(hook, 'e1')).status).toBe(200);
});

test('the allowlist covers receipts', async () => {
  const hook = await addWebhook(leadMapping);
  await send(hook, { id: 'e1' });
  const allowlist = ['203.0.113.0/24'];
  await api.ask('PATCH', `${hook.admin}/settings`, { body: { allowlist } });
  const path = `${hook.path}/receipts/e1`;
  expect(shortOf(await get(path, { 'x-forwarded-for': '1.2.3.4' }))).toBe('403 source_not_allowed');
  expect((await get(path, { 'x-forwarded-for': '203.0.113.4' })).status).toBe(200);
});

test('log lines and rejections contain neither the key nor the requested id', async () => {
  const hook = await addWebhook(leadMapping);
  const key = hook.path.split('/').at(-1) ?? '';
  await send(hook, { id: 'canary-id' });
  const answers = [
    await byId(hook, 'canary-id'),
    await byId(hook, 'canary-other'),
    await get(`${hook.path}x/receipts/canary-id`),
    await get(`${hook.path}/receipts/canary/id`),
    await get(`${hook.path}/receipts/canary%`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 401, 404]);
  const logged = [...api.lines, ...answers.slice(1).map(({ text }) => text)].join('\n');
  expect(logged).toContain('receipt.requested');
  for (const secret of [key, key.slice('inlet_wk_'.length), 'canary']) {
    expect(logged.includes(secret)).toBe(false);
  }
});

test('the OpenAPI document describes both ways to ask, with all fields', async () => {
  const document = JSON.parse((await get('/v1/openapi.json')).text);
  const fieldsOf = (path: string): string[] => {
    const { content } = document.paths[path].get.responses[200];
    const reference: string = content['application/json'].schema.properties.data.$ref;
    const schema = document.components.schemas[reference.split('/').at(-1) ?? ''];
    return Object.keys(schema.properties).toSorted();
  };
  const [hook, silent] = [await addWebhook(leadMapping), await addWebhook({})];
  await send(hook, { id: 'e1' });
  await send(silent, '{"n":1}');
  const path = '/v1/webhook/{keyapi}/receipts';
  const byName = (await byId(hook, 'e1')).body.data;
  expect(fieldsOf(`${path}/{externalId}`)).toEqual(Object.keys(byName).toSorted());
  const byHash = (await byBody(silent, '{"n":1}')).body.data;
  expect(fieldsOf(`${path}/by-body/{sha256}`)).toEqual(Object.keys(byHash).toSorted());
});

test('both ways to ask use an index', async () => {
  const { id: webhookId } = await addWebhook(leadMapping);
  const events = collectionOf<EventRecord>(api.connection, 'events');
  const alone = { externalId: { $type: 'null' }, parentId: { $type: 'null' } } as const;
  const byKeys = { webhookId, dedupKeys: { $in: ['a', 'b'], $type: 'string' } } as const;
  const byHash = { webhookId, bodySha256: 'a', ...alone };
  const plans = await Promise.all([
    events.find(byKeys).limit(100).explain('queryPlanner'),
    events.find(byHash).sort({ receivedAt: -1 }).limit(100).explain('queryPlanner'),
  ]);
  const [id, body] = plans.map((plan) => JSON.stringify(plan.queryPlanner.winningPlan));
  expect(id).toContain('"indexName":"dedup"');
  expect(body).toContain('"indexName":"by_body"');
  expect(body).not.toContain('"SORT"');
});
