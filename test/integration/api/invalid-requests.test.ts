import { newId } from '../../../src/base/ids.ts';
import { aWebhook } from '../../support/context/builders.ts';
import type { RequestOptions } from '../../support/context/api-request.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let viewer: string;
let inbox: string;
let webhookId: string;
let key: string;

beforeAll(async () => {
  api = await createTestApi('http_refusals');
  viewer = await api.addToken(['viewer']);
  inbox = await api.addToken(['inbox']);
  ({ id: webhookId, key } = await aWebhook(api));
});
afterAll(() => api.close());

const paths = {
  get webhook() {
    return `/v1/admin/webhooks/${webhookId}`;
  },
  nobody: `/v1/admin/webhooks/${newId()}`,
};
const tooLarge = `{"name":"${'x'.repeat(1_100_000)}"}`;
const deep = `{"name":${'['.repeat(500)}${']'.repeat(500)}}`;

type Row = [
  what: string,
  method: string,
  path: () => string,
  ask: () => RequestOptions,
  answer: string,
];

// Each row breaks two rules at once; the rule that is checked first decides the answer.
const rows: Row[] = [
  [
    'no such method, no token',
    'PUT',
    () => paths.webhook,
    () => ({ token: null }),
    '405 method_not_allowed',
  ],
  ['options', 'OPTIONS', () => paths.webhook, () => ({ token: null }), '405 method_not_allowed'],
  ['no token, unknown id', 'GET', () => paths.nobody, () => ({ token: null }), '401 invalid_token'],
  ['an empty token', 'GET', () => paths.webhook, () => ({ token: '' }), '401 invalid_token'],
  [
    'a wrong token',
    'GET',
    () => paths.webhook,
    () => ({ token: `${adminToken}x` }),
    '401 invalid_token',
  ],
  [
    'a path key for a token',
    'GET',
    () => paths.webhook,
    () => ({ token: key }),
    '401 invalid_token',
  ],
  [
    'no token, a bad percent-encoding',
    'GET',
    () => '/v1/admin/webhooks/%E0%A4',
    () => ({ token: null }),
    '401 invalid_token',
  ],
  [
    'a viewer who writes to an unknown id',
    'PATCH',
    () => paths.nobody,
    () => ({ token: viewer, body: {} }),
    '403 forbidden',
  ],
  [
    'an inbox token in the administration',
    'GET',
    () => paths.webhook,
    () => ({ token: inbox }),
    '403 forbidden',
  ],
  [
    'a viewer in the inbox',
    'GET',
    () => '/v1/chat?status=my_chats',
    () => ({ token: viewer }),
    '403 forbidden',
  ],
  [
    'an unknown id, a bad type',
    'PATCH',
    () => paths.nobody,
    () => ({ raw: 'x', headers: { 'content-type': 'text/plain' } }),
    '404 not_found',
  ],
  [
    'an unknown id, a bad body',
    'PATCH',
    () => paths.nobody,
    () => ({ body: { name: 5 } }),
    '404 not_found',
  ],
  [
    'an unknown id, a bad query',
    'GET',
    () => `${paths.nobody}/samples?per_page=0`,
    () => ({}),
    '404 not_found',
  ],
  ['an id that is none', 'GET', () => '/v1/admin/webhooks/42', () => ({}), '404 not_found'],
  [
    'an id in capitals',
    'GET',
    () => paths.webhook.toUpperCase().replace('/V1/ADMIN/WEBHOOKS', '/v1/admin/webhooks'),
    () => ({}),
    '404 not_found',
  ],
  [
    'an id that cannot be decoded',
    'GET',
    () => '/v1/admin/webhooks/%E0%A4',
    () => ({}),
    '404 not_found',
  ],
  [
    'a version that is none',
    'GET',
    () => `${paths.webhook}/mappings/0`,
    () => ({}),
    '404 not_found',
  ],
  [
    'another webhook’s version',
    'POST',
    () => `${paths.webhook}/mappings/1/activate`,
    () => ({}),
    '404 not_found',
  ],
  ['a slash too many', 'GET', () => '/v1/admin/webhooks/', () => ({}), '404 not_found'],
  ['capitals in the route', 'GET', () => '/v1/admin/Webhooks', () => ({}), '404 not_found'],
  [
    'no route, no token',
    'GET',
    () => '/v1/admin/nothing',
    () => ({ token: null }),
    '404 not_found',
  ],
  ['no route at all', 'GET', () => '/nothing', () => ({ token: null }), '404 not_found'],
  [
    'text',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: '{', headers: { 'content-type': 'text/plain' } }),
    '415 unsupported_media_type',
  ],
  [
    'another charset',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: '{}', headers: { 'content-type': 'application/json; charset=unknown-8' } }),
    '415 unsupported_media_type',
  ],
  [
    'a compressed body',
    'PATCH',
    () => paths.webhook,
    () => ({
      raw: 'x',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    }),
    '415 unsupported_media_type',
  ],
  [
    'large text',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: tooLarge, headers: { 'content-type': 'text/plain' } }),
    '415 unsupported_media_type',
  ],
  [
    'a large body that is not JSON',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: `${tooLarge}}`, headers: { 'content-type': 'application/json' } }),
    '413 body_too_large',
  ],
  ['half a JSON', 'PATCH', () => paths.webhook, () => ({ raw: '{"name":' }), '400 malformed_json'],
  [
    'no body',
    'PATCH',
    () => paths.webhook,
    () => ({ headers: { 'content-type': 'application/json' } }),
    '400 malformed_json',
  ],
  [
    'bytes that are no UTF-8',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: Buffer.from([0x7b, 0xff, 0x7d]) }),
    '400 malformed_json',
  ],
  ['a list', 'PATCH', () => paths.webhook, () => ({ body: [] }), '400 invalid_body'],
  ['a number', 'PATCH', () => paths.webhook, () => ({ body: 1 }), '400 invalid_body'],
  [
    'null',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: 'null', headers: { 'content-type': 'application/json' } }),
    '400 invalid_body',
  ],
  [
    'a body that is too deep',
    'PATCH',
    () => paths.webhook,
    () => ({ raw: deep }),
    '400 invalid_body',
  ],
  ['page 0', 'GET', () => '/v1/admin/webhooks?current_page=0', () => ({}), '400 invalid_query'],
  [
    'a page that is no number',
    'GET',
    () => '/v1/admin/webhooks?current_page=1e3',
    () => ({}),
    '400 invalid_query',
  ],
  [
    '201 on a page',
    'GET',
    () => '/v1/admin/webhooks?per_page=201',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'an order by nothing',
    'GET',
    () => '/v1/admin/webhooks?sort_by=changedAt',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'an unknown parameter',
    'GET',
    () => '/v1/admin/webhooks?pagesize=3',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'a parameter twice',
    'GET',
    () => '/v1/admin/webhooks?per_page=1&per_page=2',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'a date that is none',
    'GET',
    () => '/v1/admin/events?from=yesterday',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'a status that is none',
    'GET',
    () => '/v1/admin/webhooks?status=active,gone',
    () => ({}),
    '400 invalid_query',
  ],
  ['chats of no status', 'GET', () => '/v1/chat', () => ({}), '400 invalid_query'],
  [
    'my chats and others',
    'GET',
    () => '/v1/chat?status=my_chats,closed',
    () => ({}),
    '400 invalid_query',
  ],
  [
    'an unknown field',
    'PATCH',
    () => paths.webhook,
    () => ({ body: { name: 'x', color: 'red' } }),
    '422 invalid_field',
  ],
  ['nothing to change', 'PATCH', () => paths.webhook, () => ({ body: {} }), '422 invalid_field'],
  [
    'a blank name',
    'PATCH',
    () => paths.webhook,
    () => ({ body: { name: '  ' } }),
    '422 invalid_field',
  ],
  [
    'a long name',
    'PATCH',
    () => paths.webhook,
    () => ({ body: { name: 'x'.repeat(101) } }),
    '422 invalid_field',
  ],
  [
    'a field for an action that takes none',
    'POST',
    () => `${paths.webhook}/pause`,
    () => ({ body: { now: true } }),
    '422 invalid_field',
  ],
  [
    'a version that does not exist',
    'POST',
    () => `${paths.webhook}/activate`,
    () => ({ body: { version: 9 } }),
    '422 invalid_field',
  ],
  [
    'both body and rawBody',
    'POST',
    () => `${paths.webhook}/mappings/preview`,
    () => ({ body: { mapping: {}, payload: { body: {}, rawBody: '{}' } } }),
    '422 invalid_field',
  ],
  [
    'neither mapping nor version',
    'POST',
    () => `${paths.webhook}/mappings/preview`,
    () => ({ body: { payload: { body: {} } } }),
    '422 invalid_field',
  ],
  [
    'a rawBody that is no JSON',
    'POST',
    () => `${paths.webhook}/mappings/preview`,
    () => ({ body: { mapping: {}, payload: { rawBody: '{' } } }),
    '422 invalid_field',
  ],
  [
    'a mapping that is none',
    'POST',
    () => `${paths.webhook}/mappings`,
    () => ({ body: { mapping: 'x' } }),
    '422 invalid_mapping',
  ],
  ['pausing a draft', 'POST', () => `${paths.webhook}/pause`, () => ({}), '409 invalid_transition'],
  [
    'activating a draft',
    'POST',
    () => `${paths.webhook}/activate`,
    () => ({}),
    '409 setup_incomplete',
  ],
];

test.each(rows)('%s: %s', async (...[, method, path, ask, expected]) => {
  const answer = await api.ask(method, path(), ask());
  expect(`${answer.status} ${answer.body.data.code}`).toBe(expected);
  expect(answer.body).toMatchObject({ status: false, data: { success: false } });
  const requestId = answer.headers.get('x-request-id');
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body.data.requestId).toBe(requestId);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.text).not.toContain(webhookId);
});

test('a missing content type is read as JSON', async () => {
  const answer = await api.ask('PATCH', paths.webhook, { raw: Buffer.from('{"name":"Renamed"}') });
  expect(answer.status).toBe(200);
});
