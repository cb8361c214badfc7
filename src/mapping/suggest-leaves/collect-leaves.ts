/**
 * From payloads to leaves: every text and number with the names it goes by and the path that reads it.
 *
 * Promises: a leaf's path reads the same thing wherever the list around it is ordered otherwise; what a payload may
 * cost is bounded; samples of one kind give one set of leaves.
 */
import type { Scalar } from '../../domain/mappings/mapping.ts';
import { isScalar } from '../value.ts';
import { readName as reading } from '../suggest-names/concepts.ts';
import { addLeaf } from './add-leaf.ts';
import type { WalkPosition, PayloadWalk } from './add-leaf.ts';
import {
  areBeforeAfterPairs,
  isTypedField,
  isFieldObject,
  inputKindLabels,
  parseJsonText,
  namedParts,
  splitKey,
  fieldValueKey,
} from './field-object.ts';
import { firstScalar, keyedEntries, isJsonObject, isLabelKey, isValueKey } from './keyed-list.ts';
import type { JsonObject } from './keyed-list.ts';
import {
  childPath,
  entryPath,
  firstElementPath,
  joinPath,
  unflaggedElementPath,
  parentPath,
} from './jmespath.ts';
import { isContactPointList, visitContactPoints } from './contact-points.ts';
import { findHostFlag } from './host-flag.ts';

const maxNodes = 20_000;
const maxDepth = 24;

/** Adds the leaves of one sample. `keys` are the names of what it stood in. */
export function collectLeaves(value: unknown, keys: readonly string[], walk: PayloadWalk): void {
  const trail = keys.map(reading);
  visit(
    value,
    { path: '', keys, trail, listed: false, primary: false, labels: [], owner: null, text: null },
    walk,
  );
}

function visit(value: unknown, place: WalkPosition, walk: PayloadWalk): void {
  walk.nodes += 1;
  if (walk.nodes > maxNodes || place.keys.length > maxDepth) return;
  const parsed = place.text === null && typeof value === 'string' ? parseJsonText(value) : null;
  if (parsed !== null) visit(parsed, { ...place, path: '', text: place.path }, walk);
  else if (isScalar(value)) addLeaf(value, place, walk);
  else if (Array.isArray(value)) visitList(value, place, walk);
  else if (isJsonObject(value)) visitFields(value, place, walk);
}

function visitFields(fields: JsonObject, place: WalkPosition, walk: PayloadWalk): void {
  if (areBeforeAfterPairs(fields, place.keys)) {
    for (const [key, pair] of Object.entries(fields)) {
      if (Array.isArray(pair)) visit(pair[1], within(place, key, '[1]'), walk);
    }
    return;
  }
  for (const [key, value] of Object.entries(fields)) {
    const segments = splitKey(key);
    const parted = isJsonObject(value) ? namedParts(value) : null;
    if (segments !== null)
      visitSegments(value, { ...place, path: childPath(place.path, key) }, { segments, walk });
    else if (parted !== null)
      visitParts(parted, { ...place, path: childPath(place.path, key) }, { key, walk });
    else if (isFieldObject(value)) visitWrapper(value, within(place, key), walk);
    else if (isJsonObject(value) && isTypedField(value))
      visitTyped(value, within(place, key), walk);
    else visit(value, within(place, key), walk);
  }
}

function within(place: WalkPosition, key: string, suffix = ''): WalkPosition {
  const trail = [...place.trail, reading(key)];
  const path = `${childPath(place.path, key)}${suffix}`;
  return { ...place, path, keys: [...place.keys, key], trail, labels: [] };
}

function visitSegments(
  value: unknown,
  place: WalkPosition,
  { segments, walk }: { segments: readonly string[]; walk: PayloadWalk },
): void {
  const kept = segments.filter((part, i) => i === 0 || !isValueKey(part));
  if (segments.some((part) => /^raw/i.test(part))) return;
  const keys = [...place.keys, ...kept];
  visit(value, { ...place, keys, trail: keys.map(reading), labels: [] }, walk);
}

