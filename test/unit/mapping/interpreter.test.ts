import { compile, search } from '@jmespath-community/jmespath';
import type { JSONValue } from '@jmespath-community/jmespath';
import fc from 'fast-check';
import { evaluate } from '../../../src/mapping/expressions/interpreter.ts';
import { createWorkBudget } from '../../../src/mapping/expressions/work-budget.ts';

const attempt = (read: () => unknown): unknown => {
  try {
    return JSON.parse(JSON.stringify(read() ?? null));
  } catch {
    return 'failed';
  }
};

test.each([
  'a.b',
  'a[0].b',
  'a[*].b',
  '*.a',
  'a[].b[]',
  'a[?b].a',
  'a[?b == a]',
  'a[?b != `1` && !a]',
  '[a, b, {x: a, y: @}]',
  'a || b',
  'a && b',
  '!a',
  'a ? b : `0`',
  'a == b',
  'a != b',
  'a < b',
  'a[1:]',
  'b[::-1]',
  'a | [0]',
  '$.a == a',
  'map(&a, b)',
  'sort_by(a, &b)',
  'sort(a)',
  'keys(@)',
  'length(a)',
  'to_string(a)',
  "join('-', a)",
  'merge(a, b)',
  'not_null(a, b)',
  'a.b.a[?a].b | [0]',
])('%s has the same value as in the library', (expression) => {
  const node = compile(expression);
  const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
    leaf: fc.constantFrom(null, true, false, 0, 1, 'a', '', [], {}),
    tree: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const expected = attempt(() => search(value as JSONValue, expression));
      expect(attempt(() => evaluate(node, value, createWorkBudget()))).toEqual(expected);
    }),
  );
});
