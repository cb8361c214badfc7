// Rejected requests of known webhooks: what is kept of each, what is counted, and what it costs the database.
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { rejectionOf } from '../../support/fixtures/rejection.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { maxRejections } from '../../../src/domain/webhooks/rejection.ts';
import { startRejectionLog } from '../../../src/receiving/rejections/rejection-log.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { createStores } from '../../../src/store/stores.ts';
import { aChannel, aWebhook, type BuiltWebhook } from '../../support/context/builders.ts';
import type { RequestOptions } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { addRejectionCounts } from '../../../src/store/counters/rejection-counts.ts';

let api: TestApi;
let channelId: string;
beforeAll(async () => {
  api = await createTestApi('kept_rejections');
  channelId = await aChannel(api);
});
afterAll(() => api.close());

async function anActive(settings: object | null = null): Promise<BuiltWebhook> {
  const webhook = await aWebhook(api, { channelId, mapping: leadMapping });
  if (settings) {
    const answer = await api.ask('PATCH', `${webhook.path}/settings`, { body: settings });
    expect(answer.status).toBe(200);
  }
  return webhook;
}

const send = ({ key }: BuiltWebhook, ask: RequestOptions, query = '') =>
  api.ask('POST', `/v1/webhook/${key}${query}`, { token: null, ...ask });

async function keptOf({ path }: BuiltWebhook, query = '') {
  await api.keepRejections();
  const { status, body } = await api.ask('GET', `${path}/rejections${query}`);
  expect(status).toBe(200);
  return body.data.results;
}

async function countsOf({ path }: BuiltWebhook, query = '') {
  await api.keepRejections();
  const { status, body } = await api.ask('GET', `${path}/rejections/counts${query}`);
  expect(status).toBe(200);
  return body.data;
}

const json = { 'content-type': 'application/json' };
const large = `{"a":"${'x'.repeat(1_048_576)}"}`;

test('a list to a webhook without a split is visible, with its headers, query and body', async () => {
  const webhook = await anActive();
  const body = [{ id: 'l1', phone: '+5511999990001' }];
  const answer = await send(webhook, { body, headers: { 'x-shop': 'a', ...json } }, '?from=crm');
  expect(answer.status).toBe(400);
  const [kept, ...others] = await keptOf(webhook);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({
    code: 'invalid_body',
    message: 'The body does not have the expected shape.',
    detail: 'A list needs a mapping that splits.',
    address: '127.0.0.1',
    contentType: 'application/json',
    headers: { 'x-shop': 'a' },
    query: { from: 'crm' },
    bytes: JSON.stringify(body).length,
    body: JSON.stringify(body),
    complete: true,
    sampleId: null,
    eventId: null,
  });
  const one = await api.ask('GET', `${webhook.path}/rejections/${kept.id}`);
  expect(one.body.data).toEqual(kept);
  const headers = { 'accept-language': 'pt-BR' };
  const translated = await api.ask('GET', `${webhook.path}/rejections/${kept.id}`, { headers });
  expect(translated.body.data.message).toBe('O corpo não tem o formato esperado.');
});

type Cause = [
  code: string,
  status: number,
  settings: object | null,
  ask: RequestOptions,
  kept: object,
];
const allowlist = ['203.0.113.0/24'];
const signature = { scheme: 'github', secrets: ['correct horse battery'] };

const causes: Cause[] = [
  ['malformed_json', 400, null, { raw: '{"id":' }, { body: '{"id":', complete: true }],
  ['malformed_json', 400, null, { raw: '' }, { body: '', bytes: 0, complete: true }],
  ['invalid_body', 400, null, { raw: '"text"' }, { body: '"text"', complete: true }],
  [
    'unsupported_media_type',
    415,
    null,
    { raw: 'a,b', headers: { 'content-type': 'text/csv' } },
    { body: 'a,b', bytes: 3, contentType: 'text/csv', complete: true },
  ],
  [
    'unsupported_media_type',
    415,
    null,
    { raw: 'a,b', headers: { 'content-encoding': 'gzip' } },
    { body: null, bytes: 3, complete: false },
  ],
  [
    'body_too_large',
    413,
    null,
    { raw: large },
    { body: large.slice(0, 4_096), bytes: large.length, complete: false },
  ],
  [
    'invalid_signature',
    401,
    { signature },
    { raw: '{"id":"1"}' },
    { body: '{"id":"1"}', detail: 'missing_signature', complete: true },
  ],
  [
    'source_not_allowed',
    403,
    { allowlist },
    { raw: '{"id":"1"}' },
    { body: '{"id":"1"}', bytes: 10, complete: true },
  ],
];

test.each(causes)('%s (%i) is kept: %j', async (...[code, status, settings, ask, expected]) => {
  const webhook = await anActive(settings);
  expect((await send(webhook, ask)).status).toBe(status);
  expect(await keptOf(webhook)).toEqual([expect.objectContaining({ code, ...expected })]);
  expect((await countsOf(webhook)).codes).toEqual([{ code, count: 1 }]);
});

