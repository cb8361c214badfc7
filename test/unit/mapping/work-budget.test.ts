/** The work for one event is bounded for every expression and payload. */
import { applyItem, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { mapItems } from '../../../src/mapping/evaluation/map-items.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import {
  createWorkBudget,
  WorkBudgetExceeded,
} from '../../../src/mapping/expressions/work-budget.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { maxWorkPerRequest, workOfItem } from '../../../src/mapping/work-limits.ts';
import { payloadOf } from './example-mapping.ts';
import { cpuMs } from '../../support/fixtures/cpu-ms.ts';

// About 0.2 s on an idle machine.
const longestMs = 3_000;

const run = (path: string, body: unknown) => {
  const result = compileMapping({ contact: { fields: { f: { path } } } });
  if (!result.ok) throw new Error(`${path}: ${JSON.stringify(result.problems)}`);
  const started = cpuMs();
  const event = applyItem(result.mapping, payloadOf(body), { defaultRegion: 'BR' });
  return { event, ms: cpuMs() - started };
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

const compiled = (document: unknown) => {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
};
const times = (count: number, part: string) => Array(count).fill(part).join('|');
const fieldsOf = (count: number, source: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, source]));

describe('the result of an expression counts as a tree, with every repetition of a part', () => {
  test.each([
    ['lists', times(38, '[@,@]')],
    ['objects', `[${times(20, '{a:@,b:@}')}]`],
    ['a few lists of many', `${times(10, '[@,@,@,@,@,@,@,@]')}`],
    ['a list of one large text many times', `${times(12, '[@,@,@,@]')}`],
  ])('items that repeat %s are not made', (_, split) => {
    const mapping = compiled({ split, eventId: { path: 'id' } });
    const result = splitItems(mapping, payloadOf({ id: 1, text: long }));
    expect(result).toMatchObject({ ok: false, failure: 'too_much_work:split' });
  });

  test.each([
    ['a field', { contact: { fields: { f: { path: times(38, '[@,@]') } } } }, 'contact.fields.f'],
    ['a label', { context: { labels: [{ path: times(38, '[@,@]') }] } }, 'context.labels.0'],
    ['the event id', { eventId: { path: times(38, '[@,@]') } }, 'eventId'],
    [
      'a part of a template',
      {
        message: {
          text: { path: 't', transforms: [{ template: { text: `{{${times(38, '[@,@]')}}}` } }] },
        },
      },
      'message.text',
    ],
    [
      'the path of a JSON text',
      { message: { text: { path: 'j', transforms: [{ json: { path: times(38, '[@,@]') } }] } } },
      'message.text',
    ],
    ['a text', { message: { text: { path: `t|${times(25, "join('',[@,@])")}` } } }, 'message.text'],
  ])('%s is not made, and the preview says why', (_, document, target) => {
    const mapping = compiled(document);
    const payload = payloadOf({ t: 'text', j: '{"a":1}' });
    const failure = `too_much_work:${target}`;
    expect(applyItem(mapping, payload, { defaultRegion: 'BR' }).failure).toBe(failure);
    const items = [...previewItems(mapping, payload, { defaultRegion: 'BR' })];
    expect(items[0]?.failure).toBe(failure);
    expect(JSON.stringify(items).length).toBeLessThan(20_000);
  });
});

describe('transforms of long lists are counted', () => {
  const list = (text: string) => Array<string>(1_000).fill(text);
  test.each<[string, unknown, string[]]>([
    ['phones', 'phone', list('1'.repeat(60))],
    ['dates', 'date', list('6 de janeiro de 2026 às 9h30')],
    ['dates by format', { date: { format: 'yyyy LLLL dd' } }, list('2026 January 06')],
    ['HTML', 'stripHtml', list('<p>x</p>')],
    ['texts that grow', { replace: { find: 'a', with: 'x'.repeat(1_000) } }, list('a'.repeat(60))],
    ['patterns', { replace: { pattern: '(a|aa|aaa)*b' } }, list('a'.repeat(1_000))],
    ['JSON', { json: { path: '@' } }, list(`[${'1,'.repeat(5_000)}1]`)],
  ])('%s', (_, transform, a) => {
    const source = { path: 'a', transforms: Array(4).fill(transform) };
    const mapping = compiled({ contact: { fields: fieldsOf(40, source) } });
    const event = applyItem(mapping, payloadOf({ a }), { defaultRegion: 'BR' });
    expect(event.failure).toMatch(/^too_much_work:/);
  });
});

