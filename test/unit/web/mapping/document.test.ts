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
])(
  'what is written at %s is read there, and leaves nothing behind when it is cleared',
  (target) => {
    const written = writeTarget({}, target, a);
    expect(readTarget(written, target)).toEqual(a);
    expect(filledTargets(written)).toEqual([target]);
    expect(writeTarget(written, target, null)).toEqual({});
  },
);

test('a target beside others is written and cleared alone', () => {
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

test('labels move up when one of them goes', () => {
  const document: Document = { context: { labels: [a, b] } };
  expect(writeTarget(document, 'context.labels.0', null)).toEqual({ context: { labels: [b] } });
});

test('names that JavaScript knows are no targets', () => {
  expect(readTarget({ contact: { fields: {} } }, 'contact.fields.constructor')).toBeUndefined();
});

test('a field is renamed in its place', () => {
  const document: Document = { context: { fields: { x: a, y: b } } };
  const renamed = renameField(document, 'context.fields.x', 'z');
  expect(Object.entries(renamed.context?.fields ?? {})).toEqual([
    ['z', a],
    ['y', b],
  ]);
});

test('a new field takes a name that is free', () => {
  expect(newFieldFor(['City'], 'contact', 'City')).toBe('contact.fields.City 2');
  expect(newFieldFor([], 'context', ' \u0000 ')).toBe('context.fields.field');
});

test('another field keeps what is done to the value, but for the JSON that was opened', () => {
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

test('fields are joined one after the other, and what stands beside goes outside', () => {
  const first = assignSource({ ...a, default: 'x', transforms: ['trim'] }, b, 'join');
  expect(first).toEqual({ join: [{ ...a, transforms: ['trim'] }, b], default: 'x' });
  expect(assignSource(first, { path: 'c' }, 'join').join).toHaveLength(3);
  expect(assignSource(first, { path: 'c' }, 'first')).toEqual({
    first: [{ join: [{ ...a, transforms: ['trim'] }, b] }, { path: 'c' }],
    default: 'x',
  });
  expect(assignSource(first, { path: 'c' }, 1).join?.[1]).toEqual({ path: 'c' });
});

test('of two parts the one that is left stands alone', () => {
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

test('an empty default is none', () => {
  expect(withDefault({ ...a, default: 'x' }, '')).toEqual(a);
});

test('what was done is undone and done again; something new ends that', () => {
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
])('a refusal at %s is about %s', (pointer, target) => {
  expect(targetOfPointer(pointer)).toBe(target);
});

test('refusals stand together by target', () => {
  const refusals = errorsByTarget([
    { path: '/mapping/contact/phone/path', message: 'one' },
    { path: '/mapping/contact/phone', message: 'two' },
  ]);
  expect(refusals.get('contact.phone')?.map(({ message }) => message)).toEqual(['one', 'two']);
});

test('every group shows what the document has', () => {
  const document: Document = { context: { labels: [a], fields: { x: b } } };
  const [, , context] = groups;
  expect(context && targetsOf(document, context).slice(-2)).toEqual([
    'context.labels.0',
    'context.fields.x',
  ]);
});
