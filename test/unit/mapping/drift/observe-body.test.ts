import fc from 'fast-check';
import { decodeTypes, observeBody } from '../../../../src/mapping/drift/observe-body.ts';
import { compileExpression } from '../../../../src/mapping/expressions/expression.ts';

const [maxPaths, maxDepth, maxPathLength] = [500, 12, 256];

const seenIn = (body: unknown) =>
  Object.fromEntries([...observeBody(body).paths].map(([path, bits]) => [path, decodeTypes(bits)]));

test('paths are written as a mapping would write them', () => {
  expect(
    seenIn({
      id: 7,
      lead: { name: 'Ana', 'first name': '  ', vip: false, tags: ['a', 1], none: null },
      items: [{ sku: 'x' }, { sku: 2 }, {}],
      fields: [
        { code: 'PHONE', value: '1' },
        { id: 12, values: [{ value: 'b' }] },
        { name: "it's", value: 1 },
      ],
    }),
  ).toEqual({
    id: ['number'],
    lead: ['object'],
    'lead.name': ['string'],
    'lead."first name"': ['empty'],
    'lead.vip': ['boolean'],
    'lead.tags': ['array'],
    'lead.tags[]': ['string', 'number'],
    'lead.none': ['empty'],
    items: ['array'],
    'items[]': ['object', 'empty'],
    'items[].sku': ['string', 'number'],
    fields: ['array'],
    "fields[?code=='PHONE']": ['object'],
    "fields[?code=='PHONE'].code": ['string'],
    "fields[?code=='PHONE'].value": ['string'],
    'fields[?id==`12`]': ['object'],
    'fields[?id==`12`].id': ['number'],
    'fields[?id==`12`].values': ['array'],
    'fields[?id==`12`].values[]': ['object'],
    'fields[?id==`12`].values[].value': ['string'],
    'fields[]': ['object'],
    'fields[].name': ['string'],
    'fields[].value': ['number'],
  });
});

test('keys that are e-mail addresses or phone numbers become *', () => {
  const people = { 'ana@example.com': { n: 1 }, '+55 11 90000-0001': { n: 2 } };
  const answers = [{ name: 'bia@example.com', value: 1 }];
  const text = JSON.stringify(seenIn({ people, answers }));
  expect(text).not.toMatch(/example|90000/);
  expect(seenIn({ people })).toMatchObject({ 'people.*.n': ['number'] });
});

test.each([
  ['paths', Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i]))],
  ['elements', { a: Array.from({ length: 900 }, () => 1) }],
  ['visits', { a: Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => [1])) }],
  ['depth', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
  ['length', { ['x'.repeat(300)]: 1 }],
])('a body beyond the bound of %s is truncated and marked as such', (_bound, body) => {
  const { paths, isTruncated } = observeBody(body);
  expect(isTruncated).toBe(true);
  expect(paths.size).toBeLessThanOrEqual(maxPaths);
});

describe('every body', () => {
  const key = fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'a.b',
      '$x',
      '',
      'name',
      'value',
      'code',
    ),
    fc.string({ unit: 'binary' }),
  );
  const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 16 },
      leaf,
      fc.array(tie('body'), { maxLength: 6 }),
      fc.dictionary(key, tie('body'), { maxKeys: 6, noNullPrototype: false }),
    ),
  }));

  test('gives the same bounded result of known types each time', () => {
    fc.assert(
      fc.property(body, (value) => {
        const { paths } = observeBody(value);
        expect([...observeBody(value).paths]).toEqual([...paths]);
        expect(paths.size).toBeLessThanOrEqual(maxPaths);
        for (const [path, bits] of paths) {
          expect(path.length).toBeLessThanOrEqual(maxPathLength);
          expect(path.length).toBeGreaterThan(0);
          expect(decodeTypes(bits).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('has paths that are expressions', () => {
    fc.assert(
      fc.property(body, (value) => {
        for (const path of observeBody(value).paths.keys()) {
          expect([path, compileExpression(path).ok]).toEqual([path, true]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('is read without prototypes', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}');
    expect(Object.keys(seenIn(hostile))).toContain('constructor.prototype.x');
    expect(observeBody(hostile).paths.has('__proto__.polluted')).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('is read to a bounded depth', () => {
    const deep = JSON.parse(`${'['.repeat(60)}1${']'.repeat(60)}`);
    expect([...observeBody(deep).paths.keys()].at(-1)).toBe('[]'.repeat(maxDepth));
  });
});
