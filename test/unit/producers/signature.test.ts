import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { verifyRequest, schemeOf } from '../../../src/producers/sender-checks.ts';
import { producers, producerOf } from '../../../src/producers/registry.ts';
import { signaturePreset, signaturePresets } from '../../../src/producers/signature/presets.ts';
import type { SignatureScheme } from '../../../src/domain/webhooks/verification-settings.ts';
import { verifySignature } from '../../../src/producers/signature/verify.ts';
import type { SignedRequest } from '../../../src/producers/signature/signed-content.ts';

const sentAt = 1_767_700_800;
const now = new Date(sentAt * 1_000 + 30_000);
const body = '{"nome":"Ana Lúcia","n":12345678901234567890}';
const url = 'https://inlet.example.com/v1/webhook/key?x=1';
const form = 'application/x-www-form-urlencoded';
const hmac = (algorithm: string, key: string | Buffer, text: string) =>
  createHmac(algorithm, key).update(text, 'utf8');
const hexOf = (key: string | Buffer, text: string) => hmac('sha256', key, text).digest('hex');
const base64Of = (key: string | Buffer, text: string) => hmac('sha256', key, text).digest('base64');
const sha512Of = (key: string, text: string) => hmac('sha512', key, text).digest('hex');
const sha1Of = (key: string, text: string) => hmac('sha1', key, text).digest('hex');

const request = (headers: Record<string, string>, rest: Partial<SignedRequest> = {}) => ({
  method: 'POST',
  url,
  headers,
  rawBody: Buffer.from(body),
  ...rest,
});

type Sign = (secret: string, at: number) => Record<string, string>;

const bytes = Buffer.from('0123456789abcdef0123456789abcdef');
const whsec = `whsec_${bytes.toString('base64')}`;
const keyed = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');
const standard =
  (name: string): Sign =>
  (secret, at) => ({
    [`${name}-id`]: 'msg_1',
    [`${name}-timestamp`]: `${at}`,
    [`${name}-signature`]: `v1,${base64Of(keyed(secret), `msg_1.${at}.${body}`)}`,
  });
const pairs =
  (header: string): Sign =>
  (secret, at) => ({ [header]: `t=${at},v1=${hexOf(secret, `${at}.${body}`)},v0=abc` });
const bodyOnly =
  (header: string, sign: (secret: string, text: string) => string, prefix = ''): Sign =>
  (secret) => ({ [header]: prefix + sign(secret, body) });
const iso = (at: number) => new Date(at * 1_000).toISOString();

/** By preset: a second implementation of the signature, and a secret in the right form. */
const signs: Record<
  // Mailgun signs fields of the body: mailgun-signature.test.ts.
  Exclude<keyof typeof signaturePresets, 'mailgun'>,
  { sign: Sign; secret?: string; timed?: boolean }
