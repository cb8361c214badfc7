/**
 * Lists whose entries have a name and a value, such as custom fields and answers of a form. Entries are selected by name,
 * because their order and number change between requests.
 */
import { isJsonObject, type JsonObject } from '../../src/base/json/json-values.ts';
import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName } from '../names/concepts.ts';
import { childPath, equalsCondition, firstElementPath } from './jmespath.ts';

interface KeyedEntry {
  /** JMESPath condition that only this entry meets. */
  readonly condition: string;
  /** The names of the entry, the most specific first. */
  readonly names: readonly string[];
  /** The kind of input, such as `email`; null when unknown. */
  readonly kind: string | null;
  /** The path from the entry to its value; '' when the entry is the value. */
  readonly rest: string;
  readonly value: Scalar | readonly Scalar[];
}

const maxEntries = 300;
const maxLabelLength = 300;

// In the order of preference for a selector: stable codes before texts that users edit.
const labelWords = [
  'code key slug ref alias field name nome campo label title question heading pergunta pregunta attribute id property',
  'column coluna columna variable feld frage bezeichnung spalte champ colonne libelle domanda etichetta',
].flatMap((line) => line.split(' '));
const valueWords = [
  'value values answer answers valor valores resposta respostas respuesta response val',
  'wert antwort valeur reponse valore risposta',
].flatMap((line) => line.split(' '));
/** What kind of value an entry has, where nothing else names it: `{ system: 'phone', value }`. */
const typeWord = /^(?:type|tipo|kind|system)$/;
/** The text of an XML element, beside its attributes. */
export const xmlText = '#text';
/** `{ q, a }` and `{ k, v }`. */
const shortLabel = /^[qk]$/i;
const shortValue = /^[av]$/i;
const innerWords = [
  'value',
  'label',
  'text',
  'answer',
  'name',
  'full',
  'plain_text',
  'content',
  'email',
  'number',
];

const lastWord = (key: string): string => readName(key).words.at(-1) ?? '';

export const isValueKey = (key: string): boolean => valueWords.includes(lastWord(key));
export const isLabelKey = (key: string): boolean => labelWords.includes(lastWord(key));

/** Returns the entries of a keyed list; null when the list is not keyed. `titles` are by id. */
export function keyedEntries(
  list: readonly unknown[],
  titles: ReadonlyMap<string, string>,
): KeyedEntry[] | null {
  const items = list.slice(0, maxEntries).filter(isJsonObject);
  if (items.length === 0 || items.length < Math.min(list.length, maxEntries)) return null;
  const labels = items.map(labelsOf);
  if (labels.some((each) => each.length === 0)) return null;
  const found = items.map((item, i) => valueOf(item, labels[i] ?? []));
  if (found.every((each) => each === null)) return null;
  const counts = countLabels(labels);
  // An entry without a value is left out.
  const entries = items.map((item, i): KeyedEntry | null => {
    const value = found[i] ?? null;
    const condition = value === null ? null : conditionOf(labels[i] ?? [], counts);
    if (value === null || condition === null) return null;
    const own = labels[i] ?? [];
    return { ...value, condition, names: namesOf(own, titles), kind: kindOf(item) };
  });
  return entries.filter((entry) => entry !== null);
}

interface Label {
  readonly path: string;
  readonly value: Scalar;
  readonly rank: number;
}

/** Returns the labels of an entry, from its own keys or from an object that describes the field. */
function labelsOf(item: JsonObject): Label[] {
  const own = labelsIn(item, '');
  const inner = Object.entries(item).flatMap(([key, value]) =>
    isJsonObject(value) && isLabelKey(key) ? labelsIn(value, fieldPath(key)) : [],
  );
  return [...own, ...inner].toSorted((a, b) => a.rank - b.rank);
}

const fieldPath = (key: string): string => childPath('', key);

function labelsIn(fields: JsonObject, path: string): Label[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (!isScalar(value) || String(value).length > maxLabelLength || value === '') return [];
    const rank = labelWords.indexOf(lastWord(key));
    const isTyped = typeWord.test(lastWord(key)) && isValueList(fields);
    const isAttribute = xmlText in fields && key.startsWith('@');
    const isShort = shortLabel.test(key) && Object.keys(fields).some(isShortValue);
    if (rank < 0 && !isTyped && !isAttribute && !isShort) return [];
    return [{ path: childPath(path, key), value, rank: rank < 0 ? labelWords.length : rank }];
  });
}

const isShortValue = (key: string): boolean => shortValue.test(key);

