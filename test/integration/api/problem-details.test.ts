import { newId } from '../../../src/base/ids.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let webhookId: string;
let path: string;
let key: string;

beforeAll(async () => {
  api = await createTestApi('http_problems');
  ({ id: webhookId, key, path } = await aWebhook(api));
});
afterAll(() => api.close());

test('a rejected method names the allowed ones', async () => {
  const answer = await api.ask('DELETE', path);
  expect(answer.headers.get('allow')).toBe('GET, PATCH, HEAD');
});

test('every problem of a body is reported with its pointer', async () => {
  const answer = await api.ask('POST', '/v1/admin/webhooks', { body: { name: '', 'a/b': 1 } });
  expect(answer.body.data.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/a~1b',
    '/channelId',
    '/name',
  ]);
});

test('the settings of a channel are judged only when its kind is known', async () => {
  const problemsOf = async (body: object) => {
    const answer = await api.ask('POST', '/v1/admin/channels', { body });
    return answer.body.data.fields.map(({ path }: { path: string }) => path).sort();
  };
  expect(await problemsOf({})).toEqual(['/kind', '/name']);
  expect(await problemsOf({ name: 'x', kind: 'http' })).toEqual(['/settings']);
  expect(await problemsOf({ name: 'x', kind: 'inbox', settings: { url: 1 } })).toEqual([
    '/settings/url',
  ]);
});

test('every problem of a query is reported with its parameter', async () => {
  const query = '/v1/admin/webhooks?per_page=0&current_page=x&x=1';
  const answer = await api.ask('GET', query);
  expect(answer.body.data.fields.map((field: { path: string }) => field.path).sort()).toEqual([
    'current_page',
    'per_page',
    'x',
  ]);
});

test('an invalid phone number, address or document is a problem of its query parameter', async () => {
  const answer = await api.ask('GET', '/v1/admin/blocks?phone=none&email=none');
  expect([answer.status, answer.body.data.code]).toEqual([400, 'invalid_query']);
  expect(answer.body.data.fields.map((field: { path: string }) => field.path).sort()).toEqual([
    'email',
    'phone',
  ]);
});

test.each([
  'chat?status=my_chats&filter_name=',
  'admin/webhooks?search=',
  'admin/webhooks/counts?search=',
  'admin/tokens?search=',
  'admin/contacts?search=',
  'admin/dead-letters?reason=',
  'admin/events?reason=',
])('a search for a text that cannot be stored finds nothing: %s', async (query) => {
  for (const text of ['%00', 'a%00b']) {
    const answer = await api.ask('GET', `/v1/${query}${text}`);
    expect([text, answer.status, answer.body.data.pagings?.total ?? 0]).toEqual([text, 200, 0]);
  }
});

test('an unknown channel is reported with its pointer', async () => {
  const body = { name: 'x', channelId: newId() };
  const answer = await api.ask('POST', '/v1/admin/webhooks', { body });
  expect(answer.status).toBe(422);
  expect(answer.body.data.fields).toEqual([
    { path: '/channelId', message: expect.any(String) as string },
  ]);
});

test('every problem of a mapping is reported with its pointer in the request', async () => {
  const contact = { phone: { path: '[' }, name: { path: ']' }, email: { path: 1 } };
  const mapping = { contact, eventId: { const: 'always' } };
  const answer = await api.ask('POST', `${path}/mappings`, { body: { mapping } });
  expect(answer.body.data.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
    '/mapping/contact/email/path',
    '/mapping/contact/name/path',
    '/mapping/contact/phone/path',
    '/mapping/eventId',
  ]);
});

test('the missing steps of an activation are named', async () => {
  const answer = await api.ask('POST', `${path}/activate`);
  expect(answer.body.data).toMatchObject({ missing: ['sample', 'mapping'], state: 'draft' });
});

test.each([
  ['expired', { expiresAt: new Date(Date.now() - 1_000) }],
  ['revoked', { revokedAt: new Date() }],
])('a token that is %s is rejected', async (_state, over) => {
  const token = await api.addToken(['admin'], over);
  expect((await api.ask('GET', path, { token })).status).toBe(401);
});

test('a token is rejected as a path key', async () => {
  const token = await api.addToken(['admin']);
  const answer = await api.ask('POST', `/v1/webhook/${token}`, { token: null, body: {} });
  expect(`${answer.status} ${answer.body.data.code}`).toBe('401 invalid_key');
});

test.each([
  ['pt-BR,pt;q=0.9', 'O recurso não existe.'],
  ['pt', 'O recurso não existe.'],
  ['es-MX', 'El recurso no existe.'],
  ['fr', 'The resource does not exist.'],
])('an error speaks the language of %s', async (language, message) => {
  const answer = await api.ask('GET', '/v1/nothing', { headers: { 'accept-language': language } });
  expect(answer.body.message).toBe(message);
});

test('no log line carries a raw path, a query or a key', async () => {
  await api.ask('GET', `${path}?secret=hush`);
  await api.ask('GET', '/v1/admin/channels?name=hush');
  const text = api.lines.join('');
  expect(text).toContain('"route":"/v1/admin/webhooks/:id"');
  expect(text).not.toContain('hush');
  expect(text).not.toContain(key);
  expect(text).not.toContain(`webhooks/${webhookId}`);
});
