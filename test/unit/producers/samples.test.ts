// Every producer has a sample that it recognizes as its own, reads by its starter mapping, and verifies once it is signed.
import { sign, type SignatureScheme } from '../../../client/sign.ts';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { detectProducer, producerOf, producers } from '../../../src/producers/registry.ts';
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
  if (!decoded.ok) throw new Error(decoded.message);
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
  if (!split.ok) throw new Error(split.message);
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
    for (const [, domain] of text.matchAll(/\w@([\w.]+)/g)) expect(domain).toBe('example.com');
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

test.each([
  ['a token in the query', { kind: 'token', from: { query: 'token' } }],
  ['fields of the body', signaturePresets.mailgun],
  ['the parameters of a JSON body', signaturePresets.twilio],
] as [string, SignatureScheme][])('%s cannot be signed by headers', async (_what, scheme) => {
  await expect(sign(scheme, 'secret', { body: '{}', url })).rejects.toThrow('by headers');
});
