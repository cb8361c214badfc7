import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { HandshakeSettings } from '../../../src/domain/webhooks/verification-settings.ts';
import { answerHandshake, configuredAnswer } from '../../../src/producers/sender-checks.ts';
import { producers, producerOf } from '../../../src/producers/registry.ts';

type Given = {
  method?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  secrets?: string[];
};

const ask = (profile: string, handshake: HandshakeSettings, given: Given) => {
  const { secrets = [], ...rest } = given;
  const settings = { handshake, signature: { secrets } };
  return answerHandshake(producerOf(profile), settings, {
    method: 'POST',
    query: {},
    headers: {},
    ...rest,
  });
};

const meta = (token: string) => ({
  method: 'GET',
  query: { 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': token },
});
const text = (body: string) => ({ status: 200, contentType: 'text/plain', body });

describe('producers', () => {
  test('Meta gets its challenge for the right token, and for any token while none is set', () => {
    expect(ask('meta', { verifyToken: 't' }, meta('t'))).toEqual(text('42'));
    expect(ask('meta', {}, meta('anything'))).toEqual(text('42'));
    expect(ask('meta', { verifyToken: 't' }, meta('x'))).toEqual({ ...text(''), status: 403 });
    expect(
      ask(
        'meta',
        { verifyToken: 't' },
        { method: 'GET', query: { 'hub.mode': 'subscribe', 'hub.challenge': '1' } },
      ),
    ).toMatchObject({ status: 403 });
    expect(ask('meta', {}, { method: 'GET', query: { 'hub.challenge': '42' } })).toBeNull();
    expect(ask('meta', {}, { method: 'GET' })).toBeNull();
  });

  test('Slack gets its challenge, and no other request is answered', () => {
    const body = { type: 'url_verification', challenge: 'abc', token: 'x' };
    expect(ask('slack', {}, { body })).toEqual(text('abc'));
    expect(ask('slack', {}, { body: { ...body, type: 'event_callback' } })).toBeNull();
    expect(ask('slack', {}, { body: { ...body, challenge: { a: 1 } } })).toBeNull();
    expect(
      ask('slack', {}, { method: 'GET', query: { challenge: 'x', type: 'url_verification' } }),
    ).toBeNull();
  });

  test('Mailchimp gets 200 for a GET, Intercom for a HEAD', () => {
    expect(ask('mailchimp', {}, { method: 'GET' })).toEqual(text(''));
    expect(ask('mailchimp', {}, { body: { type: 'subscribe' } })).toBeNull();
    expect(ask('intercom', {}, { method: 'HEAD' })).toMatchObject({ status: 200 });
    expect(ask('intercom', {}, { method: 'GET' })).toBeNull();
  });

  test('most producers have no handshake', () => {
    for (const name of ['generic', 'stripe', 'shopify', 'typeform', 'twilio', 'hotmart', 'kommo']) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect(
          ask(name, {}, { method, query: { challenge: 'x' }, body: { challenge: 'x' } }),
        ).toBeNull();
      }
    }
  });

  test('Twilio gets TwiML, unless the webhook sets another answer', () => {
    expect(configuredAnswer(producers.twilio, {})).toEqual({
      status: 200,
      contentType: 'text/xml',
      body: '<Response/>',
    });
    const answer = { status: 204, contentType: 'text/plain', body: '' } as const;
    expect(configuredAnswer(producers.twilio, { answer })).toEqual(answer);
    expect(configuredAnswer(producers.generic, {})).toBeNull();
  });
});

