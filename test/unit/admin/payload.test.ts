import { parsePayload } from '../../../src/api/samples/payload.ts';

test('header names of a given payload become lower-case', () => {
  const payload = parsePayload({ body: {}, headers: { 'X-Id': '1' } }, 'generic', '/payload');
  expect(payload.headers).toEqual({ 'x-id': '1' });
});

test('a raw body is decoded as a sender’s body, long numbers included', () => {
  const payload = parsePayload({ rawBody: '{"id":12345678901234567890}' }, 'generic', '/payload');
  expect(payload.body).toEqual({ id: '12345678901234567890' });
});
