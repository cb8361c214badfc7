import { credentialsFor, headerProblems } from '../../../src/channels/http/credentials.ts';
import { signaturePreset } from '../../../src/producers/signature/presets.ts';
import { verifySignature } from '../../../src/producers/signature/verify.ts';

const now = new Date('2026-01-06T12:00:00.500Z');
const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

test('a signed message verifies by Standard Webhooks, and another body does not', () => {
  const body = '{"type":"message"}';
  const headers = credentialsFor({ signingSecret }, { id: 'msg_1', body, now });
  const scheme = signaturePreset('standard-webhooks');
  if (!scheme) throw new Error('There is no such preset.');
  const verify = (text: string) =>
    verifySignature(
      { method: 'POST', url: 'https://x.example/', headers, query: {}, rawBody: Buffer.from(text) },
      { scheme, secrets: [signingSecret] },
      now,
    );
  expect(verify(body)).toEqual({ ok: true });
  expect(verify(`${body} `).ok).toBe(false);
});

test('without credentials there are no credential headers', () => {
  expect(credentialsFor({ url: 'https://x.example' }, { id: 'a', body: '', now })).toEqual({});
});

test('the Authorization header and further headers are sent unchanged', () => {
  const settings = { authorization: 'Bearer t', headers: { 'X-Api-Key': 'k' } };
  expect(credentialsFor(settings, { id: 'a', body: '', now })).toEqual({
    authorization: 'Bearer t',
    'X-Api-Key': 'k',
  });
});

test.each([
  ['one that Inlet sets', { 'Idempotency-Key': 'x' }],
  ['one of the connection', { 'Transfer-Encoding': 'chunked' }],
  ['the signature', { 'webhook-signature': 'x' }],
  ['one twice', { 'X-Key': 'a', 'x-key': 'b' }],
])('extra headers with %s are rejected, and the message does not repeat them', (_what, headers) => {
  const [problem] = headerProblems({ headers });
  expect(problem?.path).toBe('/headers');
  expect(problem?.message).not.toMatch(/key|chunked|signature/i);
});
