import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMapping } from '../../../../src/mapping/language/compile.ts';
import { previewItems } from '../../../../src/mapping/evaluation/preview.ts';
import { exampleOf } from '../../../../web/src/mapping/fields/field-example.ts';
import {
  branchesOf,
  countOf,
  filterNodes,
  locationsOf,
  normalizePath,
  ancestorsOfFirst,
} from '../../../../web/src/mapping/fields/field-search.ts';
import {
  mergeBodies,
  mergeNamed,
  type FieldNode,
} from '../../../../web/src/mapping/fields/merge-payloads.ts';
import {
  equalsCondition,
  itemsAt,
  parsePlainPath,
  formatPath,
  type Step,
} from '../../../../web/src/mapping/fields/field-path.ts';

const all = (nodes: readonly FieldNode[]): FieldNode[] =>
  nodes.flatMap((node) => [node, ...all(node.children)]);

const nodeAt = (nodes: readonly FieldNode[], path: string): FieldNode => {
  const found = all(nodes).find((node) => node.path === path);
  if (!found)
    throw new Error(
      `no ${path} in ${all(nodes)
        .map((node) => node.path)
        .join(', ')}`,
    );
  return found;
};

/** The server's value at the location of a field. */
function readOnServer(source: unknown, body: unknown): unknown {
  const compiled = compileMapping({ contact: { fields: { value: source } } });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const payload = { body, headers: {}, query: {} };
  const [item] = previewItems(compiled.mapping, payload, { defaultRegion: 'BR' });
  const trace = item?.sources['contact.fields.value'];
  return trace?.steps.at(-1)?.after ?? trace?.raw;
}

const key = (name: string): Step => ({ is: 'key', key: name });

test.each<[string, Step[]]>([
  ['lead.name', [key('lead'), key('name')]],
  ['lead."full name"', [key('lead'), key('full name')]],
  ['"1st"."a\\"b"', [key('1st'), key('a"b')]],
  ['""', [key('')]],
  ['@', []],
  ['[0].name', [{ is: 'at', index: 0 }, key('name')]],
  ['items[].sku', [key('items'), { is: 'each' }, key('sku')]],
  [
    "fields[?code=='PHONE'].value | [0]",
    [key('fields'), { is: 'entry', condition: equalsCondition(['code'], 'PHONE') }, key('value')],
  ],
  [
    "a[?k=='x'].values | [0][?n==`2`].v | [0]",
    [
      key('a'),
      { is: 'entry', condition: equalsCondition(['k'], 'x') },
      key('values'),
      { is: 'entry', condition: equalsCondition(['n'], 2) },
      key('v'),
    ],
  ],
])('a location is written as %s', (path, steps) => {
  expect(formatPath(steps)).toBe(path);
});

test('a quote and a backslash in an entry’s name are escaped', () => {
  const body = {
    fields: [
      { code: "it's \\ it", value: 'x' },
      { code: 'other', value: 'y' },
    ],
  };
  const [list] = mergeBodies([body]);
  const [entry] = list?.children ?? [];
  expect(readOnServer(entry?.source, body)).toBe('x');
});

test('a keyed list is shown by key with display names, in any order', () => {
  const entry = (code: string, name: string, value: unknown) => ({ code, name, value });
  const nodes = mergeBodies([
    { fields: [entry('PHONE', 'Telefone', '1'), entry('CITY', 'Cidade', 'Recife')] },
    { fields: [entry('CITY', 'Cidade', 'Natal'), entry('PHONE', 'Telefone', '2')] },
    { fields: [] },
  ]);
  const list = nodeAt(nodes, 'fields');
  expect(
    list.children.map(({ label, title, role, values }) => ({ label, title, role, values })),
  ).toEqual([
    { label: 'PHONE', title: 'Telefone', role: 'entry', values: ['1', '2', undefined] },
    { label: 'CITY', title: 'Cidade', role: 'entry', values: ['Recife', 'Natal', undefined] },
  ]);
  expect(list.children[0]?.path).toBe("fields[?code=='PHONE'].value | [0]");
  expect(list.children[0]?.present).toBe(2);
});

test('a list without keys has a first item and all items', () => {
  const nodes = mergeBodies([
    {
      items: [
        { sku: 'A', qty: 2 },
        { sku: 'B', qty: 1 },
      ],
    },
  ]);
  expect(nodeAt(nodes, 'items').children.map(({ role }) => role)).toEqual(['first', 'all']);
  expect(nodeAt(nodes, 'items[].sku').values).toEqual([['A', 'B']]);
  expect(nodeAt(nodes, 'items[0].qty').values).toEqual([2]);
});

test('several payloads make one tree with frequencies and types', () => {
  const nodes = mergeBodies([{ a: 1 }, { a: 'x', b: true }, { b: null }]);
  expect(nodes.map(({ label, kinds, present }) => ({ label, kinds, present }))).toEqual([
    { label: 'a', kinds: ['number', 'text'], present: 2 },
    { label: 'b', kinds: ['boolean'], present: 2 },
  ]);
});

