import { mergePatch } from '../../../src/base/json/merge-patch.ts';

// The examples of RFC 7396, appendix A.
const examples: [original: unknown, patch: unknown, result: unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

test.each(examples)('%j patched by %j is %j', (original, patch, result) => {
  const before = JSON.stringify([original, patch]);
  expect(mergePatch(original, patch)).toEqual(result);
  expect(JSON.stringify([original, patch])).toBe(before);
});

test('names with a meaning in JavaScript are plain names', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1}}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"polluted":1},"constructor":{"x":1}}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
