/** `|` is the cursor. */
import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { mappingSchemas } from '../../../../src/mapping/language/schema.ts';
import { completeWith } from '../../../../web/src/screens/expert/completion.ts';
import { cursorAt, rangeAt } from '../../../../web/src/screens/expert/json-position.ts';
import { wordOf, type Schemas } from '../../../../web/src/screens/expert/schema-lookup.ts';
import { diagnosticsIn } from '../../../../web/src/screens/expert/diagnostics.ts';

const schemas = mappingSchemas('#/components/schemas/') as Schemas;

function stateOf(text: string) {
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [json()] });
  ensureSyntaxTree(state, state.doc.length, 5_000);
  // A state keeps the tree that it was made with; the next one has the whole tree.
  return { state: state.update({}).state, cursor: text.indexOf('|') };
}

function offered(text: string): string[] {
  const { state, cursor } = stateOf(text);
  const complete = completeWith(() => ({
    schemas,
    paths: [{ path: 'lead.name', example: 'Ana' }],
    explain: () => undefined,
    transforms: new Map(),
  }));
  const result = complete(new CompletionContext(state, cursor, true));
  return result?.options.map(({ displayLabel, label }) => displayLabel ?? label) ?? [];
}

test("completion offers the schema's names, except existing ones", () => {
  expect(offered('{|}')).toEqual(expect.arrayContaining(['contact', 'message', 'split']));
  expect(offered('{ "message": {}, | }')).not.toContain('message');
  expect(offered('{ "contact": { "ph|" } }')).toContain('phone');
  expect(offered('{ "contact": { "fields": { "City": { | } } } }')).toContain('path');
  expect(offered('{ "contact": { "phone": { "first": [ { | } ] } } }')).toContain('transforms');
});

test('a default is not offered for the event id: many events would share one id', () => {
  expect(offered('{ "eventId": { | } }')).not.toContain('default');
  expect(offered('{ "eventType": { | } }')).toContain('default');
});

test('completion offers enumerated values: transforms, booleans, known paths', () => {
  const transforms = offered('{ "contact": { "name": { "transforms": [ | ] } } }');
  expect(transforms).toEqual(expect.arrayContaining(['trim', 'phone']));
  expect(offered('{ "contact": { "name": { "transforms": ["trim", "|"] } } }')).toContain('lower');
  expect(offered('{ "contact": { "name": { "required": | } } }')).toEqual(['true', 'false']);
  expect(offered('{ "contact": { "name": { "path": "|" } } }')).toEqual(['lead.name']);
  expect(offered('{ "contact": { "name": { "header": "|" } } }')).toEqual([]);
});

test('nothing is offered where nothing can be typed', () => {
  expect(offered('{ "contact": {} } |')).toEqual([]);
  expect(offered('|')).toEqual([]);
  const { state } = stateOf('{ "contact": { } x');
  expect(cursorAt(state, 0)).toBeNull();
});

test('a problem is shown at its pointer, or at the nearest existing node', () => {
  const { state } = stateOf('{ "contact": { "fields": { "a/b~c": { "path": "x" } } } }');
  const at = (pointer: string) => {
    const { from, to } = rangeAt(state, pointer);
    return state.sliceDoc(from, to);
  };
  expect(at('/contact/fields/a~1b~0c/path')).toBe('"path": "x"');
  expect(at('/contact/fields/gone/path')).toMatch(/^"fields"/);
  expect(at('')).toBe('{');
});

const messages = { notJson: 'no JSON', unknown: (name: string) => `unknown ${name}` };
const troubles = (text: string, problems: { path: string; message: string }[] = []) => {
  const { state } = stateOf(text);
  return diagnosticsIn(state, { problems, knowledge: { schemas }, messages }).map(
    ({ message, from, to }) => `${message}: ${state.sliceDoc(from, to)}`,
  );
};

test('JSON errors come first, then unknown parts and errors of the server', () => {
  expect(troubles('{ "contact": ')).toEqual([expect.stringMatching(/^no JSON/)]);
  expect(troubles('')).toEqual(['no JSON: ']);
  expect(troubles('{ "contct": {}, "contact": { "fields": { "any": { "pth": 1 } } } }')).toEqual([
    'unknown contct: "contct"',
    'unknown pth: "pth"',
  ]);
  const problem = { path: '/mapping/message/text', message: 'bad' };
  expect(troubles('{ "message": { "text": {} } }', [problem])).toEqual(['bad: "text": {}']);
});

test('without the schema no part is unknown', () => {
  const { state } = stateOf('{ "what": 1 }');
  expect(diagnosticsIn(state, { problems: [], knowledge: { schemas: {} }, messages })).toEqual([]);
});

test('parts have messages by position; custom names have none', () => {
  expect(wordOf(['contact', 'phone'])).toBe('contact.phone');
  expect(wordOf(['contact', 'phone', 'path'])).toBe('source.path');
  expect(wordOf(['contact', 'fields', 'path'])).toBeUndefined();
  expect(wordOf(['contact', 'phone', 'first', 0])).toBeUndefined();
});
