import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeProducers, describeSenderSettings } from '../../../src/producers/describe.ts';
import { producers } from '../../../src/producers/registry.ts';

const { schema, signatures, challenges } = describeSenderSettings();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const isAcceptable = ajv.compile(schema);
const check = (settings: unknown) => (isAcceptable(settings) ? [] : isAcceptable.errors);

test('every producer has a title, a description and instructions in each language', () => {
  const described = describeProducers();
  expect(described.map(({ name }) => name)).toEqual(Object.keys(producers));
  for (const { title, delivers, instructions } of described) {
    const texts = [title, ...Object.values(delivers), ...Object.values(instructions)];
    expect(texts.filter((text) => text.trim() === '' || text.length > 400)).toEqual([]);
    expect(Object.keys(instructions)).toEqual(['en', 'pt-BR', 'es']);
  }
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
});

test('every preset is valid as a setting', () => {
  for (const [name, scheme] of Object.entries(signatures)) {
    expect([name, check({ signature: { scheme, secrets: ['s'] } })]).toEqual([name, []]);
    expect(check({ signature: { scheme: name, secrets: ['s', 't'] } })).toEqual([]);
  }
  for (const [name, challenge] of Object.entries(challenges)) {
    expect([name, check({ handshake: { challenge, verifyToken: 't' } })]).toEqual([name, []]);
  }
  for (const { answer } of describeProducers()) {
    if (answer) expect(check({ answer })).toEqual([]);
  }
});

const hmac = { kind: 'hmac', header: 'x-sign', algorithm: 'sha256', encoding: 'hex' };
const signature = { scheme: hmac, secrets: ['s'] };
const answer = { status: 200, contentType: 'text/xml; charset=utf-8', body: '<Response/>' };

test.each([{}, { signature }, { answer }, { handshake: {} }])('%j is acceptable', (settings) =>
  expect(check(settings)).toEqual([]),
);

test.each([
  { signature: { scheme: hmac } },
  { signature: { ...signature, secrets: [] } },
  { signature: { ...signature, secrets: [''] } },
  { signature: { ...signature, secrets: Array(6).fill('s') } },
  { signature: { ...signature, toleranceSeconds: 0 } },
  { signature: { ...signature, scheme: { ...hmac, algorithm: 'md5' } } },
  { signature: { ...signature, scheme: { ...hmac, header: 'a b' } } },
  { signature: { ...signature, scheme: { ...hmac, kind: 'rsa' } } },
  { signature: { ...signature, scheme: { ...hmac, signed: '{timestamp}' } } },
  { handshake: { challenge: { from: { query: 'a', field: 'b' }, as: 'text' } } },
  { handshake: { challenge: { from: { query: 'a' }, as: 'html' } } },
  { answer: { ...answer, status: 302 } },
  { answer: { ...answer, contentType: 'text/html\r\nx: y' } },
  { answer: { ...answer, contentType: 'text/html' } },
  { answer: { ...answer, contentType: 'image/svg+xml' } },
  { answer: { ...answer, contentType: 'application/xhtml+xml' } },
  { answer: { ...answer, headers: {} } },
  { unknown: 1 },
])('%j is not', (settings) => expect(check(settings)).not.toEqual([]));