> = {
  'cloudflare-email': { sign: (secret) => ({ 'x-mail-secret': secret }) },
  'standard-webhooks': { sign: standard('webhook'), secret: whsec, timed: true },
  svix: { sign: standard('svix'), secret: whsec, timed: true },
  stripe: { sign: pairs('stripe-signature'), timed: true },
  calendly: { sign: pairs('calendly-webhook-signature'), timed: true },
  github: { sign: bodyOnly('x-hub-signature-256', hexOf, 'sha256=') },
  meta: { sign: bodyOnly('x-hub-signature-256', hexOf, 'sha256=') },
  shopify: { sign: bodyOnly('x-shopify-hmac-sha256', base64Of) },
  typeform: { sign: bodyOnly('typeform-signature', base64Of, 'sha256=') },
  mautic: { sign: bodyOnly('webhook-signature', base64Of) },
  nuvemshop: { sign: bodyOnly('x-linkedstore-hmac-sha256', hexOf) },
  paddle: {
    sign: (secret, at) => ({ 'paddle-signature': `ts=${at};h1=${hexOf(secret, `${at}:${body}`)}` }),
    timed: true,
  },
  segment: { sign: bodyOnly('x-signature', sha1Of) },
  intercom: { sign: bodyOnly('x-hub-signature', sha1Of, 'sha1=') },
  hotmart: { sign: (secret) => ({ 'x-hotmart-hottok': secret }) },
  telegram: { sign: (secret) => ({ 'x-telegram-bot-api-secret-token': secret }) },
  slack: {
    sign: (secret, at) => ({
      'x-slack-request-timestamp': `${at}`,
      'x-slack-signature': `v0=${hexOf(secret, `v0:${at}:${body}`)}`,
    }),
    timed: true,
  },
  'customer-io': {
    sign: (secret, at) => ({
      'x-cio-timestamp': `${at}`,
      'x-cio-signature': hexOf(secret, `v0:${at}:${body}`),
    }),
    timed: true,
  },
  chatwoot: {
    sign: (secret, at) => ({
      'x-chatwoot-timestamp': `${at}`,
      'x-chatwoot-signature': `sha256=${hexOf(secret, `${at}.${body}`)}`,
    }),
    timed: true,
  },
  close: {
    secret: bytes.toString('hex'),
    sign: (secret, at) => ({
      'close-sig-timestamp': `${at}`,
      'close-sig-hash': hexOf(Buffer.from(secret, 'hex'), `${at}${body}`),
    }),
    timed: true,
  },
  crisp: {
    sign: (secret, at) => ({
      'x-crisp-request-timestamp': `${at * 1_000}`,
      'x-crisp-signature': hexOf(secret, `[${at * 1_000};${body}]`),
    }),
    timed: true,
  },
  waha: { sign: bodyOnly('x-webhook-hmac', sha512Of) },
  webflow: {
    sign: (secret, at) => ({
      'x-webflow-timestamp': `${at * 1_000}`,
      'x-webflow-signature': hexOf(secret, `${at * 1_000}:${body}`),
    }),
    timed: true,
  },
  zendesk: {
    sign: (secret, at) => ({
      'x-zendesk-webhook-signature-timestamp': iso(at),
      'x-zendesk-webhook-signature': base64Of(secret, `${iso(at)}${body}`),
    }),
    timed: true,
  },
  'hubspot-v1': {
    sign: (secret) => ({
      'x-hubspot-signature': createHash('sha256').update(`${secret}${body}`).digest('hex'),
    }),
  },
  'hubspot-v2': {
    sign: (secret) => ({
      'x-hubspot-signature': createHash('sha256')
        .update(`${secret}POST${url}${body}`)
        .digest('hex'),
    }),
  },
  'hubspot-v3': {
    sign: (secret, at) => ({
      'x-hubspot-request-timestamp': `${at * 1_000}`,
      'x-hubspot-signature-v3': base64Of(secret, `POST${url}${body}${at * 1_000}`),
    }),
    timed: true,
  },
  // For a JSON body it signs the URL, which contains the hash of the body.
  twilio: {
    sign: (secret) => ({ 'x-twilio-signature': hmac('sha1', secret, twilioUrl).digest('base64') }),
  },
};
const twilioUrl = `${url}&bodySHA256=${createHash('sha256').update(body).digest('hex')}`;

const schemeNamed = (name: string) => {
  const scheme = signaturePreset(name);
  if (!scheme) throw new Error(name);
  return scheme;
};

