/**
 * Collects the paths and types of a decoded body, written as a mapping would write them.
 *
 * Indexes become `[]`. An element with a name, such as `{ "code": "PHONE", "value": … }`, is written with a selector of that
 * name: `fields[?code=='PHONE'].value`. Keys that look like an e-mail address or a phone number become `*`.
 * Promises: the same body gives the same result; paths, depth, length and work are bounded.
 * Must never: throw, or keep a value of the body.
 */
import { isJsonObject, type JsonObject } from '../../base/json/json-values.ts';
import { seenTypes, type SeenType } from '../../domain/mappings/drift.ts';

const maxPaths = 500;
const maxDepth = 12;
const maxPathLength = 256;
// Keys and elements that are visited. Real payloads have up to about 1,500.
const maxVisited = 5_000;
const maxElements = 100;
const maxNameLength = 64;

type Visit = { readonly paths: Map<string, number>; isTruncated: boolean; left: number };

const bitOf = Object.fromEntries(seenTypes.map((type, i) => [type, 1 << i])) as Readonly<
  Record<SeenType, number>
>;

// Built for every set of bits, because it is read for each path of each event.
const typeSets = Array.from({ length: 1 << seenTypes.length }, (_, bits) =>
  seenTypes.filter((type) => (bits & bitOf[type]) !== 0),
);

export const decodeTypes = (bits: number): readonly SeenType[] => typeSets[bits] ?? [];

/** `paths`: by path, the types seen there as a set of bits; see `decodeTypes`. `isTruncated`: a bound left out a part. */
export function observeBody(body: unknown) {
  const visit: Visit = { paths: new Map(), isTruncated: false, left: maxVisited };
  visitValue(body, { path: '', depth: 0 }, visit);
  return { paths: visit.paths, isTruncated: visit.isTruncated };
}

type BodyPosition = { readonly path: string; readonly depth: number };

function visitValue(value: unknown, { path, depth }: BodyPosition, visit: Visit): void {
  // Listed once: the keys of an object with 50,000 take milliseconds.
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  const type = isJsonObject(value) ? (keys.length === 0 ? 'empty' : 'object') : typeOf(value);
  if (path !== '' && !addType(path, type, visit)) return;
  if (type !== 'object' && type !== 'array') return;
  if (depth === maxDepth) {
    visit.isTruncated = true;
    return;
  }
  const inner = { path, depth: depth + 1 };
  if (Array.isArray(value)) visitElements(value, inner, visit);
  else if (isJsonObject(value)) visitFields({ keys, fields: value }, inner, visit);
}

function visitElements(
  elements: readonly unknown[],
  { path, depth }: BodyPosition,
  visit: Visit,
): void {
  const length = Math.min(elements.length, maxElements);
  if (length < elements.length) visit.isTruncated = true;
  for (let i = 0; i < length && hasRoom(visit); i += 1) {
    visitValue(elements[i], { path: path + elementSuffix(elements[i]), depth }, visit);
  }
}

function visitFields(
  { keys, fields }: { keys: readonly string[]; fields: JsonObject },
  { path, depth }: BodyPosition,
  visit: Visit,
): void {
  for (const key of keys) {
    if (!hasRoom(visit)) return;
    const segment = pathSegment(key);
    visitValue(fields[key], { path: path === '' ? segment : `${path}.${segment}`, depth }, visit);
  }
}

function hasRoom(visit: Visit): boolean {
  visit.left -= 1;
  if (visit.left < 0) visit.isTruncated = true;
  return visit.left >= 0;
}

function addType(path: string, type: SeenType, visit: Visit): boolean {
  const known = visit.paths.get(path);
  if (known === undefined && (visit.paths.size === maxPaths || path.length > maxPathLength)) {
    visit.isTruncated = true;
    return false;
  }
  visit.paths.set(path, (known ?? 0) | bitOf[type]);
  return true;
}

function typeOf(value: unknown): SeenType {
  // Only short texts are trimmed, so that a long one is not scanned to its end.
  if (typeof value === 'string') {
    return value === '' || (value.length <= 1_024 && value.trim() === '') ? 'empty' : 'string';
  }
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) && value.length > 0 ? 'array' : 'empty';
}

/** Returns a key as JMESPath writes it; `*` for a key that looks like personal data. */
export function pathSegment(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return key;
  return isPersonal(key) ? '*' : JSON.stringify(key);
}

// E-mail addresses and phone numbers as keys identify people, and their number is unbounded.
const isPersonal = (text: string): boolean =>
  text.includes('@') || /^\+?[\d\s().-]{7,}$/.test(text);

/** Keys that hold the name of an element, the most specific first. */
export const elementNameKeys = ['code', 'key', 'slug', 'name', 'field', 'label', 'question', 'id'];
/** Keys that hold the value of a named element. An element without one of them is not named. */
const elementValueKeys = ['value', 'values', 'answer', 'answers'];

function elementSuffix(element: unknown): string {
  if (!isJsonObject(element)) return '[]';
  if (!elementValueKeys.some((name) => Object.hasOwn(element, name))) return '[]';
  for (const name of elementNameKeys) {
    const selector = Object.hasOwn(element, name) ? nameSelector(name, element[name]) : null;
    if (selector !== null) return selector;
  }
  return '[]';
}

/** Returns a selector such as `[?code=='PHONE']`; null for a value that cannot be a name. */
export function nameSelector(name: string, value: unknown): string | null {
  if (typeof value === 'number') return `[?${name}==\`${value}\`]`;
  if (typeof value !== 'string' || value === '' || value.length > maxNameLength) return null;
  if (/['`"\\[\]\p{Cc}]/u.test(value) || isPersonal(value)) return null;
  return `[?${name}=='${value}']`;
}
