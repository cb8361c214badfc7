import { maskBody, maskNamed } from '../../../src/api/samples/mask-credentials.ts';
import { newSecret } from '../../../src/base/ids.ts';
import { keyPrefix, tokenPrefix } from '../../../src/base/observability/logger.ts';
import { storedValue } from '../../../src/producers/stored-body.ts';

describe('credentials are masked by their names', () => {
  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'x-api-key',
    'apiKey',
    'myApiKey',
    'api_key',
    'access_token',
    'accessToken',
    'token',
    'x-hub-signature',
    'client_secret',
    'userPassword',
    'password',
    'senha',
  ])('%s', (name) => {
    expect(maskNamed({ [name]: 'hush' })).toEqual({ [name]: '***' });
  });

  test.each(['token_id', 'tokens', 'name', 'cookies_accepted', 'secretary', 'design', 'monkey'])(
    '%s is not a credential',
    (name) => {
      expect(maskNamed({ [name]: 'seen' })).toEqual({ [name]: 'seen' });
    },
  );

  test('a credential in any header is masked', () => {
    expect(maskNamed({ 'x-auth': 'Bearer hush', plan: 'Basic' })).toEqual({
      'x-auth': '***',
      plan: 'Basic',
    });
  });
});

test.each([
  ['a path key', newSecret(keyPrefix)],
  ['a token', newSecret(tokenPrefix)],
])('%s is masked by its shape, in any place and in base64', (_what, credential) => {
  const long = `${'x'.repeat(70_000)}${credential}`;
  const encoded = ['', 'a', 'ab'].map((before) =>
    Buffer.from(`${before}${credential}`).toString('base64'),
  );
  const json = JSON.stringify({ inner: credential });
  const body = {
    note: `see ${credential}.`,
    [credential]: 1,
    list: [credential],
    long,
    encoded,
    json,
  };
  const bodyShown = JSON.stringify(maskBody(body));
  const shape = credential.slice(9, 30);
  for (const hidden of [shape, ...encoded.map((text) => text.slice(-30))]) {
    expect(bodyShown).not.toContain(hidden);
  }
  expect(
    JSON.stringify(maskNamed({ referer: `https://a/?x=${credential}`, [credential]: 'x' })),
  ).not.toContain(shape);
});

test('text about credentials is shown as it is', () => {
  const text = 'keys begin with inlet_wk_ or inlet_at_short';
  expect(maskBody({ text })).toEqual({ text });
});

const shown = (body: unknown) => JSON.parse(JSON.stringify(maskBody(body)));

test.each([
  ['a key', { a: [{ password: 1, token: null }] }, { a: [{ password: '***', token: null }] }],
  ['a list under a key', { secret: ['hush', 'hush'] }, { secret: ['***', '***'] }],
  ['what an object has beside it', { secret: { id: 'seen' } }, { secret: { id: 'seen' } }],
  ['a value under a key', { token: { value: 'hush' } }, { token: { value: '***' } }],
  [
    'a keyed list',
    {
      fields: [
        { name: 'token', value: 'hush' },
        { name: 'city', value: 'Recife' },
      ],
    },
    {
      fields: [
        { name: 'token', value: '***' },
        { name: 'city', value: 'Recife' },
      ],
    },
  ],
  [
    'a keyed list of lists',
    [{ code: 'API_KEY', values: [{ value: 'hush', enum: 1 }] }],
    [{ code: 'API_KEY', values: [{ value: '***', enum: 1 }] }],
  ],
  ['JSON in a text', { data: '{"token":"hush","n":1}' }, { data: '{"token":"***","n":1}' }],
  ['a text that only begins so', { data: '{"token": ' }, { data: '{"token": ' }],
  [
    'a parameter of an address',
    { url: 'https://x.example/?id=7&access_token=hush#a' },
    { url: 'https://x.example/?id=7&access_token=***#a' },
  ],
  ['a bearer', { raw: 'Bearer abcdefghijklmnop.q' }, { raw: '***' }],
  ['words of people', { text: 'Basic plan = ok' }, { text: 'Basic plan = ok' }],
])('%s', (_what, body, expected) => {
  expect(shown(body)).toEqual(expected);
});

test.each([
  [
    'a form',
    'application/x-www-form-urlencoded',
    'lead[name]=Ana&lead[api_key]=hush&payload=%7B%22token%22%3A%22hush%22%7D',
  ],
  [
    'XML',
    'application/xml',
    '<lead name="Ana"><token kind="a">hush</token><auth password="hush"/><f name="senha">hush</f></lead>',
  ],
])('%s is masked as it is decoded', (_what, contentType, text) => {
  const kept = { contentType, body: Buffer.from(text) };
  const body = maskBody(storedValue(kept, 'generic'));
  expect(JSON.stringify(body)).toContain('Ana');
  expect(JSON.stringify(body)).not.toContain('hush');
});

test('masking does not change the original', () => {
  const body = { token: 'hush' };
  maskBody(body);
  expect(body).toEqual({ token: 'hush' });
});

const nestedText = (levels: number) =>
  `${'['.repeat(levels)}{"password":"hush"}${']'.repeat(levels)}`;

test('JSON in a text is masked by name up to 64 levels, and as a whole beyond', () => {
  const atBound = nestedText(63);
  expect(maskBody({ data: atBound })).toEqual({ data: atBound.replace('hush', '***') });
  for (const levels of [64, 15_000]) {
    expect(maskBody({ data: nestedText(levels) })).toEqual({ data: '***' });
  }
});