// In `{ type, value }` the type is the only name.
const isValueList = (fields: JsonObject): boolean =>
  Object.keys(fields).some(isValueKey) && !Object.keys(fields).some(isLabelKey);

const identify = ({ path, value }: Label): string => `${path} ${typeof value} ${String(value)}`;

/** Counts the entries that share each label. */
function countLabels(labels: readonly (readonly Label[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels.flat()) {
    const key = identify(label);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function conditionOf(own: readonly Label[], counts: ReadonlyMap<string, number>): string | null {
  const chosen = own.find((label) => counts.get(identify(label)) === 1) ?? own[0];
  return chosen === undefined ? null : equalsCondition(chosen.path, chosen.value);
}

/** Returns the key of an id whose field names what it identifies, such as `questionId: 11`. */
export const titleKey = (key: string, id: Scalar): string =>
  `${readName(key).words.join('')} ${String(id)}`;

/** Returns the labels that have words. The title of an id comes before the id. */
function namesOf(labels: readonly Label[], titles: ReadonlyMap<string, string>): string[] {
  const texts = labels.flatMap(({ path, value }) => {
    const title = titles.get(String(value)) ?? titles.get(titleKey(path, value));
    return title === undefined ? [String(value)] : [title, String(value)];
  });
  return [...new Set(texts)].filter((text) => readName(text).words.length > 0);
}

const kindOf = (item: JsonObject): string | null => {
  const kind = Object.entries(item).find(([key]) => typeWord.test(lastWord(key)))?.[1];
  return typeof kind === 'string' && kind.length <= 40 ? kind : null;
};

type Found = Pick<KeyedEntry, 'rest' | 'value'>;

function valueOf(item: JsonObject, labels: readonly Label[]): Found | null {
  const keys = Object.keys(item);
  if (xmlText in item) return firstScalar(item[xmlText], childPath('', xmlText), 0);
  const isShort = labels.some(({ path }) => shortLabel.test(path));
  const key =
    (isShort ? keys.find(isShortValue) : undefined) ??
    keys.find((each) => valueWords.includes(each.toLowerCase())) ??
    keys.find(isValueKey) ??
    keys.find(
      (each) => isJsonObject(item[each]) && valueWords.includes(readName(each).words[0] ?? ''),
    );
  if (key !== undefined) {
    return unwrap(item[key], childPath('', key));
  }
  const text = keys.find((each) => lastWord(each) === 'text');
  // Without a question the list is a list of texts.
  if (text !== undefined && labels.some(isQuestionLabel))
    return firstScalar(item[text], childPath('', text), 0);
  // `{ type: 'email', email: … }`: the key of the value is the type.
  const typed = typeof item.type === 'string' ? item.type : '';
  if (typed in item && typed !== 'type') return firstScalar(item[typed], childPath('', typed), 0);
  const named = keys.filter(
    (each) => each !== 'type' && !labels.some(({ path }) => path.startsWith(childPath('', each))),
  );
  const [only] = named;
  const isTyped = only !== undefined && named.length === 1 && labels.some(isNestedLabel);
  return isTyped ? firstScalar(item[only], childPath('', only), 0) : null;
}

/** Unwraps a value with one key, such as `answer: { textAnswer: { … } }`. */
function unwrap(value: unknown, rest: string): Found | null {
  const [key, second] = isJsonObject(value) ? Object.keys(value) : [];
  if (
    !isJsonObject(value) ||
    key === undefined ||
    second !== undefined ||
    !isJsonObject(value[key])
  )
    return firstScalar(value, rest, 0);
  return firstScalar(value[key], childPath(rest, key), 1);
}

const isQuestionLabel = ({ path }: Label): boolean =>
  /question|heading|pergunta|pregunta|label/i.test(path);

const isNestedLabel = ({ path }: Label): boolean => path.includes('.');

/** Returns the first scalar, or list of scalars, inside a value, and the path to it. */
export function firstScalar(value: unknown, rest: string, depth: number): Found | null {
  if (isScalar(value)) return value === '' ? null : { rest, value };
  if (depth > 3 || value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every(isScalar)) return { rest, value: value.slice(0, 50) };
    return firstScalar(value[0], firstElementPath(rest), depth + 1);
  }
  if (!isJsonObject(value)) return null;
  const inner = value;
  const key = innerWords.find((each) => isScalar(inner[each]) || Array.isArray(inner[each]));
  return key === undefined ? null : firstScalar(inner[key], childPath(rest, key), depth + 1);
}
