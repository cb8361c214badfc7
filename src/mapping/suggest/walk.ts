/**
 * From payloads to leaves: every text and number with the names it goes by and the path that reads it.
 *
 * Promises: a leaf's path reads the same thing wherever the list around it is ordered otherwise; what a payload may
 * cost is bounded; samples of one kind give one set of leaves.
 */
import type { Scalar } from '../../domain/mapping.ts';
import { isScalar } from '../value.ts';
import { readName as reading } from './concepts.ts';
import type { Reading } from './concepts.ts';
import { saysOutward } from './filter.ts';
import { descend, entriesOf, isFields, isLabelKey, isValueKey } from './keyed.ts';
import type { Fields } from './keyed.ts';
import type { Leaf, Name } from './leaf.ts';
import { childOf, entryOf, equals, firstOf, joined, parentOf } from './path.ts';

const maxNodes = 20_000;
// Each leaf is weighed for each target; real payloads have at most some hundreds.
const maxLeaves = 2_500;
const maxDepth = 24;
const maxPoints = 10;
const maxNamesPerLeaf = 6;
const maxValueLength = 20_000;
const maxJsonLength = 50_000;

/** What is known while walking: the leaves so far, and what ids stand for. */
export interface Walk {
  readonly leaves: Map<string, Leaf>;
  readonly titles: ReadonlyMap<string, string>;
  readonly outside: boolean;
  /** What says who wrote, by its path. */
  readonly flags: Map<string, boolean[]>;
  nodes: number;
}

interface Place {
  readonly path: string;
  readonly keys: readonly string[];
  readonly trail: readonly Reading[];
  readonly listed: boolean;
  readonly primary: boolean;
  readonly labels: readonly string[];
  /** The object that counts as holding it, where that is not the nearest. */
  readonly owner: string | null;
  /** Where the text is that this was parsed from. */
  readonly text: string | null;
}

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