test('a long text is no phone and no date, and costs no more than a short one', () => {
  const mapping = compiled({ contact: { phone: { path: 't' } }, eventDate: { path: 't' } });
  const event = applyItem(mapping, payloadOf({ t: long }), { defaultRegion: 'BR' });
  expect(event.failure).toBeNull();
  expect(event.problems.map(({ code }) => code).toSorted()).toEqual([
    'invalid_date',
    'invalid_phone',
  ]);
});

test('the texts that an event stores are counted', () => {
  const mapping = compiled({
    contact: { fields: fieldsOf(100, { path: 't' }) },
    context: { fields: fieldsOf(100, { path: 't' }) },
  });
  const event = applyItem(mapping, payloadOf({ t: 'x'.repeat(4_096) }), { defaultRegion: 'BR' });
  expect(event.failure).toMatch(/^too_much_work:context.fields/);
  const usual = applyItem(mapping, payloadOf({ t: 'x'.repeat(1_000) }), { defaultRegion: 'BR' });
  expect(usual.failure).toBeNull();
});

test('the problems of one event are bounded', () => {
  const mapping = compiled({ context: { labels: [{ path: 'a' }] } });
  const event = applyItem(mapping, payloadOf({ a: numbers.map((x) => ({ x })) }), {
    defaultRegion: 'BR',
  });
  expect(event.problems).toHaveLength(500);
});

test('the items of one body share a budget', () => {
  const mapping = compiled({ split: '@', contact: { name: { path: 'map(&map(&@, $), @)' } } });
  const payload = payloadOf(Array.from({ length: 1_000 }, () => numbers.slice(0, 40)));
  const budget = createWorkBudget(maxWorkPerRequest);
  const options = { defaultRegion: 'BR', tracing: false, budget };
  expect([...mapItems(mapping, payload, options)]).toHaveLength(1_000);
  expect(budget.remaining).toBeGreaterThan(0);
  expect(workOfItem(1_000) * 1_000).toBeLessThanOrEqual(maxWorkPerRequest);
  const small = createWorkBudget(500_000);
  expect(() => [...mapItems(mapping, payload, { ...options, budget: small })]).toThrow(
    WorkBudgetExceeded,
  );
});

describe('compiling a mapping is counted', () => {
  const withTransforms = (count: number, transform: unknown) => ({
    contact: { fields: fieldsOf(count / 20, { path: 'a', transforms: Array(20).fill(transform) }) },
  });
  test.each([
    ['patterns that are too large', { replace: { pattern: '(\\pL{30}){30}' } }],
    ['patterns with classes', { replace: { pattern: '(?i)\\pL\\pN\\pP' } }],
    ['nested repetitions', { replace: { pattern: '((a{31}){32})' } }],
    ['paths in templates', { template: { text: '{{a}}'.repeat(50) } }],
  ])('%s', (_, transform) => {
    const result = compileMapping(withTransforms(600, transform));
    expect(result).toMatchObject({ ok: false, problems: [{ path: '', kind: 'too_much_work' }] });
    expect(compileMapping(withTransforms(20, { replace: { pattern: '\\s+' } })).ok).toBe(true);
  });

  test('a pattern for every field is far within the bound', () => {
    const cpf = {
      replace: { pattern: '^(\\d{3})\\.?(\\d{3})\\.?(\\d{3})-?(\\d{2})$', with: '$1$2$3$4' },
    };
    const fields = fieldsOf(100, { path: 'a', transforms: [cpf] });
    expect(compileMapping({ contact: { fields } }).ok).toBe(true);
  });

  test('the errors of thousands of empty sources are not listed', () => {
    const first = Array(20).fill({ first: Array(20).fill({}) });
    const result = compileMapping({ contact: { fields: fieldsOf(100, { first }) } });
    expect(result).toMatchObject({ ok: false, problems: [{ path: '', kind: 'too_many_sources' }] });
  });
});
