// The signature of Mailgun: the HMAC of a time and a token, in fields of the body.
import { createHmac } from 'node:crypto';
import { signaturePresets } from '../../../src/producers/signature/presets.ts';
import { verifySignature } from '../../../src/producers/signature/verify.ts';

const sentAt = 1_767_700_800;
const now = new Date(sentAt * 1_000 + 30_000);
const scheme = signaturePresets.mailgun;
const hexOf = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const requestOf = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  rawBody: Buffer.from(body),
  decodedBody: Object.fromEntries(new URLSearchParams(body)),
});

const fieldsOf = (secret: string, at: number, over: Record<string, string> = {}) => ({
  timestamp: `${at}`,
  token: 'tok',
  signature: hexOf(secret, `${at}tok`),
  'body-plain': 'olá',
  ...over,
});
const verify = (fields: Record<string, string>, secrets = ['other', 'key']) =>
  verifySignature(requestOf(String(new URLSearchParams(fields))), { scheme, secrets }, now);

test('the fields of a form are verified', () => {
  expect(verify(fieldsOf('key', sentAt))).toEqual({ ok: true });
  expect(verify(fieldsOf('key', sentAt), [])).toEqual({ ok: false, reason: 'no_secret' });
  expect(verifySignature(requestOf('a=b'), { scheme, secrets: ['key'] }, now)).toEqual({
    ok: false,
    reason: 'missing_signature',
  });
});

test.each<[string, Record<string, string>]>([
  ['wrong_signature', fieldsOf('another', sentAt)],
  ['wrong_signature', fieldsOf('key', sentAt, { token: 'tox' })],
  ['wrong_signature', fieldsOf('key', sentAt, { timestamp: `${sentAt + 1}` })],
  ['stale_timestamp', fieldsOf('key', sentAt - 301)],
  ['missing_signature', fieldsOf('key', sentAt, { signature: '' })],
  ['missing_timestamp', fieldsOf('key', sentAt, { timestamp: '' })],
  ['missing_part', fieldsOf('key', sentAt, { token: '' })],
])('%s: %j', (reason, fields) => {
  expect(verify(fields)).toEqual({ ok: false, reason });
});
