import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { TransformUse } from '../../../src/domain/mappings/mapping.ts';
import { transforms } from '../../../src/mapping/transforms/registry.ts';
import { problemsOf, use } from './use-transform.ts';
import { cpuMs } from '../../support/fixtures/cpu-ms.ts';

const registered = [...transforms.values()];

describe.each(registered.map((each) => [each.name, each] as const))('%s', (name, transform) => {
  test.each(transform.examples.map((example) => [JSON.stringify(example.from), example] as const))(
    'its example %s is true',
    (_, { options, from, to, item }) => {
      const used = use(options === undefined ? name : { [name]: options }, from, item);
      expect(used).toEqual({ after: to, problem: null });
    },
  );

  test('it has a description in sentences and a strict schema', () => {
    expect(transform.doc).toMatch(/^[A-Z].*\.$/);
    expect(transform.examples.length).toBeGreaterThan(0);
    new Ajv2020({ strict: true, allowUnionTypes: true }).compile(transform.options);
    expect(transform.options.additionalProperties).toBe(false);
  });
});

test.each<[TransformUse, unknown, unknown]>([
  ['upper', 'ação', 'AÇÃO'],
  ['title', 'JOSÉ DE LA CRUZ Y DEL RÍO', 'José de la Cruz y del Río'],
  ['title', 'maria\tda  silva', 'Maria\tda  Silva'],
  ['title', 'la toya', 'La Toya'],
  ['title', 'maria e', 'Maria E'],
  ['title', 'Ana DA SILVA', 'Ana da Silva'],
  ['title', "SANT'ANNA", "Sant'Anna"],
  ['title', "joana's", "Joana's"],
  ['title', 'ronald McDonald e DeVito', 'Ronald McDonald e DeVito'],
  ['title', 'j. r. souza', 'J. R. Souza'],
  ['title', 'pedro álvares', 'Pedro Álvares'],
  ['title', 'ÉRICA ÇELIK', 'Érica Çelik'],
  ['title', 'de', 'De'],
  [{ truncate: { length: 3 } }, 'ab😀', 'ab😀'.length > 3 ? 'ab…' : ''],
  [{ truncate: { length: 4, ellipsis: '' } }, 'ab😀x', 'ab😀'],
  [{ truncate: { length: 3, ellipsis: '' } }, 'ab😀x', 'ab'],
  [{ lookup: { table: { a: 1 } } }, 'a', 1],
  [{ lookup: { table: { a: false }, default: true } }, 'a', false],
  [{ lookup: { table: { a: 1 } } }, 'constructor', null],
  [{ lookup: { table: { a: 1 } } }, '__proto__', null],
  [{ split: { by: ';' } }, 'a;;b', ['a', '', 'b']],
  [{ split: { by: ';', pick: 9 } }, 'a;b', null],
  [{ split: { by: ' ', to: -1, join: ' ' } }, 'Ana Maria Exemplo', 'Ana Maria'],
  ['pick', [], null],
  ['pick', [null, 'a'], null],
  ['upper', ['a', ' ', 'b'], ['A', 'B']],
  [{ replace: { find: '.', with: '$1' } }, 'a.b.c', 'a$1b$1c'],
  [{ replace: { pattern: '(?P<x>a)(b)?', with: '[$1$2$0$$]' } }, 'aab', '[aa$][abab$]'],
  [{ replace: { pattern: 'x*', with: '-' } }, 'ab', '-a-b-'],
  [{ replace: { pattern: 'ANA', ignoreCase: true } }, 'Ana e ana', ' e '],
  [{ replace: { pattern: '^[^\\p{L}]+' } }, '123 É', 'É'],
  [{ template: { text: '{{value}}' } }, 7, '7'],
  [{ template: { text: '{{a.b}}|{{ list }}|{{value}}' } }, 'v', '||v'],
  [{ json: { path: 'a' } }, '"text"', null],
  ['json', '12', 12],
  [{ json: { path: '"__proto__".a' } }, '{"b":1}', null],
  [{ json: { path: 'constructor' } }, '{"b":1}', null],
])('%j of %j is %j', (transform, from, after) => {
  expect(use(transform, from)).toEqual({ after, problem: null });
});