/** The object or list that a text is. */
function parse(text: string): unknown {
  if (text.length > maxJsonLength || !/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function visitFields(fields: Fields, place: Place, walk: Walk): void {
  if (arePairs(fields, place)) {
    for (const [key, pair] of Object.entries(fields)) {
      if (Array.isArray(pair)) visit(pair[1], within(place, key, '[1]'), walk);
    }
    return;
  }
  for (const [key, value] of Object.entries(fields)) {
    const segments = segmentsOf(key);
    if (segments !== null)
      visitSegments(value, { ...place, path: childOf(place.path, key) }, { segments, walk });
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

/** `fields[name][value]` as one key stands for three. */
function segmentsOf(key: string): string[] | null {
  if (/^[^[\]]+(?:\[[^[\]]*\])+$/.test(key))
    return key.split(/[[\]]+/).filter((part) => part !== '');
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(key)) return key.split('.');
  return /^[a-z\d]+(?:__[a-z\d_]+)+$/i.test(key) ? key.split('__') : null;
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

// What a field says of itself, beside its value.
const describes =
  /^(?:id|type|kind|title|label|name|nome|alias|key|code|ref|slug|group|required|raw_?value|normali[sz]ed_?value|versions|enum|currency\w*|unit|options|field|position|selected|placeholder|hidden|visible|optional|order|format|source\w*|timestamp|updated_?at)$/i;

/** `{ title, type, value }` is a field, whatever else it says of itself. */
const isWrapper = (value: unknown): value is Fields => isFields(value) && wrapped(value) !== null;

function wrapped(fields: Fields): string | null {
  const key = ['value', 'valor', 'answer', 'resposta'].find((each) => each in fields);
  if (key === undefined) return null;
  const value = fields[key];
  const others = Object.keys(fields).filter((each) => each !== key);
  if (others.length === 0 || !others.every((each) => describes.test(each))) return null;
  const isPlain =
    isScalar(value) || value === null || (Array.isArray(value) && value.every(isScalar));
  return isPlain ? key : null;
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

/** `{ type: 'email', email: … }`: the value stands under the name of its type. */
const isTyped = (fields: Fields): boolean =>
  typeof fields.type === 'string' &&
  fields.type !== 'type' &&
  Object.hasOwn(fields, fields.type) &&
  Object.keys(fields).every((each) => each === fields.type || describes.test(each));

function visitTyped(fields: Fields, place: Place, walk: Walk): void {
  const kind = String(fields.type);
  const found = descend(fields[kind], childOf('', kind), 0);
  if (found === null) return;
  const path = `${place.path}.${found.rest}`;
  const inner = { ...place, owner: parentOf(place.path), labels: kindName(kind) };
  if (isScalar(found.value)) emit(found.value, { ...inner, path }, walk);
  else emit(found.value.join(', '), { ...inner, path: joined(path) }, walk);
}

// What kind of input it is says something only where it names a kind of value.
const kindName = (kind: string): string[] =>
  ['phone', 'mobile', 'email', 'document'].some((each) =>
    reading(kind).concepts.has(each as 'phone'),
  ) || /^(?:textarea|long_?text|paragraph)$/i.test(kind)
    ? [kind]
    : [];

/** `{ name: ['before', 'after'] }` under a name that speaks of change. */
function arePairs(fields: Fields, { keys }: Place): boolean {
  const values = Object.values(fields);
  return (
    /updated|chang|diff|modif|alterad/i.test(keys.at(-1) ?? '') &&
    values.length > 0 &&
    values.every((each) => Array.isArray(each) && each.length === 2)
  );
}

function visitList(list: readonly unknown[], place: Place, walk: Walk): void {
  if (list.every(isScalar)) visitScalars(list, place, walk);
  else if (isPointList(place)) visitPoints(list, place, walk);
  else {
    const entries = entriesOf(list, walk.titles);
    if (entries === null)
      visit(list[0], { ...place, path: firstOf(place.path), listed: true }, walk);
    else visitEntries(entries, place, walk);
  }
}

function visitScalars(list: readonly Scalar[], place: Place, walk: Walk): void {
  const [first] = list;
  if (first === undefined) return;
  if (list.length === 1) visit(first, { ...place, path: firstOf(place.path) }, walk);
  else if (list.every((each) => typeof each === 'string')) {
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

const isPointList = ({ trail }: Place): boolean => {
  const own = trail.at(-1)?.concepts;
  return own !== undefined && (own.has('phone') || own.has('mobile') || own.has('email'));
};

const kinds = ['type', 'tipo', 'label', 'kind', 'categoria'];

/** Telephones and addresses of one person: the main one, then by their kinds, then the first. */
function visitPoints(list: readonly unknown[], place: Place, walk: Walk): void {
  const key = place.keys.at(-1) ?? '';
  for (const point of list.slice(0, maxPoints).filter(isFields)) {
    for (const [field, value] of Object.entries(point)) {
      const isMain = value === true && /primary|main|default|principal/i.test(field);
      const isKind = typeof value === 'string' && kinds.includes(reading(field).words.at(-1) ?? '');
      if (!isMain && !isKind) continue;
      const condition = equals(childOf('', field), value);
      for (const [rest, content] of Object.entries(point)) {
        if (!isScalar(content) || rest === field) continue;
        const path = entryOf(place.path, condition, childOf('', rest));
        const labels = isKind ? [`${key} ${value}`, key] : [key];
        emit(
          content,
          { ...place, path, labels, keys: [...place.keys, rest], primary: isMain },
          walk,
        );
      }
    }
  }
  const first = list[0];
  const inner = { ...place, path: firstOf(place.path), labels: [key] };
  if (isFields(first)) {
    for (const [field, value] of Object.entries(first)) {
      if (!isScalar(value)) continue;
      const path = childOf(inner.path, field);
      emit(
        value,
        { ...inner, path, keys: [...place.keys, field], listed: true, owner: inner.path },
        walk,
      );
    }
  } else visit(first, inner, walk);
}

function markDirection(value: boolean, { path, keys, text }: Place, { flags }: Walk): void {
  if (text === null && saysOutward(keys.at(-1) ?? ''))
    flags.set(path, [...(flags.get(path) ?? []), value]);
}

function emit(value: Scalar, place: Place, walk: Walk): void {
  if (typeof value === 'boolean') markDirection(value, place, walk);
  if (typeof value === 'boolean' || String(value).trim() === '') return;
  if (typeof value === 'string' && value.length > maxValueLength) return;
  const path = place.path === '' ? '@' : place.path;
  const { keys, trail, labels, listed, primary, owner, text } = place;
  const unique = text === null ? path : `${text} → ${path}`;
  const known = walk.leaves.get(unique);
  if (known !== undefined) {
    if (known.values.length < 20) known.values.push(value);
    return;
  }
  if (walk.leaves.size >= maxLeaves) return;
  // A key is part of the trail until it turns out to be the leaf's own.
  const own = keys.length > 0 ? trail.slice(0, -1) : trail;
  walk.leaves.set(unique, {
    path,
    text,
    outside: walk.outside,
    names: namesOf(keys, labels),
    trail: own,
    owner: `${text === null ? '' : `${text} → `}${owner ?? parentOf(path)}`,
    values: [value],
    depth: own.length,
    order: walk.leaves.size,
    answer: labels.length > 0 || isQuestion(keys.at(-1) ?? ''),
    listed,
    primary,
  });
}

// What people ask is written as people write.
const isQuestion = (key: string): boolean => /\?|\S\s+\S+\s+\S/.test(key);

const isSilent = (key: string): boolean => reading(key).concepts.size === 0;

const generic = new Set(
  (
    'name nome nombre id codigo code type tipo title titulo value valor first last full date time label source campaign ' +
    'origem origen uuid description descricao descripcion timestamp stamp given family middle number token'
  ).split(' '),
);

function namesOf(keys: readonly string[], labels: readonly string[]): Name[] {
  const names: Name[] = [];
  const add = (text: string, factor: number): void => {
    if (names.length < maxNamesPerLeaf) names.push({ reading: reading(text), factor, text });
  };
  for (const label of labels) add(label, 1);
  const own = keys.at(-1);
  const parent = keys.at(-2);
  if (own !== undefined) {
    add(own, 1);
    const { words } = reading(own);
    if (parent !== undefined && words.every((word) => generic.has(word)))
      add(`${parent} ${own}`, 1);
    if (parent !== undefined && words.length === 0) add(parent, 1);
    else if (parent !== undefined && isSilent(own) && reading(parent).concepts.has('message')) {
      add(parent, 0.8);
    }
  }
  return names;
}