test('JSON inside a text is parsed, and read by the transform', () => {
  const body = { raw: '{"utm":{"source":"ig"}}' };
  const node = nodeAt(mergeBodies([body]), 'raw → utm.source');
  expect(node.source).toEqual({ path: 'raw', transforms: [{ json: { path: 'utm.source' } }] });
  expect(readOnServer(node.source, body)).toBe('ig');
});

test('names of built-in properties are ordinary fields', () => {
  const body = JSON.parse(
    '{"__proto__":{"polluted":"yes"},"constructor":"c","toString":"t"}',
  ) as unknown;
  const nodes = mergeBodies([body]);
  expect(nodes.map(({ label }) => label)).toEqual(['__proto__', 'constructor', 'toString']);
  expect(readOnServer(nodeAt(nodes, '__proto__.polluted').source, body)).toBe('yes');
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('deep and wide payloads are merged within bounds', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]));
  let deep: unknown = 'end';
  for (let n = 0; n < 400; n += 1) deep = { in: deep };
  const nodes = mergeBodies([{ many, deep }]);
  expect(nodeAt(nodes, 'many').children).toHaveLength(5_000);
  expect(countOf(nodes)).toBeLessThan(5_400);
  const wide = Array.from({ length: 20 }, (_, n) =>
    Object.fromEntries(Array.from({ length: 5_000 }, (_one, at) => [`${n} ${at}`, n])),
  );
  expect(countOf(mergeBodies(wide))).toBeLessThanOrEqual(40_000);
});

const corpus = join(import.meta.dirname, '../../../../suggest/corpora/corpus');
const files = readdirSync(corpus).filter((name) => name.endsWith('.json'));

test.each(files)('each field of %s is at its path', (name) => {
  const { body } = JSON.parse(readFileSync(join(corpus, name), 'utf8')) as { body: unknown };
  if (typeof body !== 'object' || body === null) return;
  const leaves = all(mergeBodies([body])).filter(
    ({ children, values, path }) =>
      children.length === 0 && values[0] !== undefined && path.length <= 512,
  );
  for (const { source, values, role } of leaves.slice(0, 150)) {
    if (role === 'joined') continue;
    // Empty values count as absent; a list without empty parts is the same list.
    const read = readOnServer(source, body) ?? null;
    const expected = values[0] ?? null;
    expect([source, read === '' ? null : read]).toEqual([
      source,
      expected === '' ? null : expected,
    ]);
  }
});

test('fields are found by name, title, path and value, with their ancestors', () => {
  const nodes = mergeBodies([
    {
      lead: { name: 'Ana', city: 'São Paulo' },
      fields: [{ code: 'X', name: 'Cidade', value: '1' }],
    },
  ]);
  const found = (words: string) =>
    all(filterNodes(nodes, words))
      .filter(({ children }) => children.length === 0)
      .map(({ path }) => path);
  expect(found('sao paulo')).toEqual(['lead.city']);
  expect(found('CIDADE')).toEqual(["fields[?code=='X'].value | [0]"]);
  expect(found('lead.na')).toEqual(['lead.name']);
  expect(found('nowhere')).toEqual([]);
  expect(filterNodes(nodes, ' ')).toBe(nodes);
  expect(branchesOf(nodes)).toEqual(['lead', 'fields']);
  expect(
    ancestorsOfFirst(nodes, ({ path }) => path === 'lead.city')?.map(({ label }) => label),
  ).toEqual(['lead', 'city']);
});

test('a drift path finds its field', () => {
  expect(normalizePath("fields[?code=='PHONE'].value | [0]")).toBe(
    normalizePath("fields[?code == 'PHONE'].value"),
  );
  expect(normalizePath('items[0].sku')).toBe(normalizePath('items[].sku'));
});

test('sources list their locations, part by part', () => {
  const place = (path: string) => locationsOf({ path })[0];
  expect(locationsOf({ join: [{ path: 'a' }, { first: [{ path: 'b' }] }] })).toEqual([
    place('a'),
    place('b'),
  ]);
  expect(locationsOf({ path: 'a', transforms: ['trim'] })).toEqual([place('a')]);
});

test('header names ignore case', () => {
  const [node] = mergeNamed([{ 'X-Id': '1' }, {}], 'header');
  expect(node?.source).toEqual({ header: 'X-Id' });
  expect(node?.present).toBe(1);
});

test('an example comes from the shown payload, else from another', () => {
  const [node] = mergeBodies([{ a: '' }, { a: ' x\n y ' }]);
  if (!node) throw new Error('no node');
  expect(exampleOf(node, 1)).toEqual({ text: 'x y', isHere: true });
  expect(exampleOf(node, 0)).toEqual({ text: 'x y', isHere: false });
});

test.each([
  ['@', [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
  ['leads', { leads: [1, 2] }, [1, 2]],
  ['"my list"[0].in', { 'my list': [{ in: [3] }] }, [3]],
  ['entry[].changes[]', { entry: [{ changes: [1] }, { changes: [2, 3] }] }, [1, 2, 3]],
])('the items at %s', (path, body, items) => {
  const steps = parsePlainPath(path);
  expect(steps && itemsAt(body, steps)).toEqual(items);
});

test('an expression is not a plain path', () => {
  expect(parsePlainPath("leads[?status=='new']")).toBeNull();
  expect(parsePlainPath('a || b')).toBeNull();
});
