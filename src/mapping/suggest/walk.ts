/**
 * From payloads to leaves: every text and number with the names it goes by and the path that reads it.
 *
 * Promises: a leaf's path reads the same thing wherever the list around it is ordered otherwise; what a payload may
 * cost is bounded; samples of one kind give one set of leaves.
 */
import type { Scalar } from '../../domain/mapping.ts';
import { isScalar } from '../value.ts';
import { readName as reading } from './concepts.ts';
import { emit } from './emit.ts';
import type { Place, Walk } from './emit.ts';
import {
  arePairs,
  isTyped,
  isWrapper,
  kindName,
  parse,
  partsOf,
  segmentsOf,
  wrapped,
} from './field.ts';
import { descend, entriesOf, isFields, isLabelKey, isValueKey } from './keyed.ts';
import type { Fields } from './keyed.ts';
import { childOf, entryOf, firstOf, joined, otherOf, parentOf } from './path.ts';
import { isPointList, visitPoints } from './points.ts';
import { otherSideOf } from './sides.ts';

const maxNodes = 20_000;
const maxDepth = 24;

/** Adds the leaves of one sample. `keys` are the names of what it stood in. */
export function collectLeaves(value: unknown, keys: readonly string[], walk: Walk): void {
  const trail = keys.map(reading);
  visit(
    value,
    { path: '', keys, trail, listed: false, primary: false, labels: [], owner: null, text: null },
    walk,
  );
}

function visit(value: unknown, place: Place, walk: Walk): void {
  walk.nodes += 1;
  if (walk.nodes > maxNodes || place.keys.length > maxDepth) return;
  const parsed = place.text === null && typeof value === 'string' ? parse(value) : null;
  if (parsed !== null) visit(parsed, { ...place, path: '', text: place.path }, walk);
  else if (isScalar(value)) emit(value, place, walk);
  else if (Array.isArray(value)) visitList(value, place, walk);
  else if (isFields(value)) visitFields(value, place, walk);
}

function visitFields(fields: Fields, place: Place, walk: Walk): void {
  if (arePairs(fields, place.keys)) {
    for (const [key, pair] of Object.entries(fields)) {
      if (Array.isArray(pair)) visit(pair[1], within(place, key, '[1]'), walk);
    }
    return;
  }
  for (const [key, value] of Object.entries(fields)) {
    const segments = segmentsOf(key);
    const parted = isFields(value) ? partsOf(value) : null;
    if (segments !== null)
      visitSegments(value, { ...place, path: childOf(place.path, key) }, { segments, walk });
    else if (parted !== null)
      visitParts(parted, { ...place, path: childOf(place.path, key) }, { key, walk });
    else if (isWrapper(value)) visitWrapper(value, within(place, key), walk);
    else if (isFields(value) && isTyped(value)) visitTyped(value, within(place, key), walk);
    else visit(value, within(place, key), walk);
  }
}

function within(place: Place, key: string, suffix = ''): Place {
  const trail = [...place.trail, reading(key)];
  const path = `${childOf(place.path, key)}${suffix}`;
  return { ...place, path, keys: [...place.keys, key], trail, labels: [] };
}

function visitSegments(
  value: unknown,
  place: Place,
  { segments, walk }: { segments: readonly string[]; walk: Walk },
): void {
  const kept = segments.filter((part, i) => i === 0 || !isValueKey(part));
  if (segments.some((part) => /^raw/i.test(part))) return;
  const keys = [...place.keys, ...kept];
  visit(value, { ...place, keys, trail: keys.map(reading), labels: [] }, walk);
}

/** The parts of a value, under the name of the field: its key, or what it is called where the key is a number. */
function visitParts(
  { key: valueKey, parts, name }: NonNullable<ReturnType<typeof partsOf>>,
  place: Place,
  { key, walk }: { key: string; walk: Walk },
): void {
  const called = reading(key).words.length === 0 ? (name ?? key) : key;
  const inner = within({ ...place, path: '' }, called);
  visit(parts, { ...inner, path: childOf(place.path, valueKey) }, walk);
}

function visitWrapper(fields: Fields, place: Place, walk: Walk): void {
  const key = wrapped(fields) ?? 'value';
  const labels = Object.entries(fields)
    .filter(([each, text]) => isLabelKey(each) && typeof text === 'string' && each !== key)
    .map(([, text]) => String(text));
  const kind = typeof fields.type === 'string' ? kindName(fields.type) : [];
  const inner = { path: childOf(place.path, key), owner: parentOf(place.path) };
  visit(fields[key], { ...place, ...inner, labels: [...labels, ...kind] }, walk);
}

function visitTyped(fields: Fields, place: Place, walk: Walk): void {
  const kind = String(fields.type);
  const found = descend(fields[kind], childOf('', kind), 0);
  if (found === null) return;
  const path = `${place.path}.${found.rest}`;
  const inner = { ...place, owner: parentOf(place.path), labels: kindName(kind) };
  if (isScalar(found.value)) emit(found.value, { ...inner, path }, walk);
  else emit(found.value.join(', '), { ...inner, path: joined(path) }, walk);
}

function visitList(list: readonly unknown[], place: Place, walk: Walk): void {
  if (list.every(isScalar)) visitScalars(list, place, walk);
  else if (isPointList(place)) visitPoints(list, place, walk);
  else {
    const entries = entriesOf(list, walk.titles);
    if (entries === null) visitFirst(list, place, walk);
    else visitEntries(entries, place, walk);
  }
}

/** Of several persons the first who is not of the receiver's side. */
function visitFirst(list: readonly unknown[], place: Place, walk: Walk): void {
  const others = otherSideOf(list);
  const path = others === null ? firstOf(place.path) : otherOf(place.path, others.flag);
  const first = others === null ? list[0] : others.first;
  if (first !== undefined) visit(first, { ...place, path, listed: true }, walk);
}

function visitScalars(list: readonly Scalar[], place: Place, walk: Walk): void {
  const [first] = list;
  if (first === undefined) return;
  // Of several numbers one is enough; of several texts each is part of the answer.
  if (list.length === 1 || isPointList(place)) {
    visit(first, { ...place, path: firstOf(place.path) }, walk);
  } else if (list.every((each) => typeof each === 'string')) {
    visit(list.slice(0, 50).join(', '), { ...place, path: joined(place.path), listed: true }, walk);
  }
}

function visitEntries(
  entries: NonNullable<ReturnType<typeof entriesOf>>,
  place: Place,
  walk: Walk,
): void {
  const own = place.trail.at(-1);
  const says = own?.concepts.has('actor') || own?.concepts.has('past');
  const trail = says ? place.trail : place.trail.slice(0, -1);
  for (const { condition, names, kind, rest, value } of entries) {
    walk.nodes += 1;
    const path = entryOf(place.path, condition, rest);
    const labels = [...names, ...(kind === null ? [] : kindName(kind))];
    const inner = { ...place, keys: [], trail, labels, owner: place.path };
    if (isScalar(value)) emit(value, { ...inner, path }, walk);
    else emit(value.join(', '), { ...inner, path: joined(path) }, walk);
  }
}