describe.each(Object.entries(signs))('%s', (name, { sign, secret = 'a secret, ç', timed }) => {
  const scheme = schemeNamed(name);
  const other = secret === whsec ? `whsec_${Buffer.from('other').toString('base64')}` : 'abcdef01';
  const on = name === 'twilio' ? { url: twilioUrl } : {};
  const verify = (headers: Record<string, string>, secrets: string[], rest = {}) =>
    verifySignature(request(headers, { ...on, ...rest }), { scheme, secrets }, now);
  const signature =
    Object.keys(sign(secret, sentAt)).find((header) =>
      /signature$|hash$|sha256$|hottok|-token$|-secret$|-256$|-v3$|-hmac$/.test(header),
    ) ?? '';

  test('a correct signature is valid', () => {
    expect(verify(sign(secret, sentAt), [secret])).toEqual({ ok: true });
    expect(verify(sign(secret, sentAt), [other, secret])).toEqual({ ok: true });
  });

  test('another secret or another body is invalid', () => {
    const wrong = { ok: false, reason: 'wrong_signature' };
    expect(verify(sign(other, sentAt), [secret])).toEqual(wrong);
    if (signaturePresets[name as keyof typeof signaturePresets].kind === 'token') return;
    const changed = verify(sign(secret, sentAt), [secret], { rawBody: Buffer.from(`${body} `) });
    expect(changed).toEqual(name === 'twilio' ? { ok: false, reason: 'missing_part' } : wrong);
  });

  test('a truncated, changed, empty or missing signature is invalid', () => {
    const headers = sign(secret, sentAt);
    const whole = headers[signature] ?? '';
    const cut = whole.replace(/(v1=[0-9a-f]{20})[0-9a-f]*/, '$1');
    for (const bad of [cut === whole ? whole.slice(0, -3) : cut, `x${whole}`, 'x', '=', ',', ' ']) {
      expect(verify({ ...headers, [signature]: bad }, [secret]).ok).toBe(false);
    }
    expect(verify({ ...headers, [signature]: '' }, [secret])).toMatchObject({
      reason: 'missing_signature',
    });
    expect(verify({}, [secret])).toMatchObject({ reason: 'missing_signature' });
  });

  test('without a secret no signature is valid', () => {
    expect(verify(sign(secret, sentAt), [])).toEqual({ ok: false, reason: 'no_secret' });
  });

  if (!timed) return;

  test.each([-301, 331, -86_400])('a timestamp %d seconds off is stale', (seconds) => {
    const stale = { ok: false, reason: 'stale_timestamp' };
    expect(verify(sign(secret, sentAt + seconds), [secret])).toEqual(stale);
    const wide = { scheme, secrets: [secret], toleranceSeconds: 90_000 };
    expect(verifySignature(request(sign(secret, sentAt + seconds)), wide, now)).toEqual({
      ok: true,
    });
  });

  test('a changed timestamp makes the signature invalid', () => {
    const [fresh, old] = [sign(secret, sentAt), sign(secret, sentAt - 9_000)];
    const changed = (old[signature] ?? '').replace(/\b(ts?)=\d+/, `$1=${sentAt}`);
    const result = verify({ ...fresh, [signature]: changed }, [secret]);
    expect(result).toEqual({ ok: false, reason: 'wrong_signature' });
  });
});

describe('published test vectors', () => {
  const at = (seconds: number) => new Date(seconds * 1_000);

  test('GitHub, “Validating webhook deliveries”', () => {
    const headers = {
      'x-hub-signature-256':
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    const signed = request(headers, { rawBody: Buffer.from('Hello, World!') });
    const settings = { scheme: schemeNamed('github'), secrets: ["It's a Secret to Everybody"] };
    expect(verifySignature(signed, settings, now)).toEqual({ ok: true });
  });

  test('Standard Webhooks, test vector of the libraries', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v2,x',
    };
    const signed = request(headers, { rawBody: Buffer.from('{"test": 2432232314}') });
    const settings = {
      scheme: schemeNamed('standard-webhooks'),
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    };
    expect(verifySignature(signed, settings, at(1_614_265_330))).toEqual({ ok: true });
  });

  test('Slack, “Verifying requests”', () => {
    const rawBody = Buffer.from(
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    );
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    const settings = {
      scheme: schemeNamed('slack'),
      secrets: ['8f742231b10e8888abcd99yyyzzz85a5'],
    };
    expect(verifySignature(request(headers, { rawBody }), settings, at(1_531_420_618))).toEqual({
      ok: true,
    });
  });

  test('Twilio, test vector of the libraries', () => {
    const rawBody = Buffer.from(
      new URLSearchParams({
        To: '+18005551212',
        Digits: '1234',
        From: '+14158675309',
        Caller: '+14158675309',
        CallSid: 'CA1234567890ABCDE',
      }).toString(),
    );
    const headers = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', 'content-type': form };
    const signed = request(headers, {
      rawBody,
      url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    });
    const settings = { scheme: schemeNamed('twilio'), secrets: ['12345'] };
    expect(verifySignature(signed, settings, now)).toEqual({ ok: true });
  });
});