test('of a burst the last 100 are kept, with their bodies', async () => {
  const webhook = await anActive();
  const bodies = Array.from({ length: 130 }, (_, n) => `{"n":${n}, "email": ana}`);
  for (const raw of bodies) await send(webhook, { raw });
  const kept = await keptOf(webhook, '?per_page=200');
  expect(kept.map(({ body }: { body: string }) => body)).toEqual(bodies.slice(30).toReversed());
  expect(kept[0].detail).toBe('The body is not valid JSON: line 1, character 20.');
  expect((await countsOf(webhook)).codes).toEqual([{ code: 'malformed_json', count: 130 }]);
});

test('JSON with a content type of something else can be taken as an event', async () => {
  const webhook = await anActive();
  const headers = { 'content-type': 'text/csv' };
  expect((await send(webhook, { raw: '{"id":"typed"}', headers })).status).toBe(415);
  const [{ id }] = await keptOf(webhook);
  const taken = await api.ask('POST', `${webhook.path}/rejections/${id}/event`, { body: {} });
  expect([taken.status, taken.body.data.duplicate]).toEqual([200, false]);
});

test('a request beyond the rate limit is kept', async () => {
  const webhook = await anActive({ rateLimit: { perMinute: 1 } });
  const body = { id: '1' };
  const statuses = [await send(webhook, { body }), await send(webhook, { body })];
  expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
  expect(await keptOf(webhook)).toEqual([
    expect.objectContaining({ code: 'rate_limited', body: '{"id":"1"}', complete: true }),
  ]);
});

test('a connection that breaks within a body is kept without it', async () => {
  const webhook = await anActive();
  const breaking = fetch(`${api.url}/v1/webhook/${webhook.key}`, {
    method: 'POST',
    headers: json,
    body: new ReadableStream({
      async pull(stream) {
        stream.enqueue(Buffer.from('{'));
        await waitForValue('the server reads the body', async () =>
          (await api.metrics.registry.metrics()).includes('inlet_in_flight{stage="receiving"} 1')
            ? true
            : undefined,
        );
        stream.error(new Error('broken'));
      },
    }),
    duplex: 'half',
  } as RequestInit);
  await expect(breaking).rejects.toBeInstanceOf(Error);
  const kept = await waitForValue('the rejection is kept', async () => {
    const found = await keptOf(webhook);
    return found.length > 0 ? found : undefined;
  });
  expect(kept[0]).toMatchObject({ code: 'malformed_json', body: null, complete: false });
});

test('an unknown key, a wrong method and an accepted request leave nothing', async () => {
  const webhook = await anActive();
  const { connection } = api;
  const count = async () => {
    await api.keepRejections();
    const collections = ['rejections', 'rejection_counts'];
    return Promise.all(collections.map((name) => connection.collection(name).countDocuments()));
  };
  const before = await count();
  await send({ ...webhook, key: `${webhook.key.slice(0, -1)}_` }, { raw: '{' });
  await api.ask('GET', `/v1/webhook/${webhook.key}`, { token: null });
  expect((await send(webhook, { body: { id: 'good' } })).status).toBe(200);
  expect(await count()).toEqual(before);
});

test('a long body is kept cut', async () => {
  const webhook = await anActive();
  const raw = `[{"a":"${'x'.repeat(6_000)}"}]`;
  await send(webhook, { raw, headers: json });
  expect(await keptOf(webhook)).toEqual([
    expect.objectContaining({ body: raw.slice(0, 4_096), bytes: raw.length, complete: false }),
  ]);
});

test('credentials are masked, and the path key is nowhere in what is stored', async () => {
  const webhook = await anActive();
  const { key, id } = webhook;
  const secret = 'hush-hush-hush';
  const raw = `{"api_key":"${secret}","to":"/v1/webhook/${key}","name":"Ana","cut`;
  const headers = { ...json, authorization: `Bearer ${secret}`, 'x-api-key': secret, referer: key };
  await send(webhook, { raw, headers }, `?token=${secret}&key=${key}&page=2`);
  await send(webhook, { body: [{ password: secret, name: 'Bia' }] });
  // The key lies across the end of what is kept.
  await send(webhook, { raw: `["${'x'.repeat(4_070)}${key}"]`, headers: json });
  // The key goes on behind the end of what is looked at.
  await send(webhook, { raw: `["${key}${'x'.repeat(8_060)}${key}"]`, headers: json });
  const kept = await keptOf(webhook, '?sort_by=receivedAt');
  expect(kept).toHaveLength(4);
  expect(kept[0]).toMatchObject({
    headers: { 'x-api-key': '***' },
    query: { token: '***', page: '2' },
    body: `{"api_key":"***","to":"/v1/webhook/${'inlet_wk_'}${'*'.repeat(43)}","name":"Ana","cut`,
  });
  expect(kept[1]).toMatchObject({ body: '[{"password":"***","name":"Bia"}]', complete: true });
  expect(kept.slice(2).map(({ body }: { body: unknown }) => body)).toEqual([null, null]);
  expect(JSON.stringify(kept)).not.toContain(secret);
  const stored = await api.stores.rejections.all(id);
  const texts = stored.map(({ body, ...rest }) => `${JSON.stringify(rest)}${body?.toString()}`);
  expect(texts.join('\n')).toContain('Ana');
  expect(texts.join('\n')).not.toContain(key.slice(9, 30));
});

