/**
 * Collects the leaves of sample payloads: every text and number with its names and its path.
 *
 * Promises: the path of a leaf reads the same value when lists are ordered differently; the work for a payload is bounded;
 * samples of the same structure give one set of leaves.
 */
import { isJsonObject, type JsonObject } from '../../src/base/json/json-values.ts';
import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName, hasConcept } from '../names/concepts.ts';
import { addLeaf, type WalkPosition, type PayloadWalk } from './add-leaf.ts';
import {
  areBeforeAfterPairs,
  isElementText,
  isTypedField,
  isFieldObject,
  inputKindLabels,
  parseJsonText,
  namedParts,
  splitKey,
  fieldValueKey,
} from './field-object.ts';
import { firstScalar, keyedEntries, isLabelKey, isValueKey, xmlText } from './keyed-list.ts';
import { childPath, entryPath, firstElementPath, joinPath, parentPath } from './jmespath.ts';
import { isContactPointList, visitContactPoints } from './contact-points.ts';
import { findOtherPerson } from './other-person.ts';

const maxNodes = 20_000;
const maxDepth = 24;
// Every leaf is read for every target, and a payload of 100 kB may have hundreds of records by their ids.
const maxOfShape = 20;

/** Adds the leaves of one sample. `keys` are the keys of its containers. */
export function collectLeaves(value: unknown, keys: readonly string[], walk: PayloadWalk): void {
  const trail = keys.map(readName);
  visit(
    value,
    { path: '', keys, trail, listed: false, primary: false, labels: [], owner: null, text: null },
    walk,
  );
}

function visit(value: unknown, position: WalkPosition, walk: PayloadWalk): void {
  walk.nodes += 1;
  if (walk.nodes > maxNodes || position.keys.length > maxDepth) return;
  const parsed = position.text === null && typeof value === 'string' ? parseJsonText(value) : null;
  if (parsed !== null) visit(parsed, { ...position, path: '', text: position.path }, walk);
  else if (isScalar(value)) addLeaf(value, position, walk);
  else if (Array.isArray(value)) visitList(value, position, walk);
  else if (isJsonObject(value)) visitFields(value, position, walk);
}

function visitFields(fields: JsonObject, position: WalkPosition, walk: PayloadWalk): void {
  if (areBeforeAfterPairs(fields, position.keys)) {
    for (const [key, pair] of Object.entries(fields)) {
      if (Array.isArray(pair)) visit(pair[1], within(position, key, '[1]'), walk);
    }
    return;
  }
  const isRepeated = countShapes();
  for (const [key, value] of Object.entries(fields)) {
    if (isJsonObject(value) && isRepeated(value)) continue;
    const segments = splitKey(key);
    const parted = isJsonObject(value) ? namedParts(value) : null;
    if (segments !== null)
      visitSegments(
        value,
        { ...position, path: childPath(position.path, key) },
        { segments, walk },
      );
    else if (parted !== null)
      visitParts(parted, { ...position, path: childPath(position.path, key) }, { key, walk });
    else if (isFieldObject(value)) visitWrapper(value, within(position, key), walk);
    else if (isJsonObject(value) && isElementText(value))
      visitElement(value, within(position, key), walk);
    else if (isJsonObject(value) && isTypedField(value))
      visitTyped(value, within(position, key), walk);
    else visit(value, within(position, key), walk);
  }
}

/** Returns a function that tells whether more than 20 objects with the same keys came before: a record by id, as in a list. */
function countShapes(): (value: JsonObject) => boolean {
  const counts = new Map<string, number>();
  return (value) => {
    const shape = Object.keys(value).join('\n');
    const count = counts.get(shape) ?? 0;
    counts.set(shape, count + 1);
    return count >= maxOfShape;
  };
}

function within(position: WalkPosition, key: string, suffix = ''): WalkPosition {
  const trail = [...position.trail, readName(key)];
  const path = `${childPath(position.path, key)}${suffix}`;
  return { ...position, path, keys: [...position.keys, key], trail, labels: [] };
}

function visitSegments(
  value: unknown,
  position: WalkPosition,
  { segments, walk }: { segments: readonly string[]; walk: PayloadWalk },
): void {
  const kept = segments.filter((part, i) => i === 0 || !isValueKey(part));
  if (segments.some((part) => /^raw/i.test(part))) return;
  const keys = [...position.keys, ...kept];
  visit(value, { ...position, keys, trail: keys.map(readName), labels: [] }, walk);
}

