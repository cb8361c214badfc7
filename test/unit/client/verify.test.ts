import { credentialsFor } from '../../../src/channels/http/credentials.ts';
import { verify } from '../../../client/verify.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = new Date('2026-01-06T09:00:00Z');
const body = '{"id":"m-1","text":"Olá"}';
const headers = credentialsFor({ signingSecret: secret }, { id: 'm-1', body, now });

test('what an http channel signs is verified, as text and as bytes, with the secret of a rotation too', async () => {
  const bytes = new Uint8Array(Buffer.from(body));
  const capital = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const given of [
    { body, headers },
    { body: bytes, headers },
    { body, headers: new Headers(headers) },
    { body, headers: capital },
  ]) {
    expect(await verify(given, secret, { now })).toEqual({ ok: true, id: 'm-1' });
    expect(await verify(given, [other, secret], { now })).toEqual({ ok: true, id: 'm-1' });
  }
});

test.each([
  ['another body', { body: `${body} `, headers }, 'wrong_signature'],
  ['another id', { body, headers: { ...headers, 'webhook-id': 'm-2' } }, 'wrong_signature'],
  ['no headers', { body, headers: {} }, 'missing_header'],
  ['no base64', { body, headers: { ...headers, 'webhook-signature': 'v1,%' } }, 'wrong_signature'],
])('%s is not accepted', async (_name, request, reason) => {
  expect(await verify(request, secret, { now })).toEqual({ ok: false, reason });
});

test.each([
  [other, 0, 'wrong_signature'],
  ['whsec_', 0, 'unusable_secret'],
  [secret, 301, 'stale_timestamp'],
  [secret, -301, 'stale_timestamp'],
])('the secret %s, %d s later, is not accepted', async (secrets, seconds, reason) => {
  const at = new Date(+now + seconds * 1_000);
  expect(await verify({ body, headers }, secrets, { now: at })).toEqual({ ok: false, reason });
});