test('the newest hundred of each webhook are kept', async () => {
  const [one, other] = [await anActive(), await anActive()];
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1_000);
  const of = ({ id }: BuiltWebhook, n: number) => rejectionOf(id, { receivedAt: at(n) });
  await api.stores.rejections.add([of(other, 0)]);
  await api.stores.rejections.add(Array.from({ length: 60 }, (_, n) => of(one, n)));
  await api.stores.rejections.add(Array.from({ length: 60 }, (_, n) => of(one, 60 + n)));
  const kept = await api.stores.rejections.all(one.id);
  expect(kept).toHaveLength(maxRejections);
  expect(Math.min(...kept.map(({ receivedAt }) => +receivedAt))).toBe(+at(20));
  expect(await api.stores.rejections.all(other.id)).toHaveLength(1);
});

test('a storm is counted whole, keeps the last rejections, and costs a bounded number of statements', async () => {
  const webhooks = await Promise.all(
    Array.from({ length: 30 }, () => aWebhook(api, { channelId })),
  );
  const watching = await connectMongo(`${api.databaseUrl}&monitorCommands=true`);
  const commands: string[] = [];
  watching.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  const clock = { now: () => new Date(), elapsedMs: () => 0 };
  const log = startRejectionLog({ ...createStores(watching), clock, logger: silentLogger() });
  const request = { key: 'inlet_wk_x', headers: {}, query: '' };
  let read = 0;
  for (let n = 0; n < 30_000; n += 1) {
    const webhookId = webhooks[n % 30]?.id ?? '';
    log.add({ webhookId, code: 'rate_limited', detail: null, address: '', request }, async () => {
      read += 1;
      return null;
    });
  }
  await log.flush();
  const statements = commands.toSorted();
  await log.close();
  await watching.close();
  expect(read).toBe(200);
  expect(statements).toEqual(['aggregate', 'insert', 'update']);
  for (const webhook of webhooks) expect((await countsOf(webhook)).total).toBe(1_000);
  const kept = await Promise.all(webhooks.map(({ id }) => api.stores.rejections.all(id)));
  expect(kept.flat()).toHaveLength(1_000);
});

test('counts are by code and hour, or day, of the last 24 hours or of a range', async () => {
  const webhook = await anActive();
  // Not older: the database deletes counts after thirty days.
  const dayOf = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const [first, second] = [dayOf(4), dayOf(3)];
  const hour = (text: string) => new Date(`${text}:00:00Z`);
  const bucket = (text: string, codes: object) => ({
    webhookId: webhook.id,
    hour: hour(text),
    codes,
  });
  await addRejectionCounts(api.stores, [
    bucket(`${first}T23`, { rate_limited: 2 }),
    bucket(`${second}T00`, { rate_limited: 1, invalid_body: 4 }),
    bucket(`${second}T05`, { invalid_body: 1 }),
  ]);
  await addRejectionCounts(api.stores, [bucket(`${second}T05`, { invalid_body: 1 })]);
  expect(await countsOf(webhook)).toMatchObject({ total: 0, codes: [], series: [] });
  const range = `from=${first}&to=${second}`;
  expect(await countsOf(webhook, `?${range}&unit=day`)).toMatchObject({
    from: `${first}T00:00:00.000Z`,
    total: 9,
    codes: [
      { code: 'invalid_body', count: 6 },
      { code: 'rate_limited', count: 3 },
    ],
    series: [
      { at: `${first}T00:00:00.000Z`, total: 2, codes: { rate_limited: 2 } },
      { at: `${second}T00:00:00.000Z`, total: 7, codes: { rate_limited: 1, invalid_body: 6 } },
    ],
  });
  const byHour = await countsOf(webhook, `?from=${second}T00:30:00Z&to=${second}T05:00:00Z`);
  expect(byHour.series.map(({ total }: { total: number }) => total)).toEqual([5, 2]);
});

test('a list is filtered by code and date', async () => {
  const webhook = await anActive();
  await send(webhook, { raw: '{' });
  await send(webhook, { body: [] });
  expect(await keptOf(webhook, '?code=malformed_json,rate_limited')).toEqual([
    expect.objectContaining({ code: 'malformed_json' }),
  ]);
  expect(await keptOf(webhook, '?to=2026-01-01')).toEqual([]);
  const wrong = await api.ask('GET', `${webhook.path}/rejections?code=overloaded`);
  expect([wrong.status, wrong.body.data.code]).toEqual([400, 'invalid_query']);
});
