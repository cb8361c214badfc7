// The tags of a template: found, paired, made optional, and converted from other sources.
import fc from 'fast-check';
import { assignSource } from '../../../../web/src/mapping/document/source.ts';
import {
  pathsIn,
  tagsIn,
  textWith,
  toggleOptional,
  toTemplate,
  unpairedTags,
  withField,
} from '../../../../web/src/mapping/document/template.ts';
import { locationsOf } from '../../../../web/src/mapping/fields/field-search.ts';

test('tags are found with their positions', () => {
  expect(tagsIn('a {{ b.c }}{{#if d}}{{else}}{{/if}} {{open')).toEqual([
    { kind: 'field', path: 'b.c', from: 2, to: 11 },
    { kind: 'if', path: 'd', from: 11, to: 20 },
    { kind: 'else', path: '', from: 20, to: 28 },
    { kind: 'end', path: '', from: 28, to: 35 },
  ]);
  expect(pathsIn('{{a}}{{#if b}}{{a}}{{/if}}')).toEqual(['a', 'b']);
  expect(textWith('{{a}}{{#if b}}: {{b}}{{/if}}', (path) => `<${path}>`)).toBe('<a>: <b>');
});

test.each([
  ['{{#if a}}{{/if}}', 0],
  ['{{#if a}}', 1],
  ['{{/if}}{{else}}', 2],
  ['{{#if a}}{{#if b}}{{else}}{{/if}}', 1],
])('the partners that %j lacks', (text, count) => {
  expect(unpairedTags(text)).toHaveLength(count);
});

const at = (text: string, marked: string) => {
  const from = text.indexOf(marked);
  return { from, to: from + marked.length };
};

test('a line becomes optional by its first field, and permanent again', () => {
  const text = 'Order {{id}}\nNote: {{note}}';
  const caret = { from: text.length, to: text.length };
  const optional = toggleOptional(text, caret);
  expect(optional).toEqual({
    isOptional: false,
    text: 'Order {{id}}\n{{#if note}}Note: {{note}}{{/if}}',
  });
  const back = toggleOptional(optional?.text ?? '', caret);
  expect(back).toEqual({ isOptional: true, text });
});

test.each([
  ['{{a}}, {{b}}', ', {{b}}', '{{a}}{{#if b}}, {{b}}{{/if}}'],
  ['{{#if a}}{{a}} and {{b}}{{/if}}', ' and {{b}}', '{{a}} and {{b}}'],
  ['{{#if a}}{{a}}{{else}}none{{/if}}', '{{a}}', '{{a}}'],
  ['no field\n{{a}}', 'no field', null],
  ['{{a}} {{#if b}}{{b}}{{/if}}', '{{a}} {{#if b}}', null],
])('%j with %j selected becomes %j', (text, selected, expected) => {
  expect(toggleOptional(text, at(text, selected))?.text ?? null).toBe(expected);
});

test('toggling any selection keeps the tags in pairs', () => {
  const piece = fc.constantFrom(
    '{{a}}',
    ' b ',
    '\n',
    '{{#if c}}{{c}}{{/if}}',
    '{{#if d}}',
    '{{/if}}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(), fc.nat(), (pieces, one, other) => {
      const text = pieces.join('');
      fc.pre(unpairedTags(text).length === 0);
      const ends = [0, ...tagsIn(text).flatMap(({ from, to }) => [from, to]), text.length];
      const [from = 0, to = 0] = [one, other]
        .map((n) => ends[n % ends.length] ?? 0)
        .toSorted((a, b) => a - b);
      const toggled = toggleOptional(text, { from, to });
      expect(unpairedTags(toggled?.text ?? '')).toEqual([]);
    }),
  );
});

test.each([
  [{ path: 'a.b' }, { template: '{{a.b}}' }],
  [
    { first: [{ path: 'a' }, { path: 'b' }], default: 'x' },
    { template: '{{a || b}}', default: 'x' },
  ],
  [{ join: [{ path: 'a' }, { const: 'and' }, { path: 'b' }] }, { template: '{{a}} and {{b}}' }],
  [{ join: [{ path: 'a' }, { path: 'b' }], with: '\n' }, { template: '{{a}}\n{{b}}' }],
  [
    { path: 'html', transforms: ['stripHtml'], required: true },
    { template: '{{html}}', transforms: ['stripHtml'], required: true },
  ],
  [{ const: 'New lead' }, { template: 'New lead' }],
  [{ path: 'a', root: true }, null],
  [{ header: 'x-a' }, null],
  [{ join: [{ path: 'a', transforms: ['upper'] }] }, null],
])('%j as a template is %j', (source, expected) => {
  expect(toTemplate(source)).toEqual(expected);
});

test('a field is appended to a template, and counts as used', () => {
  const source = { template: 'Order' };
  expect(assignSource(source, { path: 'id' }, 'insert')).toEqual({ template: 'Order {{id}}' });
  expect(assignSource(source, { header: 'x' }, 'insert')).toBe(source);
  expect(assignSource(source, { path: 'id' }, 'replace')).toEqual({ path: 'id' });
  expect(withField({ path: 'a' }, { path: 'b' })).toBeNull();
  expect(locationsOf({ template: '{{a}}{{#if b}}{{/if}}' })).toEqual([
    ...locationsOf({ path: 'a' }),
    ...locationsOf({ path: 'b' }),
  ]);
});
