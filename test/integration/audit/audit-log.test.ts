// The audit log over HTTP: rows, filters and export.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { newId } from '../../../src/base/ids.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let channelId: string;
let operator: string;
const audit = '/v1/admin/audit';

type Row = {
  id: string;
  action: string;
  actor: { tokenId: string; name: string };
  target: { type: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

beforeAll(async () => {
  api = await createTestApi('http_audit', { trustProxy: ['127.0.0.1'] });
  operator = await api.addToken(['operator'], { name: 'Bea' });
  channelId = await aChannel(api);
  const { id } = await post('/v1/admin/webhooks', { name: 'Leads', channelId }, operator);
  await patch(`/v1/admin/webhooks/${id}`, { name: 'More leads' });
});
afterAll(() => api.close());

const send = async (given: { method: string; path: string; body: unknown; token?: string }) => {
  const { method, path, ...rest } = given;
  const answer = await api.ask(method, path, rest);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body.data;
};
const post = (path: string, body: unknown, token?: string) =>
  send({ method: 'POST', path, body, ...(token && { token }) });
const patch = (path: string, body: unknown) => send({ method: 'PATCH', path, body });
const list = async (query = ''): Promise<Row[]> => {
  const answer = await api.ask('GET', `${audit}?per_page=200&${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  expect(answer.body.data.results).toHaveLength(answer.body.data.pagings.total);
  return answer.body.data.results;
};
const actionsOf = async (query: string) => (await list(query)).map(({ action }) => action);

test('a row records actor, address, target, and the values before and after', async () => {
  const [newest] = await list();
  expect(newest).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/Z$/),
    actor: { tokenId: expect.any(String), name: 'INLET_ADMIN_TOKEN' },
    address: '127.0.0.1',
    action: 'webhook.update',
    target: { type: 'webhook', id: expect.any(String) },
    before: expect.objectContaining({ name: 'Leads' }),
    after: expect.objectContaining({ name: 'More leads' }),
    redactedAt: null,
  });
  expect((await api.ask('GET', `${audit}/${newest?.id}`)).body.data).toEqual(newest);
  expect((await api.ask('GET', `${audit}/${newId()}`)).status).toBe(404);
});

test('behind a trusted proxy the address is that of the client', async () => {
  const body = { name: 'From afar', kind: 'inbox' };
  const headers = { 'x-forwarded-for': '198.51.100.1, ::ffff:203.0.113.9' };
  const made = await api.ask('POST', '/v1/admin/channels', { body, headers });
  const rows = await list(`targetId=${made.body.data.id}`);
  expect(rows).toEqual([expect.objectContaining({ address: '203.0.113.9' })]);
});

test('answers match the OpenAPI document', async () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const document = (await api.ask('GET', '/v1/openapi.json', { token: null })).body;
  ajv.addSchema(document as object, 'api');
  const [row] = await list();
  for (const [template, path] of [
    [audit, audit],
    [`${audit}/{id}`, `${audit}/${row?.id}`],
  ] as const) {
    const place = `paths/${template.replaceAll('/', '~1')}/get/responses/200`;
    const validate = ajv.compile({
      $ref: `api#/${encodeURI(place)}/content/application~1json/schema`,
    });
    validate((await api.ask('GET', path)).body);
    expect({ template, errors: validate.errors }).toEqual({ template, errors: null });
  }
});

test('rows are found by every filter, and only by matching ones', async () => {
  const [{ id, name, tokenId }] = (await list('actor=Bea')).map(({ target, actor }) => ({
    id: target.id,
    ...actor,
  })) as [{ id: string; name: string; tokenId: string }];
  expect(name).toBe('Bea');
  const create = ['webhook.create'];
  const both = ['webhook.update', ...create];
  const today = new Date().toISOString().slice(0, 10);
  for (const [query, expected] of [
    [`actor=${tokenId}`, create],
    ['actor=nobody', []],
    ['action=webhook.create,webhook.update', both],
    ['targetType=webhook', both],
    [`targetId=${id}`, both],
    [`targetType=channel&targetId=${id}`, []],
    ['address=127.0.0.1&targetType=webhook', both],
    ['address=192.0.2.1', []],
    [`from=${today}&to=${today}&targetType=webhook`, both],
    ['to=2020-01-01', []],
    ['sort_by=at&targetType=webhook', both.toReversed()],
  ] as const) {
    expect([query, await actionsOf(query)]).toEqual([query, expected]);
  }
});

test.each([
  ['targetType=nothing', 'targetType'],
  ['from=yesterday', 'from'],
  ['sort_by=hash', 'sort_by'],
  ['before=x', 'before'],
])('an invalid query is rejected with its parameter: %s', async (query, place) => {
  const answer = await api.ask('GET', `${audit}?${query}`);
  expect([answer.status, answer.body.data.fields[0].path]).toEqual([400, place]);
});

test('only administrators can read it', async () => {
  for (const path of [audit, `${audit}/export`, `${audit}/${newId()}`]) {
    expect((await api.ask('GET', path, { token: operator })).status).toBe(403);
  }
});

test('an export has the rows of the list in the same order, one per line', async () => {
  for (const query of ['', 'targetType=webhook', 'sort_by=at', 'actor=nobody']) {
    const response = await fetch(`${api.url}${audit}/export?${query}`, {
      headers: { keyapi: 'a-token-of-the-environment' },
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line))).toEqual(await list(query));
  }
});

test('a changed secret is recorded without its value', async () => {
  const { id, path: webhook } = await aWebhook(api, { name: 'Signed', channelId });
  const path = `${webhook}/settings`;
  const signature = { scheme: 'github', secrets: ['hush-1', 'hush-2'] };
  await patch(path, { signature });
  await patch(path, { signature: { toleranceSeconds: 60 } });
  await patch(path, { signature: { secrets: ['hush-3'] } });
  const rows = await list(`targetId=${id}&sort_by=at&action=webhook.configure`);
  const signatures = rows.map(({ before, after }) =>
    [before, after].map(
      (facts) => (facts?.['settings'] as { signature?: object } | undefined)?.signature,
    ),
  );
  const kept = { scheme: 'github', secrets: ['***', '***'] };
  expect(signatures).toEqual([
    [undefined, { ...kept, secrets: ['*** (changed)', '*** (changed)'] }],
    [kept, { ...kept, toleranceSeconds: 60 }],
    [
      { ...kept, toleranceSeconds: 60 },
      { ...kept, toleranceSeconds: 60, secrets: ['*** (changed)'] },
    ],
  ]);
  expect(JSON.stringify(rows)).not.toContain('hush');
});
