// Payload locations: everything that the console's tree writes, and nothing more.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeBodies, type FieldNode } from '../../../../web/src/mapping/fields/merge-payloads.ts';
import {
  parseLocation,
  type LocationStep,
} from '../../../../web/src/ui/location/parse-location.ts';

const shown = (step: LocationStep): string =>
  'text' in step
    ? `${{ entry: '=', where: '?', key: '' }[step.is]}${step.text}`
    : step.is === 'nth'
      ? `#${step.at}`
      : step.is;

test.each([
  ['name', ['name']],
  ['lead.full_name', ['lead', 'full_name']],
  ['lead."your-name"', ['lead', 'your-name']],
  ['"a.b"."c\\"d"', ['a.b', 'c"d']],
  ['emails[0].address', ['emails', '#0', 'address']],
  ['[2].name', ['#2', 'name']],
  ['items[].sku', ['items', 'each', 'sku']],
  ["join(', ', tags)", ['tags', 'joined']],
  [
    "form_response.answers[?field.ref=='nome'].text | [0]",
    ['form_response', 'answers', '=nome', 'text'],
  ],
  ["[?k=='x'].v | [0]", ['=x', 'v']],
  ['phones[?primary==`true`].value | [0]', ['phones', '?primary', 'value']],
  ['fields[?id==`12`].values[0].value | [0]', ['fields', '=12', 'values', '#0', 'value']],
  ["a[?k=='x'].values | [0][?n==`2`].v | [0]", ['a', '=x', 'values', '=2', 'v']],
  ["a[?k=='x'].v | [0].w", ['a', '=x', 'v', 'w']],
  [String.raw`a[?k=='it\'s ] \\ | [0] it'].v | [0]`, ['a', String.raw`=it's ] \ | [0] it`, 'v']],
])('%s', (path, steps) => {
  expect(parseLocation(path)?.map(shown)).toEqual(steps);
});

test.each([
  '',
  '@',
  '.name',
  'a b',
  'a.*',
  'a[*].b',
  'a || b',
  'a && b',
  'a | b',
  'a[0] | [0]',
  'a[-1]',
  'a[1:3]',
  'length(a)',
  "join(' ', tags)",
  "join(', ', a || b)",
  "a[?k=='x'].v",
  "a[?k=='x'].v | [1]",
  "a[?k!='x'].v | [0]",
  "a[?k=='x' && n=='y'].v | [0]",
  "a[?contains(k, 'x')].v | [0]",
  "a[?k=='x'].b[] | [0]",
  "a[?k=='x'].b[?n=='y'] | [0]",
  "a[].b[?k=='x'].v | [0]",
  'a[][0]',
  'a{b: c}',
  "'text'",
  '`1`',
  '"\\x"',
])('is not a plain location: %s', (path) => {
  expect(parseLocation(path)).toBeNull();
});

const corpus = join(import.meta.dirname, '../../../../suggest/corpora/corpus');
const samples = readdirSync(corpus).filter((name) => name.endsWith('.json'));

/** Each field with the labels of its ancestors. */
const waysOf = (
  nodes: readonly FieldNode[],
  before: readonly string[] = [],
): [string, string[]][] =>
  nodes.flatMap((node) => {
    const isNamed = node.role === 'key' || node.role === 'entry';
    const way = isNamed ? [...before, node.label] : [...before];
    const path = node.source?.transforms ? undefined : node.source?.path;
    const own: [string, string[]][] = path === undefined || path === '@' ? [] : [[path, way]];
    return [...own, ...(node.source?.transforms ? [] : waysOf(node.children, way))];
  });

const isWithin = (way: readonly string[], words: readonly string[]): boolean => {
  let at = 0;
  for (const word of words) if (word === way[at]) at += 1;
  return at === way.length;
};

test.each(samples)('every field of %s reads as the tree shows it', (name) => {
  const { body } = JSON.parse(readFileSync(join(corpus, name), 'utf8')) as { body: unknown };
  const unlike = waysOf(mergeBodies([body])).filter(([path, way]) => {
    const words = parseLocation(path)?.flatMap((step) => ('text' in step ? [step.text] : []));
    return words === undefined || !isWithin(way, words);
  });
  expect(unlike).toEqual([]);
});
