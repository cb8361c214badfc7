// A template writes fields into a text, and leaves parts out whose field is empty.
import { readPathsByTarget } from '../../../src/mapping/drift/read-paths.ts';
import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import {
  pathsOfTemplateText,
  replaceTemplatePaths,
} from '../../../src/mapping/transforms/template-text.ts';
import { payloadOf } from './example-mapping.ts';

const order = {
  id: 1029,
  total: 199.9,
  paid: false,
  note: null as string | null,
  items: [{ title: 'Shirt' }, { title: 'Cap' }],
  customer: { name: ' Ana ' },
};

function compiled(template: string) {
  const result = compileMapping({ message: { text: { template } } });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
}

const written = (template: string, body: object = order) =>
  applyItem(compiled(template), payloadOf(body), { defaultRegion: 'BR' }).message.text;

const problemsOf = (template: string) => {
  const result = compileMapping({ message: { text: { template } } });
  return result.ok ? [] : result.problems.map(({ kind, path }) => [kind, path]);
};

test.each<[string, string | null]>([
  ['Order {{id}}: {{ total }}', 'Order 1029: 199.9'],
  ['{{customer.name}} buys {{items[].title}}', 'Ana buys Shirt, Cap'],
  ['paid: {{paid}}', 'paid: false'],
  ['{{note || id}}', '1029'],
  ['{{customer}}{{id}}', '1029'],
  ['No field', 'No field'],
  ['Note: {{note}}', null],
  ['{{#if id}}only a condition{{/if}}', 'only a condition'],
  ['{{id}}{{#if note}}, note {{note}}{{/if}}', '1029'],
  ['{{id}}{{#if note}} a{{else}} b{{/if}}', '1029 b'],
  ['{{#if items}}{{#if paid}}paid{{else}}unpaid{{/if}} {{id}}{{/if}}', 'paid 1029'],
])('%j is %j', (template, text) => {
  expect(written(template)).toBe(text);
});

test.each([
  ['{{id}}\n{{#if note}}\nNote: {{note}}\n{{/if}}\nEnd', '1029\nEnd', '1029\nNote: Call\nEnd'],
  ['{{id}}\r\n  {{#if note}}  \r\n{{note}}\r\n{{/if}}', '1029', '1029\r\nCall'],
  ['{{#if note}}\n{{note}}\n{{else}}\nnone\n{{/if}}\n{{id}}', 'none\n1029', 'Call\n1029'],
  ['{{id}} {{#if note}}\n{{note}}{{/if}}', '1029', '1029 \nCall'],
  ['{{id}}\n{{#if note}}Note: {{note}}{{/if}}\nEnd', '1029\nEnd', '1029\nNote: Call\nEnd'],
  ['{{id}}\n\n{{#if note}}{{note}}{{/if}}', '1029', '1029\n\nCall'],
])(
  'a blank line on which a block begins or ends is left out: %j',
  (template, without, withNote) => {
    expect(written(template)).toBe(without);
    expect(written(template, { ...order, note: 'Call' })).toBe(withNote);
  },
);

test('a template without a value is empty, so that the default applies', () => {
  const source = { template: 'Note: {{note}}', default: 'New order' };
  const result = compileMapping({ message: { text: source } });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const read = applyItem(result.mapping, payloadOf(order), { defaultRegion: 'BR' });
  expect(read.message.text).toBe('New order');
});

test.each([
  ['{{id', 'template_brace'],
  ['{{#if id}}', 'template_block'],
  ['{{/if}}', 'template_block'],
  ['{{else}}', 'template_block'],
  ['{{#if id}}{{else}}{{else}}{{/if}}', 'template_block'],
  ['{{#if id}}'.repeat(9) + '{{/if}}'.repeat(9), 'template_block'],
  ['{{id}}'.repeat(51), 'template_too_long'],
  ['{{a..b}}', 'expression_syntax'],
  ['{{}}', 'expression_syntax'],
  ['x'.repeat(4_097), 'too_long'],
])('%.40j is rejected: %s', (template, kind) => {
  expect(problemsOf(template)).toEqual([[kind, '/message/text/template']]);
});

test.each(['{{id}}'.repeat(50), '{{#if id}}'.repeat(8) + '{{/if}}'.repeat(8)])(
  'the bounds are inside: %.40j',
  (template) => {
    expect(problemsOf(template)).toEqual([]);
  },
);

test('an event id takes no template', () => {
  const result = compileMapping({ eventId: { template: '{{id}}' } });
  expect(result.ok).toBe(false);
});

test('the work of a template is charged to the event', () => {
  const body = { list: Array.from({ length: 1_000 }, () => 'x'.repeat(60)) };
  const template = '{{list}}'.repeat(50);
  const items = [...previewItems(compiled(template), payloadOf(body), { defaultRegion: 'BR' })];
  expect(items[0]?.problems.map(({ code }) => code)).toEqual(['too_long']);
  const small = { list: Array.from({ length: 1_000 }, () => 'x') };
  expect(written('{{list}}', small)).toHaveLength(2_998);
});

test('the fields and conditions of a template count as read', () => {
  const reads = readPathsByTarget({
    message: { text: { template: '{{id}}{{#if note}}{{items[].title}}{{/if}}' } },
  });
  expect([...(reads.get('message.text') ?? [])]).toEqual(['id', 'note', 'items[*].title']);
});

test('paths are replaced as written', () => {
  const text = 'a {{ id }}{{#if note}}\n{{note}} {{else}}{{x}}{{/if}} }} {{open';
  expect(replaceTemplatePaths(text, (path) => (path === 'note' ? 'memo || note' : path))).toBe(
    'a {{ id }}{{#if memo || note}}\n{{memo || note}} {{else}}{{x}}{{/if}} }} {{open',
  );
  expect(pathsOfTemplateText('{{a}}{{#if b}}{{a}}{{/if}}')).toEqual(['a', 'b']);
  expect(pathsOfTemplateText('{{a')).toEqual([]);
});
