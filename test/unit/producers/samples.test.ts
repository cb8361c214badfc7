// Every producer has a sample that it recognizes as its own, reads by its starter mapping, and verifies once it is signed.
import { sign, signRequest, type SignatureScheme } from '../../../client/sign.ts';
import { storedValue } from '../../../src/producers/stored-body.ts';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { detectProducer, producerOf, producers } from '../../../src/producers/registry.ts';
import { schemeOf } from '../../../src/producers/sender-checks.ts';
import { samples } from '../../../src/producers/samples/samples.ts';
import { signaturePresets } from '../../../src/producers/signature/presets.ts';
import { verifySignature } from '../../../src/producers/signature/verify.ts';

const names = Object.keys(producers) as (keyof typeof producers)[];
const named = names.filter((name) => name !== 'generic');

function payloadOf(name: keyof typeof producers) {
  const { contentType, headers, rawBody } = samples[name];
  const producer = producerOf(name);
  expect(producer.acceptsContentType(contentType)).toBe(true);
  const decoded = producer.decodeBody({ contentType, body: Buffer.from(rawBody) });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  return { body: decoded.value, headers, query: {} };
}

test.each(named)('the sample of %s is detected as its own, and is no ping', (name) => {
  const payload = payloadOf(name);
  expect(detectProducer(payload)[0]?.name).toBe(name);
  expect(producerOf(name).isPing?.(payload) ?? false).toBe(false);
});

test.each(named)('every item of the sample of %s has an event id and names a contact', (name) => {
  const payload = payloadOf(name);
  const compiled = compileMapping(producerOf(name).starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { mapping } = compiled;
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  expect(split.items.length).toBeGreaterThan(0);
  const ids = split.items.map((item) => readEventId(mapping, payload, { item })?.text);
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
  for (const item of split.items) {
    const { ignored, contact, problems } = applyItem(mapping, payload, {
      defaultRegion: 'BR',
      item,
    });
    // Mailchimp's dates have no zone.
    const codes = problems.map(({ code }) => code).filter((code) => code !== 'zone_unknown');
    expect({ ignored, codes }).toEqual({ ignored: null, codes: [] });
    expect([contact.externalId, contact.phone, contact.email].some(Boolean)).toBe(true);
  }
});

test('the people of the samples do not exist', () => {
  for (const { rawBody } of Object.values(samples)) {
    const text = rawBody.includes('%') ? decodeURIComponent(rawBody.replaceAll('+', ' ')) : rawBody;
    const addresses = text.replaceAll(/\d@(?:c\.us|lid|s\.whatsapp\.net)/g, '');
    for (const [, domain] of addresses.matchAll(/\w@([\w.]+)/g)) expect(domain).toBe('example.com');
    for (const [phone] of text.matchAll(/55 ?11 ?9[\d -]{8,9}/g)) {
      expect(phone.replaceAll(/\D/g, '')).toMatch(/^5511900000\d{3}$/);
    }
  }
});

const secrets: Readonly<Record<string, string>> = {
  'standard-webhooks': `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  svix: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  close: '00ff10',
};
const url = 'https://inlet.example.com/v1/webhook/key';

const byHeaders = Object.entries<SignatureScheme>(signaturePresets).filter(
  ([, { kind }]) => kind !== 'fields',
);

test.each(byHeaders)(
  'what the client signs by the scheme %s is what Inlet verifies',
  async (name, scheme) => {
    const secret = secrets[name] ?? 'a secret';
    const { contentType, rawBody: body } = samples[name === 'twilio' ? 'twilio' : 'stripe'];
    const headers = await sign(scheme, secret, { body, url, contentType });
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': contentType, ...headers },
      rawBody: Buffer.from(body),
    };
    const settings = { scheme: scheme as (typeof signaturePresets)['github'], secrets: [secret] };
    expect(verifySignature(request, settings, new Date())).toEqual({ ok: true });
    const changed = { ...request, rawBody: Buffer.from(`${body} `) };
    const isToken = scheme.kind === 'token';
    expect(verifySignature(changed, settings, new Date()).ok).toBe(isToken);
  },
);

/** The request as Inlet receives it. */
async function received(scheme: SignatureScheme, name: keyof typeof producers) {
  const { contentType, headers, rawBody: body } = samples[name];
  const signed = await signRequest(scheme, secrets[name] ?? 'a secret', { body, url, contentType });
  return {
    method: 'POST',
    url: signed.url,
    query: Object.fromEntries(new URL(signed.url).searchParams),
    headers: { ...headers, 'content-type': signed.contentType, ...signed.headers },
    rawBody: Buffer.from(signed.body),
    decodedBody: storedValue(
      { contentType: signed.contentType, body: Buffer.from(signed.body) },
      name,
    ),
  };
}

/** The lines of the values of a form end in CRLF. */
const withPlainLines = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(String.raw`\r\n`, String.raw`\n`)) as unknown;

const signing = names.flatMap((name) => {
  const scheme = schemeOf(producerOf(name), {});
  return scheme ? [[name, scheme] as const] : [];
});

test.each(signing)(
  'the signed sample of %s is what Inlet verifies, and reads as before',
  async (name, scheme) => {
    const request = await received(scheme, name);
    const settings = { scheme, secrets: [secrets[name] ?? 'a secret'] };
    expect(verifySignature(request, settings, new Date())).toEqual({ ok: true });
    const wrong = { scheme, secrets: [secrets.svix ?? '', 'another'].slice(-1) };
    expect(verifySignature(request, wrong, new Date()).ok).toBe(false);
    const decoded = producerOf(name).decodeBody({
      contentType: request.headers['content-type'],
      body: request.rawBody,
    });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
    expect(withPlainLines(decoded.value)).toMatchObject(payloadOf(name).body as object);
  },
);

test('the producers that sign are known', () => {
  expect(signing.length).toBeGreaterThan(12);
});

test.each([
  ['hubspot', { kind: 'token', from: { query: 'token' }, prefix: 'x-' }],
  ['stripe', { kind: 'token', from: { field: 'token' } }],
  ['twilio', { kind: 'token', from: { field: 'token' } }],
  ['mailgun', { kind: 'token', from: { field: 'token' } }],
] as const)('a token goes into the query, or into the body of %s', async (name, scheme) => {
  const request = await received(scheme, name);
  const settings = { scheme, secrets: ['a secret'] };
  expect(verifySignature(request, settings, new Date())).toEqual({ ok: true });
  const rawBody = Buffer.from(samples[name].rawBody);
  const { contentType } = samples[name];
  const decodedBody = storedValue({ contentType, body: rawBody }, name);
  const unsigned = { ...request, query: {}, rawBody, decodedBody };
  expect(verifySignature(unsigned, settings, new Date()).ok).toBe(false);
});

test.each([
  ['a token in the query', { kind: 'token', from: { query: 'token' } }],
  ['fields of the body', signaturePresets.mailgun],
] as [string, SignatureScheme][])('%s cannot be signed by headers', async (_what, scheme) => {
  await expect(sign(scheme, 'secret', { body: '{}', url })).rejects.toThrow('by headers');
});

test('the parameters of a JSON body cannot be signed', async () => {
  const request = { body: '{}', url };
  await expect(sign(signaturePresets.twilio, 'secret', request)).rejects.toThrow('does not fit');
});
