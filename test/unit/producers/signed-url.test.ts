// Twilio signs some URLs with the port of the scheme, and some without the port that was called.
import { createHmac } from 'node:crypto';
import { signaturePresets } from '../../../src/producers/signature/presets.ts';
import { verifySignature } from '../../../src/producers/signature/verify.ts';

const now = new Date('2026-01-06T12:00:00Z');

test.each([
  ['https://inlet.example.com', 'https://inlet.example.com:443', true],
  ['https://inlet.example.com:443', 'https://inlet.example.com', true],
  ['http://127.0.0.1:8080', 'http://127.0.0.1', true],
  ['http://[::1]', 'http://[::1]:80', true],
  ['https://inlet.example.com:8443', 'https://inlet.example.com:9443', false],
  ['https://inlet.example.com', 'https://other.example.com', false],
])('a request that is called at %s and signed for %s: %s', (called, signed, ok) => {
  const path = '/v1/webhook/key?x=1';
  const signature = createHmac('sha1', 'token').update(`${signed}${path}BodyOi`).digest('base64');
  const request = {
    method: 'POST',
    url: `${called}${path}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    },
    rawBody: Buffer.from('Body=Oi'),
  };
  const settings = { scheme: signaturePresets.twilio, secrets: ['token'] };
  expect(verifySignature(request, settings, now).ok).toBe(ok);
});

test('a form with more parameters than a message has is not sorted', () => {
  const rawBody = Buffer.from(Array.from({ length: 2_002 }).fill('a=1').join('&'));
  const request = {
    method: 'POST',
    url: 'https://inlet.example.com/v1/webhook/key',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': 'AAAA',
    },
    rawBody,
  };
  const settings = { scheme: signaturePresets.twilio, secrets: ['token'] };
  expect(verifySignature(request, settings, now)).toEqual({ ok: false, reason: 'missing_part' });
});
