// Invalid requests to the receiving route: each code of the contract, in the order of the checks.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { aWebhook } from '../../support/context/builders.ts';
import type { Answer, RequestOptions } from '../../support/context/api-request.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { leadMapping } from '../../support/context/test-context.ts';

let api: TestApi;
let key: string;
let splitting: string;
let draft: string;
let archived: string;

beforeAll(async () => {
  api = await createTestApi('hostile');
  key = await addKey(leadMapping);
  splitting = await addKey({ ...leadMapping, split: '@' });
  draft = await addKey();
  archived = await addKey(leadMapping, 'archive');
});
afterAll(() => api.close());

async function addKey(mapping?: MappingDocument, after?: 'archive' | 'pause'): Promise<string> {
  const { key, path } = await aWebhook(api, { mapping });
  if (after) expect((await api.ask('POST', `${path}/${after}`)).status).toBe(200);
  return key;
}

const send = (method: string, path: string, ask: RequestOptions = {}) =>
  api.ask(method, path, { token: null, ...ask });
const post = (path: string, ask: RequestOptions = {}) => send('POST', path, ask);
const shortOf = ({ status, body }: Answer) => `${status} ${body.data.code ?? body.data.mode ?? ''}`;
const events = () => collectionOf<EventRecord>(api.connection, 'events');
const event = (id: string) => events().findOne({ _id: id });

const gzip = { 'content-encoding': 'gzip' };
const typed = (type: string): RequestOptions => ({ raw: '{}', headers: { 'content-type': type } });
const large = `{"a":"${'x'.repeat(1_048_576)}"}`;
const formData = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
const unknownCharset = 'application/json; charset=unknown-8';
const good = () => `/v1/webhook/${key}`;
const bad = '/v1/webhook/inlet_wk_unknownKey';

type Row = [what: string, method: string, path: () => string, ask: RequestOptions, answer: string];

// Each request breaks one rule more than the next, and the first check decides.
const inOrder: Row[] = [
  ['a method, a key, a type, a size', 'PUT', () => bad, { raw: large, headers: gzip }, '405'],
  ['a key, a type, a size', 'POST', () => bad, { raw: large, headers: gzip }, '401'],
  ['an encoding, a size', 'POST', good, { raw: large, headers: gzip }, '415'],
  [
    'a type, a size',
    'POST',
    good,
    { raw: large, headers: { 'content-type': unknownCharset } },
    '415',
  ],
  ['a size, unreadable', 'POST', good, { raw: large.slice(0, -1) }, '413'],
  ['unreadable, too deep', 'POST', good, { raw: '['.repeat(60) }, '400'],
];

test.each(inOrder)(
  'the first failing check decides: %s',
  async (...[, method, path, ask, answer]) => {
    expect(String((await send(method, path(), ask)).status)).toBe(answer.slice(0, 3));
  },
);

test('HEAD is answered for a valid key and stores nothing; another key gets what a POST gets', async () => {
  const head = await fetch(`${api.url}${good()}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const method of ['HEAD', 'GET'])
    expect((await fetch(`${api.url}${bad}`, { method })).status).toBe(401);
  expect((await fetch(`${api.url}${good()}`)).status).toBe(405);
});

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is 405 with Allow, for any key',
  async (method) => {
    for (const path of [good(), bad]) {
      const response = await fetch(`${api.url}${path}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, HEAD');
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      const text = await response.text();
      expect(JSON.parse(text).data.code).toBe('method_not_allowed');
    }
  },
);

const unknownKey = 'inlet_wk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
test('a missing, malformed, unknown, archived, truncated or undecodable key gets the same answer', async () => {
  const paths = [
    '/v1/webhook',
    '/v1/webhook/',
    '/v1/webhook?key=x',
    '/v1/webhook/a',
    `/v1/webhook/${unknownKey}`,
    `/v1/webhook/${archived}`,
    `/v1/webhook/${key}/`,
    `/v1/webhook/${key}/more`,
    `/v1/webhook/a/${key}`,
    `/v1/webhook/${key.slice(0, -1)}`,
    `/v1/webhook/${key.toUpperCase()}`,
    `/v1/webhook/${key}%20`,
    `/v1/webhook/${key}%00`,
    `/v1/webhook/${key}%`,
    '/v1/webhook/%',
    '/v1/webhook/%FF',
    '/v1/webhook/%C0%AF',
    '/v1/webhook/a%2Fb',
    `/v1/webhook/${'x'.repeat(8_000)}`,
    '/v1/webhook/__proto__',
    '/v1/webhook/[object%20Object]',
    '/v1/webhook/%24ne',
  ];
  const seen = new Set<string>();
  for (const path of paths) {
    const answer = await post(path, { raw: '{}' });
    expect([path, answer.status]).toEqual([path, 401]);
    const { requestId, ...data } = answer.body.data;
    expect(requestId).toBe(answer.headers.get('x-request-id'));
    // A connection ends when its body arrives after the answer, whatever the key is.
    const varying = ['date', 'connection', 'keep-alive'];
    const headers = [...answer.headers.keys()].filter((name) => !varying.includes(name));
    seen.add(JSON.stringify([{ ...answer.body, data }, headers]));
  }
  expect([...seen]).toHaveLength(1);
});

