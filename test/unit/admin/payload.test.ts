import { parsePayload } from '../../../src/admin/payloads/payload.ts';

test('header names of a payload written by hand are lowered', () => {
  const payload = parsePayload({ body: {}, headers: { 'X-Id': '1' } }, 'generic', '/payload');
  expect(payload.headers).toEqual({ 'x-id': '1' });
});

test('a raw body is read as a sender’s, long digits included', () => {
  const payload = parsePayload({ rawBody: '{"id":12345678901234567890}' }, 'generic', '/payload');
  expect(payload.body).toEqual({ id: '12345678901234567890' });
});
