// A path key or a token that is pasted where it would be stored and shown is rejected, and stored nowhere.
import { newSecret } from '../../../src/base/ids.ts';
import { keyPrefix, tokenPrefix } from '../../../src/base/observability/logger.ts';
import { aChannel, aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

const key = newSecret(keyPrefix);
const token = newSecret(tokenPrefix);
let api: TestApi;
let channelId: string;
let webhook: string;

beforeAll(async () => {
  api = await createTestApi('pasted_credentials');
  channelId = await aChannel(api);
  webhook = (await aWebhook(api, { channelId })).path;
});
afterAll(() => api.close());

test.each<[string, () => [method: string, path: string, body: object], string]>([
  ['a webhook’s name', () => ['POST', '/v1/admin/webhooks', { name: key, channelId }], '/name'],
  ['a new name', () => ['PATCH', webhook, { name: `Leads ${token}` }], '/name'],
  [
    'a channel’s name',
    () => [
      'POST',
      '/v1/admin/channels',
      { name: `https://a.example/v1/webhook/${key}`, kind: 'inbox' },
    ],
    '/name',
  ],
  [
    'a token’s name',
    () => ['POST', '/v1/admin/tokens', { name: token, scopes: ['viewer'] }],
    '/name',
  ],
  ['a sample’s name', () => ['POST', `${webhook}/samples`, { name: key, body: { a: 1 } }], '/name'],
  [
    'a constant of a mapping',
    () => [
      'POST',
      `${webhook}/mappings`,
      { mapping: { contact: { name: { path: 'a', default: token } } } },
    ],
    '/mapping/contact/name/default',
  ],
  [
    'the answer of a webhook',
    () => [
      'PATCH',
      `${webhook}/settings`,
      { answer: { status: 200, contentType: 'text/plain', body: key } },
    ],
    '/answer/body',
  ],
])('%s', async (_what, request, place) => {
  const [method, path, body] = request();
  const { status, body: answer, text } = await api.ask(method, path, { body });
  expect([status, answer.data.code, answer.data.fields[0].path]).toEqual([
    422,
    'invalid_field',
    place,
  ]);
  expect(text).not.toContain('inlet_');
  const rows = await Promise.all(
    ['webhooks', 'channels', 'tokens', 'samples', 'mappings', 'audit'].map((name) =>
      api.connection.collection(name).find({}).toArray(),
    ),
  );
  expect(JSON.stringify(rows)).not.toMatch(/inlet_(?:wk|at)_/);
});

test('secrets and payloads may contain them: they are encrypted or masked', async () => {
  const secret = { signature: { scheme: 'github', secrets: [key] } };
  expect((await api.ask('PATCH', `${webhook}/settings`, { body: secret })).status).toBe(200);
  const sample = await api.ask('POST', `${webhook}/samples`, { body: { body: { note: key } } });
  expect([sample.status, sample.text.includes(key)]).toEqual([201, false]);
});