test.each(['/v1/Webhook/', '/V1/webhook/', '/v1/webhookx/', '/v1//webhook/', '/v2/webhook/'])(
  '%s is no route',
  async (prefix) => {
    expect(shortOf(await post(`${prefix}${key}`, { raw: '{}' }))).toBe('404 not_found');
  },
);

test.each([
  'text/html',
  'text/csv',
  'multipart/form-data',
  'multipart/mixed; boundary=x',
  'application/x-www-form-urlencoded; charset=unknown-8',
  'application/octet-stream',
  unknownCharset,
  'jsonp',
  ';',
])('the content type %s is 415', async (type) => {
  expect(shortOf(await post(good(), typed(type)))).toBe('415 unsupported_media_type');
});

test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/ld+json'])(
  'the content type %s is accepted',
  async (type) => {
    expect((await post(good(), typed(type))).status).toBe(200);
  },
);

test.each([
  ['application/x-www-form-urlencoded', 'a=1'],
  ['text/plain', '{"a":1}'],
  ['text/xml', '<a>1</a>'],
  ['multipart/form-data; boundary=x', formData],
])('a body of the type %s is read', async (type, raw) => {
  const answer = await post(good(), { raw, headers: { 'content-type': type } });
  expect(answer.status).toBe(200);
});

test('a body without a content type is read as JSON', async () => {
  expect((await post(good(), { raw: Buffer.from('{}') })).status).toBe(200);
});

test.each(['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x'])(
  'the content encoding %s is 415',
  async (encoding) => {
    const answer = await post(good(), { raw: '{}', headers: { 'content-encoding': encoding } });
    expect(shortOf(answer)).toBe('415 unsupported_media_type');
  },
);

const padded = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

test('a body of exactly one mebibyte is accepted, and one byte more is 413', async () => {
  expect((await post(good(), { raw: padded(1_048_576) })).status).toBe(200);
  expect(shortOf(await post(good(), { raw: padded(1_048_577) }))).toBe('413 body_too_large');
});

test('one byte more than a mebibyte is 413 also without a Content-Length', async () => {
  async function* chunks() {
    const body = Buffer.from(padded(1_048_577));
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
  }
  const response = await fetch(`${api.url}${good()}`, {
    method: 'POST',
    body: chunks(),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const wide = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n])));

