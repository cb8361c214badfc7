import { maskBody, maskNamed, readPayload } from '../../../src/admin/payload.ts';

describe('credentials are masked by their names', () => {
  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'x-api-key',
    'apiKey',
    'api_key',
    'access_token',
    'accessToken',
    'token',
    'x-hub-signature',
    'client_secret',
    'password',
    'senha',
  ])('%s', (name) => {
    expect(maskNamed({ [name]: 'hush' })).toEqual({ [name]: '***' });
  });

  test.each(['token_id', 'tokens', 'name', 'cookies_accepted', 'secretary', 'design'])(
    '%s is none',
    (name) => {
      expect(maskNamed({ [name]: 'seen' })).toEqual({ [name]: 'seen' });
    },
  );

  test('at any depth, and only where there is a value', () => {
    const body = { list: [{ password: 1, token: null, secret: { id: 'seen' } }] };
    expect(JSON.stringify(maskBody(body))).toBe(
      '{"list":[{"password":"***","token":null,"secret":{"id":"seen"}}]}',
    );
  });
});

test('header names of a payload written by hand are lowered', () => {
  const payload = readPayload({ body: {}, headers: { 'X-Id': '1' } }, 'generic', '/payload');
  expect(payload.headers).toEqual({ 'x-id': '1' });
});

test('a raw body is read as a sender’s, long digits included', () => {
  const payload = readPayload({ rawBody: '{"id":12345678901234567890}' }, 'generic', '/payload');
  expect(payload.body).toEqual({ id: '12345678901234567890' });
});