describe('settings', () => {
  const signature = { secrets: ['s'] };
  const ask = { request: request({}), now };

  test('nothing is verified without a signature setting', () => {
    expect(verifyRequest(producers.stripe, {}, ask)).toEqual({ ok: true });
    expect(verifyRequest(producers.stripe, { signature }, ask).ok).toBe(false);
  });

  const scheme = { kind: 'hmac', header: 'x', algorithm: 'sha256', encoding: 'hex' } as const;
  const signed = (digest: string) => request({ x: digest });
  const withEmptyKey = signed(hmac('sha256', '', body).digest('hex'));
  const unusable: readonly [string, string[], SignatureScheme, SignedRequest][] = [
    ['no secret', [], scheme, withEmptyKey],
    ['an empty secret', [''], scheme, withEmptyKey],
    ['a secret of spaces', [' '], scheme, signed(hmac('sha256', ' ', body).digest('hex'))],
    ['a prefix without a key', ['k_'], { ...scheme, secretPrefix: 'k_' }, withEmptyKey],
    ['base64 without a byte', ['=='], { ...scheme, secretEncoding: 'base64' }, withEmptyKey],
    ['hex without a digit', ['xyz'], { ...scheme, secretEncoding: 'hex' }, withEmptyKey],
    [
      'hex that ends early',
      ['a1xyz'],
      { ...scheme, secretEncoding: 'hex' },
      signed(hmac('sha256', Buffer.from('a1', 'hex'), body).digest('hex')),
    ],
    [
      'a hash that lacks the secret',
      ['s'],
      { ...scheme, kind: 'hash', signed: '{body}' },
      signed(createHash('sha256').update(body).digest('hex')),
    ],
    ['an empty token', [''], { kind: 'token', from: { header: 'x' } }, request({ x: '' })],
  ];
  test.each(unusable.map(([what, ...row]) => [what, row] as const))(
    '%s accepts no request',
    (_what, [secrets, given, sent]) => {
      const settings = { signature: { secrets, scheme: given } };
      expect(verifyRequest(producers.generic, settings, { request: sent, now })).toEqual({
        ok: false,
        reason: 'no_secret',
      });
    },
  );

  test('with a secret and no scheme every request fails', () => {
    for (const scheme of [undefined, 'nobody', 'constructor']) {
      const settings = { signature: { ...signature, scheme } };
      expect(verifyRequest(producers.generic, settings, ask)).toEqual({
        ok: false,
        reason: 'no_scheme',
      });
    }
  });

  test('a configured scheme replaces the producer’s', () => {
    const scheme = {
      kind: 'hmac' as const,
      header: 'X-My-Sign',
      algorithm: 'sha512' as const,
      encoding: 'base64' as const,
      signed: '{method} {body}',
    };
    const headers = { 'x-my-sign': hmac('sha512', 's', `POST ${body}`).digest('base64') };
    const settings = { signature: { ...signature, scheme } };
    expect(schemeOf(producers.stripe, settings)).toBe(scheme);
    expect(verifyRequest(producers.stripe, settings, { request: request(headers), now })).toEqual({
      ok: true,
    });
  });

  test.each([
    [{ header: 'authorization' }, 'Bearer ', { headers: { authorization: 'Bearer s' } }],
    [{ query: 'token' }, undefined, { query: { token: 's' } }],
    [{ field: 'hottok' }, undefined, { decodedBody: { hottok: 's' } }],
  ])('a token in %j is compared', (from, prefix, rest) => {
    const settings = { scheme: { kind: 'token' as const, from, prefix }, secrets: ['x', 's'] };
    expect(verifySignature(request({}, rest), settings, now)).toEqual({ ok: true });
    expect(verifySignature(request({}, rest), { ...settings, secrets: ['x'] }, now)).toEqual({
      ok: false,
      reason: 'wrong_signature',
    });
    expect(verifySignature(request({}), settings, now)).toMatchObject({
      reason: 'missing_signature',
    });
  });

  test('a scheme that signs the URL fails without one', () => {
    const settings = { scheme: schemeNamed('hubspot-v2'), secrets: ['s'] };
    const signed = request({ 'x-hubspot-signature': 'a' }, { url: undefined });
    expect(verifySignature(signed, settings, now)).toEqual({ ok: false, reason: 'missing_part' });
  });

  test('the preset of every producer exists', () => {
    for (const name of Object.keys(producers)) {
      const producer = producerOf(name);
      expect(schemeOf(producer, {}) === null).toBe(producer.signature === undefined);
    }
  });
});

test('no header makes it throw, and only the signature is valid', () => {
  const names = Object.keys(signaturePresets);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string(), fc.string(), (name, text, time) => {
      const scheme = schemeNamed(name);
      const isHeader = scheme.kind === 'hmac' || scheme.kind === 'hash';
      const header = isHeader ? scheme.header : 'x';
      const timed = isHeader && scheme.timestamp && 'header' in scheme.timestamp;
      const headers = {
        [header]: text,
        ...(timed && { [header]: text, 'x-slack-request-timestamp': time }),
      };
      expect(verifySignature(request(headers), { scheme, secrets: ['s', 'ç'] }, now).ok).toBe(
        false,
      );
    }),
  );
});