/** The parts of a value, under the name of the field: its key, or what it is called where the key is a number. */
function visitParts(
  { key: valueKey, parts, name }: NonNullable<ReturnType<typeof namedParts>>,
  place: WalkPosition,
  { key, walk }: { key: string; walk: PayloadWalk },
): void {
  const called = reading(key).words.length === 0 ? (name ?? key) : key;
  const inner = within({ ...place, path: '' }, called);
  visit(parts, { ...inner, path: childPath(place.path, valueKey) }, walk);
}

function visitWrapper(fields: JsonObject, place: WalkPosition, walk: PayloadWalk): void {
  const key = fieldValueKey(fields) ?? 'value';
  const labels = Object.entries(fields)
    .filter(([each, text]) => isLabelKey(each) && typeof text === 'string' && each !== key)
    .map(([, text]) => String(text));
  const kind = typeof fields.type === 'string' ? inputKindLabels(fields.type) : [];
  const inner = { path: childPath(place.path, key), owner: parentPath(place.path) };
  visit(fields[key], { ...place, ...inner, labels: [...labels, ...kind] }, walk);
}

function visitTyped(fields: JsonObject, place: WalkPosition, walk: PayloadWalk): void {
  const kind = String(fields.type);
  const found = firstScalar(fields[kind], childPath('', kind), 0);
  if (found === null) return;
  const path = `${place.path}.${found.rest}`;
  const inner = { ...place, owner: parentPath(place.path), labels: inputKindLabels(kind) };
  if (isScalar(found.value)) addLeaf(found.value, { ...inner, path }, walk);
  else addLeaf(found.value.join(', '), { ...inner, path: joinPath(path) }, walk);
}

function visitList(list: readonly unknown[], place: WalkPosition, walk: PayloadWalk): void {
  if (list.every(isScalar)) visitScalars(list, place, walk);
  else if (isContactPointList(place)) visitContactPoints(list, place, walk);
  else {
    const entries = keyedEntries(list, walk.titles);
    if (entries === null) visitFirst(list, place, walk);
    else visitEntries(entries, place, walk);
  }
}

/** Of several persons the first who is not of the receiver's side. */
function visitFirst(list: readonly unknown[], place: WalkPosition, walk: PayloadWalk): void {
  const others = findHostFlag(list);
  const path =
    others === null ? firstElementPath(place.path) : unflaggedElementPath(place.path, others.flag);
  const first = others === null ? list[0] : others.first;
  if (first !== undefined) visit(first, { ...place, path, listed: true }, walk);
}

function visitScalars(list: readonly Scalar[], place: WalkPosition, walk: PayloadWalk): void {
  const [first] = list;
  if (first === undefined) return;
  // Of several numbers one is enough; of several texts each is part of the answer.
  if (list.length === 1 || isContactPointList(place)) {
    visit(first, { ...place, path: firstElementPath(place.path) }, walk);
  } else if (list.every((each) => typeof each === 'string')) {
    visit(
      list.slice(0, 50).join(', '),
      { ...place, path: joinPath(place.path), listed: true },
      walk,
    );
  }
}

function visitEntries(
  entries: NonNullable<ReturnType<typeof keyedEntries>>,
  place: WalkPosition,
  walk: PayloadWalk,
): void {
  const own = place.trail.at(-1);
  const says = own?.concepts.has('actor') || own?.concepts.has('past');
  const trail = says ? place.trail : place.trail.slice(0, -1);
  for (const { condition, names, kind, rest, value } of entries) {
    walk.nodes += 1;
    const path = entryPath(place.path, condition, rest);
    const labels = [...names, ...(kind === null ? [] : inputKindLabels(kind))];
    const inner = { ...place, keys: [], trail, labels, owner: place.path };
    if (isScalar(value)) addLeaf(value, { ...inner, path }, walk);
    else addLeaf(value.join(', '), { ...inner, path: joinPath(path) }, walk);
  }
}
