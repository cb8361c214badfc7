/** The work for one event is bounded for every expression and payload. */
import { applyItem, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { payloadOf } from './example-mapping.ts';

// About 0.2 s on an idle machine.
const longestMs = 3_000;

const run = (path: string, body: unknown) => {
  const result = compileMapping({ contact: { fields: { f: { path } } } });
  if (!result.ok) throw new Error(`${path}: ${JSON.stringify(result.problems)}`);
  const started = performance.now();
  const event = applyItem(result.mapping, payloadOf(body), { defaultRegion: 'BR' });
  return { event, ms: performance.now() - started };
};

const numbers = Array.from({ length: 20_000 }, (_, i) => i);
const texts = Array.from({ length: 1_000 }, (_, i) => 'x'.repeat(1_000) + String(i));
const long = 'ab'.repeat(500_000);
const wide = Object.fromEntries(numbers.map((i) => [`k${i}`, i]));
const twins = [numbers.map((i) => ({ i })), numbers.map((i) => ({ i }))];

test.each<[string, string, unknown]>([
  ['nested root', 'a[?$.a[?@ == `-1`]]', { a: numbers }],
  ['nested root, three deep', 'a[*].[$.a[*].[$.a[*]]]', { a: numbers }],
  ['a map in a map', 'map(&map(&@, $.a), a)', { a: numbers }],
  ['sorting in a loop', 'a[*].sort_by($.a, &@)', { a: numbers }],
  ['sorting long texts', 'sort_by(a, &@)', { a: texts }],
  ['sorting long texts in a loop', 'a[*].sort($.a)', { a: texts }],
  ['comparing large parts in a loop', 'a[?$.t[0] == $.t[1]]', { a: numbers, t: twins }],
  ['asking a wide object in a loop', 'a[?$.w]', { a: numbers, w: wide }],
  ['keys of a wide object in a loop', 'a[*].keys($.w)', { a: numbers, w: wide }],
  ['searching long in long', 'contains(t, s)', { t: 'a'.repeat(1e6), s: `${'a'.repeat(4e5)}b` }],
  ['splitting into characters in a loop', "a[*].split($.t, '')", { a: numbers, t: long }],
  ['writing the whole in a loop', 'a[*].to_string($)', { a: numbers }],
  ['joining with a long separator', 'join(t, a[*].to_string(@))', { a: numbers, t: long }],
  ['doubling', `${Array(30).fill('[@,@]').join('|')}`, { a: long }],
  ['doubling, then writing', `${Array(25).fill('[@,@]').join('|')}|to_string(@)`, { a: long }],
  ['doubling and flattening', `${Array(21).fill('[@,@][]').join('|')}`, [1]],
  ['reversing in a loop', 'a[*].reverse($.t)', { a: numbers, t: long }],
  ['slicing a text in a loop', 'a[*].[$.t[1:]]', { a: numbers, t: long }],
  ['the largest in a loop', 'a[*].max($.x)', { a: numbers, x: texts }],
  ['zip in a loop', 'a[*].zip($.a, $.a)', { a: numbers }],
  ['merge in a loop', 'a[*].merge($.w, $.w)', { a: numbers, w: wide }],
])('%s ends within the budget', (_, path, body) => {
  const { event, ms } = run(path, body);
  expect(event.problems).toHaveLength(1);
  expect(event.contact.fields['f']).toBeNull();
  const ended = event.problems[0]?.code === 'path_failed';
  expect(event.failure).toBe(ended ? 'too_much_work:contact.fields.f' : null);
  expect(ms).toBeLessThan(longestMs);
});

test('usual expressions on the largest payload stay within the budget', () => {
  const body = { a: numbers.map((i) => ({ id: i, v: `v${i}` })), t: long };
  expect(run('a[?id == `19999`].v | [0]', body).event.contact.fields['f']).toBe('v19999');
  expect(run('sort_by(a, &id)[-1].v', { a: body.a.slice(0, 2_000) }).event.problems).toEqual([]);
  expect(run("contains(t, 'abba')", body).event.contact.fields['f']).toBe('false');
});

test('all targets of an event share one budget; the next event has its own', () => {
  const result = compileMapping({
    split: '@',
    contact: { name: { path: 'map(&map(&@, $), @)' }, email: { path: '[0].e' } },
  });
  if (!result.ok) throw new Error('the mapping must compile');
  const body = [numbers, [{ e: 'ana@example.com' }]];
  const split = splitItems(result.mapping, payloadOf(body));
  const events = (split.ok ? split.items : []).map((item) =>
    applyItem(result.mapping, payloadOf(body), { defaultRegion: 'BR', item }),
  );
  expect(events[0]?.problems.map(({ code }) => code)).toEqual(['path_failed', 'path_failed']);
  expect(events[1]?.contact.email).toBe('ana@example.com');
});
