import { newSecret } from '../../../src/base/ids.ts';
import { keyPrefix, tokenPrefix } from '../../../src/base/observability/logger.ts';
import { inboundRequestOf, type StorableRequest } from '../../../src/receiving/inbound-request.ts';

const key = newSecret(keyPrefix);
const secret = key.slice(keyPrefix.length);
const stars = '*'.repeat(secret.length);

type Parts = Partial<Pick<StorableRequest, 'headers' | 'contentType'>> & { query?: string };

const store = (body: string | Buffer, { headers = {}, query = '', contentType }: Parts = {}) =>
  inboundRequestOf(
    { key, contentType, headers, query: new URLSearchParams(query) },
    Buffer.from(body as string),
  );

const percent = (text: string) =>
  Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const unicode = (text: string) =>
  Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

test.each(['', 'k', '*', keyPrefix])('a body is stored with the short key %j', (short) => {
  const request = {
    key: short,
    contentType: undefined,
    headers: {},
    query: new Map<string, string>(),
  };
  const { body } = inboundRequestOf(request as never, Buffer.from('{"a":"bcd"}'));
  expect(body.toString()).toBe('{"a":"bcd"}');
});

test('headers and query values that a mapping may read are stored', () => {
  const headers = { 'x-topic': 'orders', 'x-many': ['a', 'b'], 'user-agent': 'crm' };
  expect(store('{}', { headers, query: 'a=1&b=2', contentType: 'application/json' })).toEqual({
    body: Buffer.from('{}'),
    contentType: 'application/json',
    headers: { 'x-topic': 'orders', 'x-many': 'a, b', 'user-agent': 'crm' },
    query: { a: '1', b: '2' },
  });
});

test.each(['authorization', 'cookie', 'keyapi', 'proxy-authorization', 'host', 'content-length'])(
  'the header %s is not',
  (name) => {
    expect(store('{}', { headers: { [name]: 'x' } }).headers).toEqual({});
  },
);

test.each([
  ['as it is', key],
  ['in a URL', `https://crm.example/v1/webhook/${key}?a=1`],
  ['without its prefix', secret],
  ['with an encoded prefix', `/v1/webhook/inlet%5Fwk%5F${secret}`],
  ['wholly encoded', `/v1/webhook/${percent(key)}`],
])('a header or a query value that contains the key %s is dropped', (_how, value) => {
  const { headers, query } = store('{}', {
    headers: { referer: value, [value.toLowerCase()]: 'x', 'x-topic': 'orders' },
    query: new URLSearchParams({ back: value, [value]: 'x', a: '1' }).toString(),
  });
  expect(JSON.stringify([headers, query])).not.toContain(secret);
  expect(headers).toMatchObject({ 'x-topic': 'orders' });
  expect(headers).not.toHaveProperty('referer');
  expect(query).toEqual({ a: '1' });
});

test.each([
  ['as it is', key],
  ['without its prefix', secret],
  ['with an escaped prefix', String.raw`inlet\u005fwk\u005F${secret}`],
  ['wholly escaped', unicode(key)],
  ['half escaped', `${key.slice(0, 20)}${unicode(key.slice(20))}`],
])('a body that contains the key %s is stored with the key redacted', (_how, written) => {
  const body = store(`{"a":"<${written}>","b":"${written}","c":"é\\u00e3\\n"}`).body.toString();
  const value = JSON.parse(body) as { a: string; b: string; c: string };
  expect(JSON.stringify(value)).not.toContain(secret);
  expect(value.a).toMatch(/^<(inlet_wk_)?\*{43}>$/);
  expect(value.c).toBe('éã\n');
});

test.each([
  String.raw`{"a":"\u0041\u00e3 \\u005f"}`,
  String.raw`{"a":"\\\\u0041"}`,
  '{ "a" : 1 }\n',
])('a body without the key is stored unchanged: %s', (body) => {
  expect(store(body).body.toString()).toBe(body);
});

test('only the key is overwritten, and other escapes of the body stay', () => {
  const others = String.raw`"a":"\u0041%41\\u005f\\\\"`;
  expect(store(`{${others},"b":"${unicode(key)} ${percent(key)}"}`).body.toString()).toBe(
    `{${others},"b":"${unicode(keyPrefix)}${stars} ${percent(keyPrefix)}${stars}"}`,
  );
});

test('an escaped backslash begins no escape, and hides none behind it', () => {
  const none = `{"a":"${unicode(secret).replaceAll('\\', '\\\\')}"}`;
  expect(store(none).body.toString()).toBe(none);
  const hidden = String.raw`{"a":"\\${unicode(secret)}"}`;
  expect(store(hidden).body.toString()).toBe(String.raw`{"a":"\\${stars}"}`);
});

test('another key or token is masked in headers and in the query, and a body keeps its bytes', () => {
  const other = newSecret(keyPrefix);
  const token = newSecret(tokenPrefix);
  const body = `{"a":"${other}"}`;
  const stored = store(body, {
    headers: {
      referer: `https://a.example/v1/webhook/${other}?b=1`,
      'x-note': `see ${token}`,
      [token]: 'x',
    },
    query: new URLSearchParams({ t: token, [other]: '1', e: percent(other) }).toString(),
    contentType: `text/plain; note=${token}`,
  });
  expect(stored).toEqual({
    body: Buffer.from(body),
    contentType: 'text/plain',
    headers: {
      referer: 'https://a.example/v1/webhook/[key]?b=1',
      'x-note': 'see inlet_at_[secret]',
    },
    query: { t: 'inlet_at_[secret]' },
  });
});

test.each([
  [`application/json; note=${key}`, 'application/json'],
  [`application/x.${key}+json`, ''],
  ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
])('the content type %s is stored without the key', (contentType, kept) => {
  expect(store('{}', { contentType })).toMatchObject({ contentType: kept });
});

test('names and values are limited in number and size', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'v']));
  expect(Object.keys(store('{}', { headers: many }).headers)).toHaveLength(64);
  expect(store('{}', { headers: { long: 'x'.repeat(3_000) } }).headers).toEqual({});
  expect(store('{}', { query: `${'n'.repeat(200)}=1` }).query).toEqual({});
});

test('names with a meaning in JavaScript are stored like any other', () => {
  const { query } = store('{}', { query: '__proto__=1&constructor=2' });
  expect(Object.entries(query)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});

test.each([
  ['percent-encoded', (code: number) => `%${code.toString(16)}`],
  ['percent-encoded in capitals', (code: number) => `%${code.toString(16).toUpperCase()}`],
  ['JSON-escaped in capitals', (code: number) => `\\u00${code.toString(16).toUpperCase()}`],
])('a key of which some characters are %s is redacted in the body', (_how, spell) => {
  const written = Array.from(key, (char, n) => (n % 3 === 0 ? spell(char.charCodeAt(0)) : char));
  const kept = store(`a=${written.join('')}&b=${key}&c=x`).body.toString();
  expect(kept).toMatch(/^a=[^&]{9,}\*{43}&b=inlet_wk_\*{43}&c=x$/);
});

test('a form without the key is stored unchanged', () => {
  const body = 'a=%41%2D&b=&#65;%zz';
  expect(store(body).body.toString()).toBe(body);
});

test('a name that MongoDB cannot store is dropped', () => {
  expect(store('{}', { query: '%00=1&ok=2' }).query).toEqual({ ok: '2' });
});
