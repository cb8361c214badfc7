import { changesBetween, maxChanges, valueAt } from '../../../src/domain/events/json-diff.ts';

test.each<[string, unknown, unknown, [string, string][]]>([
  ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['a value', { a: 1 }, { a: 2 }, [['/a', 'changed']]],
  ['a type', { a: 1 }, { a: '1' }, [['/a', 'changed']]],
  ['null and nothing', { a: null }, {}, [['/a', 'removed']]],
  ['a new name', {}, { a: { b: 1 } }, [['/a', 'added']]],
  [
    'an element',
    [1, 2],
    [1, 3, 4],
    [
      ['/1', 'changed'],
      ['/2', 'added'],
    ],
  ],
  ['a list for an object', { a: [] }, { a: {} }, [['/a', 'changed']]],
  ['names with slashes', { 'a/b~': 1 }, { 'a/b~': 2 }, [['/a~1b~0', 'changed']]],
  ['everything', 1, { a: 1 }, [['', 'changed']]],
])('two bodies that differ in %s', (...[, before, after, expected]) => {
  const found = changesBetween(before, after);
  expect(found.map(({ path, kind }) => [path, kind])).toEqual(expected);
  for (const { path, before: old, after: now } of found) {
    expect([old, now]).toEqual([valueAt(before, path) ?? null, valueAt(after, path) ?? null]);
  }
});

test('the list of changes is limited', () => {
  const names = Array.from({ length: 500 }, (_, n) => [`n${n}`, n]);
  expect(changesBetween({}, Object.fromEntries(names))).toHaveLength(maxChanges);
  expect(changesBetween(names.slice(), [])).toHaveLength(maxChanges);
});
