/** Objects that describe one field together with its value, and keys that hold a path. */
import { sortKeys } from './sort-keys.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json/json-values.ts';
import { jsonInBase64 } from '../../src/base/json/json-text.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName, hasConcept } from '../names/concepts.ts';
import { xmlText } from './keyed-list.ts';

const maxJsonLength = 50_000;

/** Parses a text as a JSON object or list, also in base64; null when it is neither. */
export function parseJsonText(given: string): unknown {
  if (given.length > maxJsonLength) return null;
  const text = /^\s*[[{]/.test(given) ? given : jsonInBase64(given);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? sortKeys(value) : null;
  } catch {
    return null;
  }
}

/** Splits a key such as `fields[name][value]` into its parts; null when the key has one part. */
export function splitKey(key: string): string[] | null {
  if (/^[^[\]]+(?:\[[^[\]]*\])+$/.test(key))
    return key.split(/[[\]]+/).filter((part) => part !== '');
  if (/^[\w-]+(?:\.[\w-]+)+$/.test(key)) return key.split('.');
  return /^[a-z\d]+(?:__[a-z\d_]+)+$/i.test(key) ? key.split('__') : null;
}

// Keys that describe a field beside its value.
const describes =
  /^(?:id|type|field_?type|input_?type|kind|title|label|name|nome|alias|key|code|ref|slug|group|required|raw_?value|normali[sz]ed_?value|versions|enum|currency\w*|unit|options|field|position|selected|placeholder|hidden|visible|optional|order|format|source\w*|timestamp|updated_?at)$/i;

/** Whether an object is a field with its value, such as `{ title, type, value }`. */
export const isFieldObject = (value: unknown): value is JsonObject =>
  isJsonObject(value) && fieldValueKey(value) !== null;

export function fieldValueKey(fields: JsonObject): string | null {
  const key = valueKeyOf(fields);
  if (key === null) return null;
  const value = fields[key];
  const isPlain =
    isScalar(value) || value === null || (Array.isArray(value) && value.every(isScalar));
  return isPlain ? key : null;
}

const valueKeys = ['value', 'valor', 'answer', 'resposta', 'wert', 'valeur', 'valore'];

/** Returns the key of the value, when all other keys describe the field. */
function valueKeyOf(fields: JsonObject): string | null {
  const key = valueKeys.find((each) => each in fields);
  if (key === undefined) return null;
  const others = Object.keys(fields).filter((each) => each !== key);
  // The text beside an answer is the question.
  const isDescription = (each: string): boolean =>
    describes.test(each) || (key === 'answer' && /^(?:text|pretty\w*|sub\w*)$/i.test(each));
  return others.length > 0 && others.every(isDescription) ? key : null;
}

/** Whether an object is an XML element with a text and attributes, such as `{ '@part': 'full', '#text': 'Ana' }`. */
export const isElementText = (fields: JsonObject): boolean =>
  xmlText in fields &&
  Object.keys(fields).every((each) => each === xmlText || each.startsWith('@'));

/** Returns the parts of a value such as `{ value: { first, last }, type }`, with the name of the field. */
export function namedParts(
  fields: JsonObject,
): { key: string; parts: JsonObject; name: string | null } | null {
  const key = valueKeyOf(fields);
  const parts = key === null ? null : fields[key];
  if (key === null || !isJsonObject(parts)) return null;
  const name = ['label', 'title', 'text', 'name'].map((each) => fields[each]);
  const text = name.find((each) => typeof each === 'string' && each !== '');
  return { key, parts, name: typeof text === 'string' ? text : null };
}

/** Whether the key of the value is the type, as in `{ type: 'email', email: … }`. */
export const isTypedField = (fields: JsonObject): boolean =>
  typeof fields.type === 'string' &&
  fields.type !== 'type' &&
  Object.hasOwn(fields, fields.type) &&
  Object.keys(fields).every((each) => each === fields.type || describes.test(each));

/** Returns the kind of input as a label, when it names a kind of value. */
export const inputKindLabels = (kind: string): string[] =>
  hasConcept(readName(kind), 'phone', 'mobile', 'email', 'document') ||
  /^(?:textarea|long_?text|paragraph)$/i.test(kind)
    ? [kind]
    : [];

/** Whether the values are pairs such as `{ name: ['before', 'after'] }`, under a key that names a change. */
export function areBeforeAfterPairs(fields: JsonObject, keys: readonly string[]): boolean {
  const values = Object.values(fields);
  return (
    /updated|chang|diff|modif|alterad/i.test(keys.at(-1) ?? '') &&
    values.length > 0 &&
    values.every((each) => Array.isArray(each) && each.length === 2)
  );
}
