/** The place of an error in JSON. */
import fc from 'fast-check';
import { placeOfSyntaxError } from '../../../src/base/json/syntax-error.ts';

test.each([
  ['{"lead": 1, "email": ana@example.com}', 1, 22],
  ['{"a":1\n,}', 2, 2],
  ['[1,2', 1, 5],
  ['{"a":"x\ny"}', 1, 8],
  ['{"a":01}', 1, 7],
  ['{"a":1}}', 1, 8],
  ['{"a": "\\u12"}', 1, 8],
  ["{'a':1}", 1, 2],
  ['{"a"\r\n 1}', 2, 2],
  ['', 1, 1],
  ['{"a":nul}', 1, 6],
])('%j is wrong in line %d at character %d', (text, line, character) => {
  expect(placeOfSyntaxError(text)).toEqual({ line, character });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('it finds an error exactly where JSON.parse does not read a text', () => {
  const broken = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', ',', '}', '"', '\\', '0', 'x', '\n'),
    )
    .map(([json, at, piece]) => {
      const index = at % (json.length + 1);
      return json.slice(0, index) + piece + json.slice(index + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      expect(placeOfSyntaxError(text) === null).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});