test.each<[string, string | Buffer, string]>([
  ['nothing', '', 'malformed_json'],
  ['blanks', ' \r\n\t', 'malformed_json'],
  ['half an object', '{"a":', 'malformed_json'],
  ['two objects', '{}{}', 'malformed_json'],
  ['a trailing comma', '{"a":1,}', 'malformed_json'],
  ['NaN', '{"a":NaN}', 'malformed_json'],
  ['a comment', '{/* */}', 'malformed_json'],
  ['a form', 'a=1&b=2', 'malformed_json'],
  ['XML', '<a/>', 'malformed_json'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_json'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'malformed_json'],
  ['NUL bytes', Buffer.alloc(64), 'malformed_json'],
  ['a number', '5', 'invalid_body'],
  ['a text', '"text"', 'invalid_body'],
  ['true', 'true', 'invalid_body'],
  ['null', 'null', 'invalid_body'],
  ['65 levels', deep(65), 'invalid_body'],
  ['a thousand levels', deep(1_000), 'invalid_body'],
  ['50,001 keys', wide(50_001), 'invalid_body'],
  ['a key of 1,025 characters', `{"${'k'.repeat(1_025)}":1}`, 'invalid_body'],
  ['a list, which this mapping does not split', '[{"id":"1"}]', 'invalid_body'],
])('a body of %s is 400', async (_what, raw, code) => {
  const count = await events().countDocuments();
  expect(shortOf(await post(good(), { raw }))).toBe(`400 ${code}`);
  expect(await events().countDocuments()).toBe(count);
});

test.each<[string, string]>([
  ['an empty object', '{}'],
  ['64 levels', deep(64)],
  ['a byte order mark before it', '\uFEFF{"a":1}'],
  ['dots and dollars in its names', '{"$set":{"a.b":1},"":{"$":"$$ROOT"}}'],
  ['the same name twice', '{"id":"x1","id":"x2"}'],
  ['lone surrogates', String.raw`{"a":"\ud800","b":"\udc00\ud800"}`],
  ['NUL characters', String.raw`{"a\u0000b":"\u0000"}`],
])('a body with %s is recorded unchanged', async (_what, raw) => {
  const { status, body } = await post(good(), { raw });
  expect(status).toBe(200);
  expect((await event(body.data.eventId))?.delivery?.body.toString()).toBe(raw);
});

test('a list is accepted when the mapping splits it, and as a sample before there is a mapping', async () => {
  const list = { raw: '[{"id":"1"},{"id":"2"}]' };
  const { status, body } = await post(`/v1/webhook/${splitting}`, list);
  expect(status).toBe(200);
  expect(body.data).toEqual({ success: true, eventId: expect.any(String), duplicate: false });
  expect(shortOf(await post(`/v1/webhook/${draft}`, list))).toBe('200 sample');
});

test('an integer keeps all its digits as an event id', async () => {
  const big = '12345678901234567890123';
  const first = await post(good(), { raw: `{"id":${big}}` });
  expect((await event(first.body.data.eventId))?.externalId).toBe(big);
  const other = await post(good(), { raw: `{"id":${big.slice(0, -1)}4}` });
  expect(other.body.data.duplicate).toBe(false);
});

test('names with a meaning in JavaScript are plain data', async () => {
  const raw =
    '{"id":"proto","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"toString":1}';
  expect((await post(good(), { raw })).status).toBe(200);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  const again = await post(good(), { raw: '{"__proto__":{"id":"inherited"}}' });
  expect((await event(again.body.data.eventId))?.externalId).toBeNull();
});

test.each([
  ['pt-BR', 'Webhook recebido.', 'A chave do caminho está ausente ou é inválida.'],
  ['es', 'Webhook recibido.', 'La clave de la ruta falta o no es válida.'],
  ['de, pt;q=0.5', 'Webhook recebido.', 'A chave do caminho está ausente ou é inválida.'],
  ['*', 'Webhook received.', 'The path key is missing or invalid.'],
  ['\u00ff;;q=', 'Webhook received.', 'The path key is missing or invalid.'],
])('with Accept-Language %s the messages are %s and %s', async (language, yes, no) => {
  const headers = { 'accept-language': language };
  expect((await post(good(), { raw: '{}', headers })).body.message).toBe(yes);
  expect((await post(bad, { raw: '{}', headers })).body.message).toBe(no);
});

test('the answer has the specified JSON body and a generated request id', async () => {
  const answer = await post(good(), { raw: '{}', headers: { 'x-request-id': 'mine' } });
  expect(answer.body).toEqual({
    status: true,
    message: 'Webhook received.',
    data: { success: true, eventId: expect.any(String), duplicate: false },
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

/** Writes the request by hand and returns the socket. */
async function begin(head: string[]) {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write([`POST ${good()} HTTP/1.1`, 'Host: x', ...head, '', ''].join('\r\n'));
  return socket;
}

test('a body that arrives byte by byte is read to its end', async () => {
  const socket = await begin(['Content-Type: application/json', 'Transfer-Encoding: chunked']);
  for (const part of ['{"id"', ':"sl', 'ow"}']) {
    await pause(30);
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  socket.write('0\r\n\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await events().countDocuments({ externalId: 'slow' })).toBe(1);
});

test.each([
  ['a length', ['Content-Length: 100'], '{"id":"gone"}'],
  ['chunks', ['Transfer-Encoding: chunked'], 'd\r\n{"id":"gone"}\r\n'],
])('a client with %s that disconnects in the middle leaves no event', async (_how, head, part) => {
  const rejected = () => api.lines.filter((line) => line.includes('event.rejected'));
  const before = rejected().length;
  const socket = await begin(head);
  socket.write(part);
  await pause(50);
  socket.destroy();
  const line = await waitForValue('the request ended', () => rejected()[before]);
  expect(line).toContain('"code":"malformed_json"');
  expect(api.lines.filter((one) => one.includes('"level":"error"'))).toEqual([]);
  expect(await events().countDocuments({ externalId: 'gone' })).toBe(0);
});
