/**
 * The paths and types of a decoded body, as a mapping would name them.
 *
 * Indexes are folded to `[]`. An element that names itself, such as `{ "code": "PHONE", "value": … }`, is folded by
 * that name instead: `fields[?code=='PHONE'].value`. Names that look like somebody's address or number are folded away.
 * Promises: the same body gives the same picture; bounded in paths, depth, length and work.
 * Must never: throw, whatever the body, or keep a value of it.
 */
import { seenTypes, type SeenType } from '../../domain/mappings/drift.ts';

export const maxPaths = 500;
export const maxDepth = 12;
export const maxPathLength = 256;
// Keys and elements that are looked at; real payloads have up to about 1,500.
const maxVisited = 5_000;
const maxElements = 100;
const maxNameLength = 64;

export type BodyObservation = {
  /** By path, the types seen there: a set of bits, see `typesOf`. */
  readonly paths: ReadonlyMap<string, number>;
  /** Whether a bound cut the picture. */
  readonly isCut: boolean;
};

type Seen = { readonly paths: Map<string, number>; isCut: boolean; left: number };

const bitOf = Object.fromEntries(seenTypes.map((type, i) => [type, 1 << i])) as Readonly<
  Record<SeenType, number>
>;

// For every set of bits, since this is asked for each path of each event.
const typeSets = Array.from({ length: 1 << seenTypes.length }, (_, bits) =>
  seenTypes.filter((type) => (bits & bitOf[type]) !== 0),
);

export const decodeTypes = (bits: number): readonly SeenType[] => typeSets[bits] ?? [];

export function observeBody(body: unknown): BodyObservation {
  const seen: Seen = { paths: new Map(), isCut: false, left: maxVisited };
  look(body, { path: '', depth: 0 }, seen);
  return { paths: seen.paths, isCut: seen.isCut };
}

type Place = { readonly path: string; readonly depth: number };

function look(value: unknown, { path, depth }: Place, seen: Seen): void {
  // Asked once: of an object with 50,000 keys it takes milliseconds.
  const keys = isFields(value) ? Object.keys(value) : [];
  const type = isFields(value) ? (keys.length === 0 ? 'empty' : 'object') : typeOf(value);
  if (path !== '' && !note(path, type, seen)) return;
  if (type !== 'object' && type !== 'array') return;
  if (depth === maxDepth) {
    seen.isCut = true;
    return;
  }
  const inner = { path, depth: depth + 1 };
  if (Array.isArray(value)) lookAtElements(value, inner, seen);
  else if (isFields(value)) lookAtFields({ keys, fields: value }, inner, seen);
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function lookAtElements(elements: readonly unknown[], { path, depth }: Place, seen: Seen): void {
  const length = Math.min(elements.length, maxElements);
  if (length < elements.length) seen.isCut = true;
  for (let i = 0; i < length && hasRoom(seen); i += 1) {
    look(elements[i], { path: path + foldOf(elements[i]), depth }, seen);
  }
}

function lookAtFields(
  { keys, fields }: { keys: readonly string[]; fields: Fields },
  { path, depth }: Place,
  seen: Seen,
): void {
  for (const key of keys) {
    if (!hasRoom(seen)) return;
    const segment = pathSegment(key);
    look(fields[key], { path: path === '' ? segment : `${path}.${segment}`, depth }, seen);
  }
}

function hasRoom(seen: Seen): boolean {
  seen.left -= 1;
  if (seen.left < 0) seen.isCut = true;
  return seen.left >= 0;
}

function note(path: string, type: SeenType, seen: Seen): boolean {
  const known = seen.paths.get(path);
  if (known === undefined && (seen.paths.size === maxPaths || path.length > maxPathLength)) {
    seen.isCut = true;
    return false;
  }
  seen.paths.set(path, (known ?? 0) | bitOf[type]);
  return true;
}

function typeOf(value: unknown): SeenType {
  // A long text that begins with blanks is not searched to its end.
  if (typeof value === 'string') {
    return value === '' || (value.length <= 1_024 && value.trim() === '') ? 'empty' : 'string';
  }
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) && value.length > 0 ? 'array' : 'empty';
}

/** A field's name as JMESPath writes it. */
export function pathSegment(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) return key;
  return isPersonal(key) ? '*' : JSON.stringify(key);
}

// Addresses and phone numbers used as keys name people, and there is no end of them.
const isPersonal = (text: string): boolean =>
  text.includes('@') || /^\+?[\d\s().-]{7,}$/.test(text);

/** What elements of keyed lists are named by, most telling first, and what beside it makes the list a keyed one. */
export const elementNameKeys = ['code', 'key', 'slug', 'name', 'field', 'label', 'question', 'id'];
const elementValues = ['value', 'values', 'answer', 'answers'];

function foldOf(element: unknown): string {
  if (!isFields(element)) return '[]';
  if (!elementValues.some((name) => Object.hasOwn(element, name))) return '[]';
  for (const name of elementNameKeys) {
    const fold = Object.hasOwn(element, name) ? nameSelector(name, element[name]) : null;
    if (fold !== null) return fold;
  }
  return '[]';
}

/** `[?code=='PHONE']`; null for a value that is no name. */
export function nameSelector(name: string, value: unknown): string | null {
  if (typeof value === 'number') return `[?${name}==\`${value}\`]`;
  if (typeof value !== 'string' || value === '' || value.length > maxNameLength) return null;
  if (/['`"\\[\]\p{Cc}]/u.test(value) || isPersonal(value)) return null;
  return `[?${name}=='${value}']`;
}
