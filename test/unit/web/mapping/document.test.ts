import {
  recordChange,
  isChanged,
  redoChange,
  startHistory,
  undoChange,
} from '../../../../web/src/mapping/document/history.ts';
import { newFieldFor } from '../../../../web/src/mapping/document/new-field.ts';
import {
  errorsByTarget,
  targetOfPointer,
} from '../../../../web/src/mapping/document/save-errors.ts';
import type { Document, Source } from '../../../../web/src/mapping/document/mapping-document.ts';
import {
  assignSource,
  withDefault,
  withoutPart,
} from '../../../../web/src/mapping/document/source.ts';
import {
  filledTargets,
  groups,
  readTarget,
  renameField,
  targetsOf,
  writeTarget,
} from '../../../../web/src/mapping/document/targets.ts';

const a: Source = { path: 'a' };
const b: Source = { path: 'b' };

test.each([
  'eventId',
  'contact.phone',
  'contact.fields.my.own',
  'context.labels.0',
  'message.text',
])('a value written at %s is read there, and clearing it leaves nothing behind', (target) => {
  const written = writeTarget({}, target, a);
  expect(readTarget(written, target)).toEqual(a);
  expect(filledTargets(written)).toEqual([target]);
  expect(writeTarget(written, target, null)).toEqual({});
});

test('writing and clearing a target keeps the others', () => {
  const document: Document = { contact: { name: a, fields: { x: a, y: b } }, filter: 'z' };
  expect(writeTarget(document, 'contact.fields.x', null)).toEqual({
    contact: { name: a, fields: { y: b } },
    filter: 'z',
  });
  expect(Object.keys(writeTarget(document, 'contact.fields.x', b).contact?.fields ?? {})).toEqual([
    'x',
    'y',
  ]);
});

test('removing a label shifts the later ones', () => {
  const document: Document = { context: { labels: [a, b] } };
  expect(writeTarget(document, 'context.labels.0', null)).toEqual({ context: { labels: [b] } });
});

test('names of built-in properties are not targets', () => {
  expect(readTarget({ contact: { fields: {} } }, 'contact.fields.constructor')).toBeUndefined();
});

test('a field is renamed in place', () => {
  const document: Document = { context: { fields: { x: a, y: b } } };
  const renamed = renameField(document, 'context.fields.x', 'z');
  expect(Object.entries(renamed.context?.fields ?? {})).toEqual([
    ['z', a],
    ['y', b],
  ]);
});

test('a new field gets a free name', () => {
  expect(newFieldFor(['City'], 'contact', 'City')).toBe('contact.fields.City 2');
  expect(newFieldFor([], 'context', ' \u0000 ')).toBe('context.fields.field');
});

test('changing the field keeps the transforms, except JSON parsing', () => {
  const source: Source = {
    path: 'raw',
    transforms: [{ json: { path: 'x' } }, 'trim'],
    required: true,
  };
  expect(assignSource(source, b, 'replace')).toEqual({
    path: 'b',
    transforms: ['trim'],
    required: true,
  });
});

test('fields are joined in order, and options move to the combined source', () => {
  const first = assignSource({ ...a, default: 'x', transforms: ['trim'] }, b, 'join');
  expect(first).toEqual({ join: [{ ...a, transforms: ['trim'] }, b], default: 'x' });
  expect(assignSource(first, { path: 'c' }, 'join').join).toHaveLength(3);
  expect(assignSource(first, { path: 'c' }, 'first')).toEqual({
    first: [{ join: [{ ...a, transforms: ['trim'] }, b] }, { path: 'c' }],
    default: 'x',
  });
  expect(assignSource(first, { path: 'c' }, 1).join?.[1]).toEqual({ path: 'c' });
});

test('a single remaining part becomes the source', () => {
  const source: Source = {
    join: [{ ...a, transforms: ['trim'] }, b],
    with: '-',
    transforms: ['upper'],
    required: true,
  };
  expect(withoutPart(source, 1)).toEqual({
    path: 'a',
    transforms: ['trim', 'upper'],
    required: true,
  });
});

test('an empty default is removed', () => {
  expect(withDefault({ ...a, default: 'x' }, '')).toEqual(a);
});

test('changes are undone and redone; a new change clears the redo steps', () => {
  const start = startHistory({});
  const one = recordChange(start, { filter: 'a' });
  const two = recordChange(one, { filter: 'b' });
  expect(undoChange(two).now).toEqual({ filter: 'a' });
  expect(redoChange(undoChange(two)).now).toEqual({ filter: 'b' });
  expect(recordChange(undoChange(two), { filter: 'c' }).future).toEqual([]);
  expect(recordChange(one, { filter: 'a' })).toBe(one);
  expect(undoChange(start)).toEqual(start);
  expect(isChanged(two, {})).toBe(true);
  expect(isChanged(undoChange(one), {})).toBe(false);
});

test.each([
  ['/mapping/contact/phone/transforms/0/phone', 'contact.phone'],
  ['/contact/fields/a~1b~0c/path', 'contact.fields.a/b~c'],
  ['/mapping/context/labels/2', 'context.labels.2'],
  ['/mapping/eventId/join/0', 'eventId'],
  ['/mapping/split', 'split'],
  ['/mapping', ''],
  ['', ''],
])('the error at %s is about %s', (pointer, target) => {
  expect(targetOfPointer(pointer)).toBe(target);
});

test('errors are grouped by target', () => {
  const grouped = errorsByTarget([
    { path: '/mapping/contact/phone/path', message: 'one' },
    { path: '/mapping/contact/phone', message: 'two' },
  ]);
  expect(grouped.get('contact.phone')?.map(({ message }) => message)).toEqual(['one', 'two']);
});

test('every group lists the targets of the document', () => {
  const document: Document = { context: { labels: [a], fields: { x: b } } };
  const [, , context] = groups;
  expect(context && targetsOf(document, context).slice(-2)).toEqual([
    'context.labels.0',
    'context.fields.x',
  ]);
});
