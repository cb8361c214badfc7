/** Every mapping of every body gives an event within the bounds. */
import fc from 'fast-check';
import type {
  MappingDocument,
  Source,
  TransformUse,
} from '../../../src/domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import { transforms } from '../../../src/mapping/transforms/registry.ts';
import { payloadOf } from './example-mapping.ts';

const keys = ['a', 'b', 'c', '__proto__', 'constructor', 'prototype', 'toString', 'phone', 'date'];

const uses = [...transforms.values()].flatMap(({ name, examples }) =>
  examples.map(({ options }): TransformUse => (options === undefined ? name : { [name]: options })),
);

const paths = fc.oneof(
  fc.constantFrom('@', 'a', 'b', 'a.b', 'a[0]', 'a[*].b', 'b[?a == `1`] | [0]', '*.*', 'a || b'),
  fc.constantFrom('"__proto__"', 'constructor', 'a.constructor.name', 'to_string(@)', 'keys(@)'),
);

const options = {
  transforms: fc.array(fc.constantFrom(...uses), { maxLength: 4 }),
  default: fc.constantFrom('d', 7, true),
  required: fc.boolean(),
};

const flat = fc.oneof(
  fc.record({ path: paths, ...options }, { requiredKeys: ['path'] }),
  fc.record({ const: fc.string(), ...options }, { requiredKeys: ['const'] }),
);
const source: fc.Arbitrary<Source> = fc.oneof(
  flat,
  fc.record({ first: fc.array(flat, { minLength: 1, maxLength: 3 }) }),
  fc.record(
    {
      template: fc.constantFrom('{{a}} {{b}}', '{{#if c}}{{c[]}}{{else}}{{@}}{{/if}}'),
      ...options,
    },
    { requiredKeys: ['template'] },
  ),
  fc.record({
    join: fc.array(flat, { minLength: 1, maxLength: 3 }),
    transforms: options.transforms,
  }),
);

const documents: fc.Arbitrary<MappingDocument> = fc.record(
  {
    split: fc.constantFrom('a', '@', 'a[]'),
    filter: fc.constantFrom('a', '!a', '`true`'),
    eventType: source,
    eventDate: source,
    contact: fc.record(
      { externalId: source, name: source, phone: source, email: source, document: source },
      { requiredKeys: [] },
    ),
    message: fc.record({ text: source }),
    context: fc.record({
      labels: fc.array(source, { maxLength: 3 }),
      fields: fc.dictionary(fc.constantFrom(...keys), source, { maxKeys: 3 }),
    }),
  },
  { requiredKeys: [] },
);

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '06/01/2026',
    '11 90000-0001',
    '{"a":1}',
    '<p>a',
    '1.234,5',
    'sim',
    'a;b',
    '{{value}}',
  ),
);
const bodies = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, texts, fc.jsonValue(), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 5 }),
})).object;

const compile = (document: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
};

/** Returns every text and list of an event with its path. */
function* sizes(value: unknown, path = ''): Iterable<[string, number]> {
  if (typeof value === 'string') yield [path, value.length];
  if (Array.isArray(value)) yield [path, value.length];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* sizes(inner, `${path}.${key}`);
}

test('any mapping of any body gives the same event each time, within the bounds and as previewed', () => {
  fc.assert(
    fc.property(documents, bodies, (document, body) => {
      const mapping = compile(document);
      const payload = payloadOf(body);
      const split = splitItems(mapping, payload);
      const region = { defaultRegion: 'BR' };
      const previews = [...previewItems(mapping, payload, region)];
      if (!split.ok) {
        expect(previews.map(({ failure }) => failure)).toEqual([split.code]);
        return;
      }
      const items = split.items.filter((item) => item !== null || !mapping.splits);
      expect(previews).toHaveLength(items.length);
      for (const [i, item] of items.entries()) {
        const event = applyItem(mapping, payload, { ...region, item });
        expect(applyItem(mapping, payload, { ...region, item })).toEqual(event);
        expect(previews[i]).toMatchObject(event);
        for (const [path, size] of sizes(event)) {
          expect([path, size <= (path === '.message.text' ? 65_536 : 4_096)]).toEqual([path, true]);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('inherited properties are in no result', () => {
  const inherited = ['constructor', 'toString', '"__proto__"', 'a.constructor', 'a."__proto__".x'];
  const fields = Object.fromEntries(
    inherited.flatMap((path, i) => [
      [`plain${i}`, { path }],
      [`json${i}`, { path: 'text', transforms: [{ json: { path } }] }],
      [`template${i}`, { const: 'x', transforms: [{ template: { text: `{{${path}}}` } }] }],
    ]),
  );
  const { contact, problems } = applyItem(
    compile({ contact: { fields } }),
    payloadOf({ a: { b: 1 }, text: '{"a":{"b":1}}' }),
    { defaultRegion: 'BR' },
  );
  expect(problems).toEqual([]);
  expect(Object.values(contact.fields).filter((value) => value !== null)).toEqual([]);
});

test('compiling never throws', () => {
  const wild = fc.oneof(
    fc.jsonValue(),
    fc.object({
      key: fc.constantFrom('contact', 'phone', 'path', 'transforms', 'lookup', ...keys),
    }),
  );
  fc.assert(
    fc.property(wild, (document) => expect(typeof compileMapping(document).ok).toBe('boolean')),
  );
});