/** Visits the parts of a value under the name of the field: its key, or its label when the key has no words. */
function visitParts(
  { key: valueKey, parts, name }: NonNullable<ReturnType<typeof namedParts>>,
  position: WalkPosition,
  { key, walk }: { key: string; walk: PayloadWalk },
): void {
  const fieldName = readName(key).words.length === 0 ? (name ?? key) : key;
  const inner = within({ ...position, path: '' }, fieldName);
  visit(parts, { ...inner, path: childPath(position.path, valueKey) }, walk);
}

function visitWrapper(fields: JsonObject, position: WalkPosition, walk: PayloadWalk): void {
  const key = fieldValueKey(fields) ?? 'value';
  const labels = Object.entries(fields)
    .filter(([each, text]) => isLabelKey(each) && typeof text === 'string' && each !== key)
    .map(([, text]) => String(text));
  const kind = typeof fields.type === 'string' ? inputKindLabels(fields.type) : [];
  const inner = { path: childPath(position.path, key), owner: parentPath(position.path) };
  visit(fields[key], { ...position, ...inner, labels: [...labels, ...kind] }, walk);
}

/** The text of an XML element has the name of the element. Its attributes are fields of it. */
function visitElement(fields: JsonObject, position: WalkPosition, walk: PayloadWalk): void {
  const { [xmlText]: text, ...attributes } = fields;
  const own = { path: childPath(position.path, xmlText), owner: parentPath(position.path) };
  visit(text, { ...position, ...own }, walk);
  for (const [key, value] of Object.entries(attributes)) visit(value, within(position, key), walk);
}

function visitTyped(fields: JsonObject, position: WalkPosition, walk: PayloadWalk): void {
  const kind = String(fields.type);
  const found = firstScalar(fields[kind], childPath('', kind), 0);
  if (found === null) return;
  const path = `${position.path}.${found.rest}`;
  const inner = { ...position, owner: parentPath(position.path), labels: inputKindLabels(kind) };
  if (isScalar(found.value)) addLeaf(found.value, { ...inner, path }, walk);
  else addLeaf(found.value.join(', '), { ...inner, path: joinPath(path) }, walk);
}

function visitList(list: readonly unknown[], position: WalkPosition, walk: PayloadWalk): void {
  if (list.every(isScalar)) visitScalars(list, position, walk);
  else if (isContactPointList(position)) visitContactPoints(list, position, walk);
  else {
    const entries = keyedEntries(list, walk.titles);
    if (entries === null) visitFirst(list, position, walk);
    else visitEntries(entries, position, walk);
  }
}

/** Visits the first element, or the first person who is not one of the receiver's own. */
function visitFirst(list: readonly unknown[], position: WalkPosition, walk: PayloadWalk): void {
  const other = findOtherPerson(list);
  const path = other === null ? firstElementPath(position.path) : other.pathIn(position.path);
  const first = other === null ? list[0] : other.first;
  if (first !== undefined) visit(first, { ...position, path, listed: true }, walk);
}

function visitScalars(list: readonly Scalar[], position: WalkPosition, walk: PayloadWalk): void {
  const [first] = list;
  if (first === undefined) return;
  // Of several contact points or given names the first is read; several texts are one answer.
  const isFirst = hasConcept(position.trail.at(-1), 'firstName') || isContactPointList(position);
  if (list.length === 1 || isFirst || isGivenName(position)) {
    visit(first, { ...position, path: firstElementPath(position.path) }, walk);
  } else if (list.every((each) => typeof each === 'string')) {
    visit(
      list.slice(0, 50).join(', '),
      { ...position, path: joinPath(position.path), listed: true },
      walk,
    );
  }
}

/** `name: [{ given: ['Ana', 'M.'] }]` */
const isGivenName = ({ keys }: WalkPosition): boolean => /^given$/i.test(keys.at(-1) ?? '');

function visitEntries(
  entries: NonNullable<ReturnType<typeof keyedEntries>>,
  position: WalkPosition,
  walk: PayloadWalk,
): void {
  const namesOther = hasConcept(position.trail.at(-1), 'actor', 'past');
  const trail = namesOther ? position.trail : position.trail.slice(0, -1);
  const key = position.keys.at(-1) ?? '';
  for (const { condition, names, kind, rest, value } of entries) {
    walk.nodes += 1;
    const path = entryPath(position.path, condition, rest);
    // `<name part="first">`: an attribute says which of the elements it is.
    const parts = rest === childPath('', xmlText) ? names.map((name) => `${key} ${name}`) : [];
    const labels = [...parts, ...names, ...(kind === null ? [] : inputKindLabels(kind))];
    const inner = { ...position, keys: [], trail, labels, owner: position.path };
    if (isScalar(value)) addLeaf(value, { ...inner, path }, walk);
    else addLeaf(value.join(', '), { ...inner, path: joinPath(path) }, walk);
  }
}