test.each<[unknown, unknown]>([
  ['1.234,56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['1.234.567', '1234567'],
  ['1,234,567', '1234567'],
  ['12,5', '12.5'],
  ['12.5', '12.5'],
  ['0,123', '0.123'],
  ['0.123', '0.123'],
  ['1234,567', '1234.567'],
  ['-1.234,50', '-1234.50'],
  ['R$ -1.234,50', '-1234.50'],
  ['-R$ 1.234,50', '-1234.50'],
  ['US$1,234.50', '1234.50'],
  ['€ 12', '12'],
  ['12 €', '12'],
  ['12,50 BRL', '12.50'],
  ['15%', '15'],
  ['1 234,5', '1234.5'],
  ["1'234.5", '1234.5'],
  ['007', '7'],
  [',5', '0.5'],
  ['1e3', '1000'],
  ['-1.25e-3', '-0.00125'],
  ['1.5e+3', '1500'],
  [1.234, '1.234'],
  [1e21, '1000000000000000000000'],
  [1e-7, '0.0000001'],
  [0, '0'],
])('number reads %j as %j', (from, after) => {
  expect(use('number', from)).toEqual({ after, problem: null });
});

test.each<[TransformUse, unknown, string]>([
  ['number', '1.234', 'invalid_number'],
  ['number', '1,234', 'invalid_number'],
  ['number', 'abc', 'invalid_number'],
  ['number', '12abc', 'invalid_number'],
  ['number', '1.2.3,4', 'invalid_number'],
  ['number', '1,23,456.7', 'invalid_number'],
  ['number', '12-5', 'invalid_number'],
  ['number', '1e999', 'invalid_number'],
  ['number', true, 'invalid_number'],
  ['number', '9'.repeat(101), 'invalid_number'],
  [{ number: { decimal: ',' } }, '1,2,3', 'invalid_number'],
  ['boolean', 'talvez', 'invalid_boolean'],
  ['boolean', 2, 'invalid_boolean'],
  ['json', '{', 'invalid_json'],
  ['json', `${'['.repeat(65)}${']'.repeat(65)}`, 'too_long'],
  ['json', `"${'x'.repeat(262_144)}"`, 'too_long'],
  [{ split: { by: ',' } }, ','.repeat(1_000), 'too_long'],
  ['upper', Array(1_001).fill('a'), 'too_long'],
  ['upper', { a: 1 }, 'not_text'],
  ['upper', ['a', ['b']], 'not_text'],
  [{ replace: { find: 'a', with: 'x'.repeat(1_024) } }, 'a'.repeat(1_000), 'too_long'],
  [{ replace: { pattern: 'a', with: '$0$0$0' } }, 'a'.repeat(1_000), 'none'],
  [{ template: { text: '{{value}}'.repeat(50) } }, 'x'.repeat(2_000), 'too_long'],
])('%j of %j is the problem %s', (transform, from, problem) => {
  expect(use(transform, from).problem ?? 'none').toBe(problem);
});

describe('stripHtml', () => {
  test.each([
    ['Olá', 'Olá'],
    ['<p>a</p>\n\n<p> b  c </p>', 'a\nb c'],
    ['<ul><li>a<li>b</ul>', 'a\nb'],
    ['a<!-- <b>x</b> -->b', 'ab'],
    ['<style>p{}</style><script>if (a<b) x</script>a', 'a'],
    ['<head><title>x</title></head><body>a</body>', 'a'],
    ['<td>a</td><td>b</td>', 'a b'],
    ['&eacute;&#233;&#xe9;&nbsp;&amp;lt; &copy &unknown;', 'ééé &lt; © &unknown;'],
    ['a\nb &lt;c&gt;', 'a\nb <c>'],
    ['a < b > c', 'a < b > c'],
    ['<a href="x>y">z</a>', 'z'],
    ['<p>a', 'a'],
    ['<br/>', ''],
  ])('%j is %j', (html, text) => expect(use('stripHtml', html).after).toBe(text));

  test('takes bounded time and never makes a text longer', () => {
    for (const piece of [
      '<',
      '<a>',
      '</a>',
      '<a ',
      '&',
      '&a',
      '<!--',
      '<script>',
      '</',
      '"',
      '<a b="',
      '<![CDATA[',
    ]) {
      const started = cpuMs();
      use('stripHtml', piece.repeat(1_000_000 / piece.length));
      expect([piece, cpuMs() - started < 3_000]).toEqual([piece, true]);
    }
  });
});

test.each<[unknown, string]>([
  [{ truncate: { length: 1 } }, '/transforms/0/truncate'],
  [{ truncate: {} }, '/transforms/0/truncate'],
  ['truncate', '/transforms/0'],
  [{ lookup: { table: {} } }, '/transforms/0/lookup/table'],
  [{ lookup: { table: { a: 1, A: 2 }, ignoreCase: true } }, '/transforms/0/lookup'],
  [
    { lookup: { table: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, i])) } },
    '/transforms/0/lookup/table',
  ],
  [{ split: { by: '' } }, '/transforms/0/split/by'],
  [{ split: { by: ',', pick: 0, join: ' ' } }, '/transforms/0/split'],
  [{ replace: {} }, '/transforms/0/replace'],
  [{ replace: { find: 'a', pattern: 'a' } }, '/transforms/0/replace'],
  [{ replace: { pattern: '(' } }, '/transforms/0/replace'],
  [{ replace: { pattern: '(?=a)' } }, '/transforms/0/replace'],
  [{ replace: { pattern: '(a{1000}){1000}' } }, '/transforms/0/replace'],
  [{ replace: { pattern: '\\pL{1,900}' } }, '/transforms/0/replace'],
  [{ replace: { pattern: 'a', with: '$1' } }, '/transforms/0/replace'],
  [{ replace: { find: 'a', ignoreCase: true } }, '/transforms/0/replace'],
  [{ template: { text: '{{a' } }, '/transforms/0/template'],
  [{ template: { text: '{{a[}}' } }, '/transforms/0/template/text'],
  [{ template: { text: '{{}}' } }, '/transforms/0/template/text'],
  [{ template: { text: '{{a}}'.repeat(51) } }, '/transforms/0/template'],
  [{ json: { path: 'nothing(' } }, '/transforms/0/json/path'],
  [{ json: { path: 'a'.repeat(513) } }, '/transforms/0/json/path'],
  [{ number: { decimal: ' ' } }, '/transforms/0/number/decimal'],
  [{ date: { order: 'ymd' } }, '/transforms/0/date/order'],
  [{ date: { format: 'HH:mm' } }, '/transforms/0/date'],
  [{ nothing: {} }, '/transforms/0/nothing'],
  ['constructor', '/transforms/0'],
])('%j is a problem at %s', (transform, pointer) => {
  expect(problemsOf(transform)).toContain(`/message/text${pointer}`);
});

