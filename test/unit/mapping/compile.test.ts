import { renderMessages } from '../../../src/base/texts/texts.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import type { DocumentProblemKind } from '../../../src/mapping/document-problem.ts';
import { mappingSchemas } from '../../../src/mapping/language/schema.ts';
import { exampleDocument } from './example-mapping.ts';

const problemsOf = (document: unknown): string[] => {
  const result = compileMapping(document);
  return result.ok ? [] : result.problems.map(({ path }) => path);
};

const path = (text: string) => ({ contact: { phone: { path: text } } });
const phone = (source: object) => ({ contact: { phone: source } });
const nest = (levels: number): object =>
  levels === 0 ? { const: 1 } : { first: [nest(levels - 1)] };

test('the example compiles and lists its headers and query parameters', () => {
  const result = compileMapping({
    ...exampleDocument,
    eventId: { join: [{ header: 'X-Id' }, { query: 'Id' }] },
    eventType: { first: [{ header: 'x-id' }, { header: 'X-Type' }] },
  });
  expect(result).toMatchObject({
    ok: true,
    mapping: { splits: false, readsHeaders: ['x-id', 'x-type'], readsQueries: ['Id'] },
  });
});

test.each<[string, unknown, string[]]>([
  ['no object', [], ['']],
  ['null', null, ['']],
  ['an unknown part', { contact: { phones: { path: 'a' } } }, ['/contact/phones']],
  ['an unknown part with a slash', { 'a/b': 1 }, ['/a~1b']],
  ['a source of no kind', phone({}), ['/contact/phone']],
  ['a source of two kinds', phone({ path: 'a', const: 1 }), ['/contact/phone']],
  ['root without a path', phone({ const: 1, root: true }), ['/contact/phone']],
  ['with without a join', phone({ path: 'a', with: '-' }), ['/contact/phone']],
  ['an empty list', phone({ first: [] }), ['/contact/phone/first']],
  ['an empty path', path(''), ['/contact/phone/path']],
  ['a default of the wrong type', phone({ path: 'a', default: [] }), ['/contact/phone/default']],
  ['an id with a default', { eventId: { path: 'a', default: 1 } }, ['/eventId/default']],
  [
    'a part of an id with a default',
    { eventId: { join: [{ path: 'a', default: 1 }] } },
    ['/eventId/join/0/default'],
  ],
  [
    'an unknown transform',
    phone({ path: 'a', transforms: ['x'] }),
    ['/contact/phone/transforms/0'],
  ],
  [
    'an unknown transform with options',
    phone({ path: 'a', transforms: [{ x: {} }] }),
    ['/contact/phone/transforms/0/x'],
  ],
  [
    'two transforms in one',
    phone({ path: 'a', transforms: [{ trim: {}, lower: {} }] }),
    ['/contact/phone/transforms/0'],
  ],
  [
    'an unknown option',
    phone({ path: 'a', transforms: [{ phone: { country: 'BR' } }] }),
    ['/contact/phone/transforms/0/phone/country'],
  ],
  [
    'an unknown region',
    phone({ path: 'a', transforms: [{ phone: { region: 'XX' } }] }),
    ['/contact/phone/transforms/0/phone'],
  ],
  [
    'an unknown zone',
    { eventDate: { path: 'a', transforms: [{ date: { zone: 'Mars/Base' } }] } },
    ['/eventDate/transforms/0/date'],
  ],
  [
    'a format that reads nothing',
    { eventDate: { path: 'a', transforms: [{ date: { format: '---' } }] } },
    ['/eventDate/transforms/0/date'],
  ],
  ['sources nested without end', phone(nest(40)), ['']],
  [
    'a bad expression in a field with a dot and a slash',
    { contact: { fields: { 'a.b/c': { path: '[' } } } },
    ['/contact/fields/a.b~1c/path'],
  ],
  [
    'several at once',
    {
      split: '(',
      filter: 'f(',
      contact: { name: { path: 'a.' }, email: { first: [{ path: ']' }] } },
    },
    ['/split', '/filter', '/contact/name/path', '/contact/email/first/0/path'],
  ],
  [
    'what is of the wrong form, together with what else is wrong',
    {
      nothing: 1,
      filter: '((',
      eventId: { const: 'x' },
      contact: {
        name: { path: 'a..b' },
        phone: { path: 'a', const: 'b' },
        fields: { city: { path: 5 }, street: { path: '[[' } },
      },
      context: { labels: [{}, { path: '(' }] },
    },
    [
      '/nothing',
      '/contact/phone',
      '/contact/fields/city/path',
      '/context/labels/0',
      '/filter',
      '/contact/name/path',
      '/contact/fields/street/path',
      '/eventId',
    ],
  ],
  ['an id that is a constant', { eventId: { const: 'x' } }, ['/eventId']],
  [
    'an id that falls back to a constant',
    { eventId: { first: [{ path: 'id' }, { const: 'x' }] } },
    ['/eventId'],
  ],
  [
    'an id joined of constants',
    { eventId: { join: [{ const: 'a' }, { first: [{ header: 'h' }, { const: 'b' }] }] } },
    ['/eventId'],
  ],
])('%s is a problem at its pointer', (_, document, paths) => {
  expect(problemsOf(document)).toEqual(paths);
});

test.each<[string, object]>([
  ['a constant beside what is read', { join: [{ const: 'lead' }, { path: 'id' }] }],
  [
    'a fallback beside what is read',
    { join: [{ first: [{ path: 'a' }, { const: 0 }] }, { path: 'id' }] },
  ],
  ['a template that reads', { const: '', transforms: [{ template: { text: '{id}' } }] }],
])('an id of %s is valid', (_, eventId) => {
  expect(problemsOf({ eventId })).toEqual([]);
});