describe('configured challenges', () => {
  const digest = createHmac('sha256', 's').update('abc').digest('hex');

  type Row = [string, HandshakeSettings['challenge'], Given, object | null];
  const rows: Row[] = [
    [
      'monday',
      'monday',
      { body: { challenge: 'abc' } },
      { contentType: 'application/json', body: '{"challenge":"abc"}' },
    ],
    ['monday’s events', 'monday', { body: { challenge: 'abc', a: 1, b: 2, c: 3 } }, null],
    [
      'Keap',
      'keap',
      { headers: { 'x-hook-secret': 'abc' }, body: {} },
      { status: 200, headers: { 'X-Hook-Secret': 'abc' } },
    ],
    [
      'a header that no header may hold',
      'keap',
      { headers: { 'x-hook-secret': 'a\r\nb: c' } },
      null,
    ],
    [
      'Zoom',
      'zoom',
      {
        body: { event: 'endpoint.url_validation', payload: { plainToken: 'abc' } },
        secrets: ['s'],
      },
      {
        body: JSON.stringify({ plainToken: 'abc', encryptedToken: digest }),
      },
    ],
    [
      'Zoom without a secret',
      'zoom',
      { body: { event: 'endpoint.url_validation', payload: { plainToken: 'abc' } } },
      null,
    ],
    [
      'a text that could be signed for something else',
      'zoom',
      {
        body: { event: 'endpoint.url_validation', payload: { plainToken: 'v0:1:{}' } },
        secrets: ['s'],
      },
      null,
    ],
    [
      'a query parameter',
      { from: { query: 'c' }, as: 'text' },
      { method: 'GET', query: { c: '<b>' } },
      text('<b>'),
    ],
    [
      'a number',
      { from: { field: 'a.b' }, as: 'json', name: 'x' },
      { body: { a: { b: 7 } } },
      { body: '{"x":"7"}' },
    ],
    [
      'too long',
      { from: { query: 'c' }, as: 'text' },
      { method: 'GET', query: { c: 'x'.repeat(2_049) } },
      null,
    ],
    ['a prototype', { from: { field: 'constructor.name' }, as: 'text' }, { body: {} }, null],
    ['an unknown preset', 'constructor', { body: { challenge: 'x' } }, null],
  ];
  test.each(rows.map(([name, ...row]) => [name, row] as const))('%s', (_, row) => {
    const [challenge, given, expected] = row;
    const answer = ask('generic', { challenge }, given);
    if (expected === null) expect(answer).toBeNull();
    else expect(answer).toMatchObject({ status: 200, ...expected });
  });

  test.each([
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Trailer',
    'Upgrade',
    'Set-Cookie',
    'Location',
    'Content-Type',
    'Cache-Control',
    'Clear-Site-Data',
    'Link',
    'Refresh',
    'Via',
    'Access-Control-Allow-Origin',
    'Proxy-Authenticate',
    'Sec-WebSocket-Accept',
    'Alt-Svc',
    'Content-Security-Policy',
    'Strict-Transport-Security',
    'X-Frame-Options',
    '__proto__',
    'X-Content-Type-Options',
    'X-Accel-Redirect',
    'X-Sendfile',
    'X-Request-Id',
    'X-Hook: a',
  ])('no challenge is answered in the header %s', (name) => {
    const query = { [name]: '5', c: '5' };
    const named = { from: { query: 'c' }, as: 'header' as const, name };
    const implied = { from: { query: name }, as: 'header' as const };
    for (const challenge of [named, implied]) {
      expect(ask('generic', { challenge }, { method: 'GET', query })).toBeNull();
    }
  });

  test.each(['X-Hook-Secret', 'x-acme-challenge', 'WebHook-Verification'])(
    'a challenge is answered in the header %s',
    (name) => {
      const challenge = { from: { query: 'c' }, as: 'header' as const, name };
      const given = { method: 'GET', query: { c: '5' } };
      expect(ask('generic', { challenge }, given)).toMatchObject({ headers: { [name]: '5' } });
    },
  );

  test('a configured challenge is answered besides the producer’s own', () => {
    const challenge = { from: { query: 'c' }, as: 'text' as const };
    expect(ask('mailchimp', { challenge }, { method: 'GET', query: { c: '1' } })).toEqual(
      text('1'),
    );
    expect(ask('mailchimp', { challenge }, { method: 'GET' })).toEqual(text(''));
  });
});

test('no request makes it throw', () => {
  const names = fc.constantFrom(...Object.keys(producers));
  fc.assert(
    fc.property(
      names,
      fc.constantFrom('GET', 'POST', 'HEAD'),
      fc.jsonValue(),
      (name, method, body) => {
        ask(name, { challenge: 'zoom' }, { method, body, secrets: ['s'] });
        const payload = { body, headers: {}, query: {} };
        const producer = producerOf(name);
        const confidence = producer.detect?.(payload) ?? 0;
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        expect(producer.isPing?.(payload) ?? false).toBe(false);
      },
    ),
  );
});
