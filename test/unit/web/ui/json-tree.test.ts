import {
  findNodes,
  expandLevels,
  pathOf,
  rowsOf,
  treeOf,
  type Node,
} from '../../../../web/src/ui/json/json-tree.ts';

const everything = (root: Node) => expandLevels(root, 1_000_000);
const pathsOf = (value: unknown): string[] => {
  const root = treeOf(value);
  return rowsOf(root, everything(root)).map(pathOf);
};

/** Nested in that many objects, built without recursion. */
function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let at = 0; at < depth; at += 1) value = { in: value };
  return value;
}

test('paths have the syntax of a mapping, with quotes where needed', () => {
  const value = { lead: { 'phone number': 1, phones: [{ n: 2 }] }, 'a"b': null, _x9: true };
  expect(pathsOf(value)).toEqual([
    'lead',
    'lead."phone number"',
    'lead.phones',
    'lead.phones[0]',
    'lead.phones[0].n',
    '"a\\"b"',
    '_x9',
  ]);
  expect(pathsOf([['a']])).toEqual(['[0]', '[0][0]']);
});

test('a scalar value is one row', () => {
  for (const value of ['text', 7, null, undefined, {}, []]) {
    expect(pathsOf(value)).toEqual(['']);
  }
});

test('a name like __proto__ is an ordinary name', () => {
  expect(pathsOf(JSON.parse('{"__proto__":{"constructor":1}}'))).toEqual([
    '__proto__',
    '__proto__.constructor',
  ]);
});

test('any depth and width works', () => {
  const deep = treeOf(nested(20_000));
  expect(rowsOf(deep, everything(deep))).toHaveLength(20_000);
  expect(findNodes(deep, 'bottom', 10).map(({ level }) => level)).toEqual([20_000]);
  const wide = treeOf({ list: Array.from({ length: 100_000 }, (_, at) => at) });
  expect(rowsOf(wide, everything(wide))).toHaveLength(100_001);
});

test('it expands level by level up to the limit', () => {
  const root = treeOf({ a: { b: { c: 1 } }, many: Array.from({ length: 500 }, () => 0) });
  const rows = rowsOf(root, expandLevels(root, 100));
  expect(rows.map(pathOf)).toEqual(['a', 'a.b', 'many']);
});

test('names and scalar values are found in order, ignoring case, up to the limit', () => {
  const root = treeOf({ Name: 'Ana', lead: { first_name: 'x', age: 41, tags: ['ANA', 'b'] } });
  const found = (words: string, most = 10) => findNodes(root, words, most).map(pathOf);
  expect(found('name')).toEqual(['Name', 'lead.first_name']);
  expect(found('ana')).toEqual(['Name', 'lead.tags[0]']);
  expect(found('41')).toEqual(['lead.age']);
  expect(found('a', 2)).toEqual(['Name', 'lead']);
  expect(found('nowhere')).toEqual([]);
});