test('every pattern ends within the budget on every text', () => {
  for (const pattern of ['a.*b|a', '(a+)+$', '(a|a)*b', '(a?){50}a{50}', 'x*', '(.*)(.*)(.*)x|a']) {
    for (const from of ['a'.repeat(1_000_000), 'a'.repeat(5_000), `${'a b '.repeat(500)}x`]) {
      const started = cpuMs();
      const { after, problem } = use({ replace: { pattern, with: '-' } }, from);
      expect([pattern, cpuMs() - started < 3_000]).toEqual([pattern, true]);
      expect(problem === null || after === null).toBe(true);
    }
  }
});

describe('every value', () => {
  const example = (name: string) => transforms.get(name)?.examples[0]?.options;
  const uses = registered.map(({ name }): TransformUse => {
    const options = example(name);
    return options === undefined ? name : { [name]: options };
  });
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

  test('gives the same result each time, without exceptions and inherited properties', () => {
    const values = fc.oneof(texts, fc.jsonValue(), fc.array(texts));
    fc.assert(
      fc.property(values, fc.constantFrom(...uses), (value, transform) => {
        const used = use(transform, value);
        expect(use(transform, value)).toEqual(used);
        expect(['object', 'string', 'number', 'boolean']).toContain(typeof used.after);
      }),
      { numRuns: 500 },
    );
  });

  test('becomes a text or nothing in any chain of transforms', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...uses), { maxLength: 20 }), texts, (chain, text) => {
        expect(() =>
          chain.reduce((value, each) => use(each, value).after, text as unknown),
        ).not.toThrow();
      }),
    );
  });
});