test('a problem lists the choices', () => {
  const result = compileMapping(phone({ path: 'a', transforms: ['nope'] }));
  const [problem] = result.ok ? [] : renderMessages(result.problems, 'en');
  expect(problem?.message).toContain('trim');
});

test.each<[string, unknown, { kind: DocumentProblemKind; about?: string }]>([
  ['a bad expression', path('a.'), { kind: 'expression_syntax' }],
  ['an open quote', path("a[?k=='x]"), { kind: 'expression_quote' }],
  ['an unknown function', path('nope(a)'), { kind: 'expression_function', about: 'nope' }],
  ['too few arguments', path('join(a)'), { kind: 'expression_arguments', about: 'join' }],
  [
    'an unknown region',
    phone({ path: 'a', transforms: [{ phone: { region: 'XX' } }] }),
    { kind: 'phone_region', about: 'XX' },
  ],
  [
    'an unknown zone',
    { eventDate: { path: 'a', transforms: [{ date: { zone: 'Mars/Base' } }] } },
    { kind: 'date_zone', about: 'Mars/Base' },
  ],
  [
    'a pattern that is none',
    phone({ path: 'a', transforms: [{ replace: { pattern: '(' } }] }),
    { kind: 'replace_pattern' },
  ],
  [
    'an option of the wrong type',
    phone({ path: 'a', transforms: [{ truncate: { length: 'x' } }] }),
    { kind: 'wrong_type', about: 'integer' },
  ],
  [
    'a missing option',
    phone({ path: 'a', transforms: [{ truncate: {} }] }),
    { kind: 'part_missing', about: 'length' },
  ],
  [
    'a transform that is none',
    phone({ path: 'a', transforms: ['x'] }),
    { kind: 'transform_unknown' },
  ],
  ['a source of no kind', phone({}), { kind: 'source_kind' }],
  ['an empty path', path(''), { kind: 'too_short', about: '1' }],
  ['an unknown part', { leads: 1 }, { kind: 'part_unknown', about: 'leads' }],
])('%s has a stable kind', (_, document, expected) => {
  const result = compileMapping(document);
  expect(result.ok ? [] : result.problems).toContainEqual(expect.objectContaining(expected));
});

test('sources are bounded together', () => {
  const many = { first: Array(20).fill({ path: 'a' }) };
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, many]));
  expect(problemsOf({ contact: { fields } })).toHaveLength(1);
});

describe('expressions', () => {
  test.each([
    "lead.fields[?code=='PHONE'].value | [0]",
    'a.b.c[0].d',
    '[].a | [-1]',
    '"quoted key"."mautic.form"[0]',
    'contacts[?primary == `true`] | [0].value || phones[0]',
    'sort_by(a, &b)[0].c',
    "join(', ', tags[*].name)",
    "lower(a) == 'x' && !b",
    'a ? b : c',
    '$.a',
    "a == 'it\\'s \"x\" `y`'",
    'max_by(a, &b).c',
  ])('%s is accepted', (text) => expect(problemsOf(path(text))).toEqual([]));

  test.each([
    "pad_left('a', `100000000`)",
    "pad_right('a', `100000000`)",
    "replace(a, 'b', 'c')",
    'trim(a)',
    'group_by(a, &b)',
    'nothing(a)',
    'length()',
    'length(a, b)',
    'constructor(a)',
    '__proto__(a)',
    'let $a = b in $a',
    '$a',
    '&a',
    'a[::0]',
    "a == 'x",
    'a == `1',
    '"a',
    'a'.repeat(513),
    '['.repeat(500),
    '!'.repeat(500) + 'a',
    `${'('.repeat(100)}a${')'.repeat(100)}.${'b.'.repeat(60)}c`,
    Array(100).fill('a').join('||'),
  ])('%s is invalid', (text) => expect(problemsOf(path(text))).toEqual(['/contact/phone/path']));
});

test('never throws', () => {
  const source = fc.oneof(fc.jsonValue(), fc.record({ path: fc.string() }));
  const part = fc.dictionary(
    fc.constantFrom('phone', 'fields', 'text', 'labels', '__proto__'),
    source,
  );
  fc.assert(
    fc.property(
      fc.record({ contact: part, context: part, split: fc.string(), eventId: source }),
      (doc) => {
        expect(typeof compileMapping(doc).ok).toBe('boolean');
      },
    ),
  );
  const deep = JSON.parse('{"first":['.repeat(50_000) + ']}'.repeat(50_000)) as unknown;
  expect(problemsOf({ eventType: deep })).toEqual(['']);
});

// The compiler does not check its own schema at the start of each process.
test('the schema of mappings is a valid JSON Schema', () => {
  const { MappingDocument: root, ...definitions } = mappingSchemas('#/$defs/');
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  expect(ajv.validateSchema({ ...root, $defs: definitions })).toBe(true);
  expect(ajv.validateSchema({ ...root, $defs: { ...definitions, wrong: { type: 1 } } })).toBe(
    false,
  );
});

test('the schemas fit into an OpenAPI document', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, keywords: ['components'] });
  const schemas = mappingSchemas('#/components/schemas/');
  ajv.addSchema(
    { $id: 'inlet:openapi', components: { schemas } } as object,
    undefined,
    undefined,
    false,
  );
  const validate = ajv.getSchema('inlet:openapi#/components/schemas/MappingDocument');
  expect(validate?.(exampleDocument)).toBe(true);
  expect(validate?.({ contact: { phone: {} } })).toBe(false);
});
