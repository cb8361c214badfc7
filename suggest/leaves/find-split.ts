/**
 * Finds the list of items in a body in which each item has a person of its own.
 *
 * A list is split when fields that identify people are in it and nowhere else.
 */
import { isJsonObject } from '../../src/base/json/json-values.ts';
import { isScalar } from '../../src/mapping/value.ts';
import { readName, hasConcept } from '../names/concepts.ts';
import { keyedEntries } from './keyed-list.ts';
import { childPath } from './jmespath.ts';
import { isEmail } from './value-shape.ts';
import { fieldValueKey } from './field-object.ts';
import { findOtherPerson } from './other-person.ts';

export interface ItemSplit {
  readonly path: string;
  readonly keys: readonly string[];
  readonly items: readonly unknown[];
}

const maxDepth = 6;
const maxSplitItems = 20;
const maxNodes = 5_000;

/** Returns the deepest list of items; null when the body is one item. */
export function findSplit(body: unknown): ItemSplit | null {
  if (Array.isArray(body)) {
    if (isForm(body)) return { path: wholeList, keys: [], items: [body] };
    return body.some(isJsonObject)
      ? { path: '@', keys: [], items: body.slice(0, maxSplitItems) }
      : null;
  }
  if (!isJsonObject(body)) return null;
  const outer = findList(body);
  if (outer === null) return idsOf(body);
  const inner = outer.items.flatMap((item) => (isJsonObject(item) ? [findOnlyList(item)] : []));
  const [first] = inner;
  if (!first || inner.some((each) => each?.path !== first.path)) return outer;
  return {
    path: `${outer.path}[].${first.path}[]`,
    keys: [...outer.keys, ...first.keys],
    items: inner.flatMap((each) => each?.items ?? []).slice(0, maxSplitItems),
  };
}

/** A split into one item, which is the list. */
const wholeList = '[@]';
const fieldConcepts = ['name', 'fullName', 'firstName', 'email', 'phone', 'mobile'] as const;

/** Whether a list is a form, as `serializeArray` of jQuery writes it: an object with a name and a value for each field. */
function isForm(list: readonly unknown[]): boolean {
  if (!list.every((each) => isJsonObject(each) && fieldValueKey(each) !== null)) return false;
  const names = (keyedEntries(list, new Map()) ?? []).flatMap((entry) => entry.names);
  const found = new Set(names.flatMap((name) => [...readName(name).concepts.keys()]));
  return fieldConcepts.filter((one) => found.has(one)).length > 1;
}

/** A list `ids: [1, 2]` in a body without other fields about people. */
function idsOf(body: Record<string, unknown>): ItemSplit | null {
  const { ids } = body;
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isScalar)) return null;
  return weightOf(body, { left: maxNodes }) > 1
    ? null
    : { path: 'ids', keys: ['ids'], items: ids.slice(0, maxSplitItems) };
}

interface Found {
  split: ItemSplit;
  weight: number;
}

/** Returns the list with the most fields that identify people, when such fields are only in lists. */
const findList = (body: Record<string, unknown>): ItemSplit | null =>
  heaviestList(body, listsIn(body, { path: '', keys: [] }));

/** Returns the only list with fields that identify people; null when there are several. */
function findOnlyList(body: Record<string, unknown>): ItemSplit | null {
  const lists = listsIn(body, { path: '', keys: [] });
  const isOnly = lists.filter(({ weight }) => weight > 0).length === 1;
  return isOnly ? heaviestList(body, lists) : null;
}

function heaviestList(body: Record<string, unknown>, lists: readonly Found[]): ItemSplit | null {
  const [best] = lists.toSorted((a, b) => b.weight - a.weight);
  if (best === undefined || best.weight === 0) return null;
  const inside = lists.reduce((sum, { weight }) => sum + weight, 0);
  return weightOf(body, { left: maxNodes }) > inside ? null : best.split;
}

function listsIn(
  fields: Record<string, unknown>,
  { path, keys }: { path: string; keys: readonly string[] },
): Found[] {
  if (keys.length >= maxDepth) return [];
  return Object.entries(fields).flatMap(([key, value]) => {
    const position = { path: childPath(path, key), keys: [...keys, key] };
    if (isJsonObject(value)) return listsIn(value, position);
    if (!Array.isArray(value) || !isItems(value, key)) return [];
    const weight = weightOf(value, { left: maxNodes }, key);
    return [{ split: { ...position, items: value.slice(0, maxSplitItems) }, weight }];
  });
}

function isItems(list: readonly unknown[], key: string): boolean {
  if (hasConcept(readName(key), 'phone', 'mobile', 'email')) return false;
  // A list with the receiver's own people is a list of participants, not a batch.
  if (findOtherPerson(list) !== null) return false;
  if (list.length === 0 || !list.every(isJsonObject) || areWaysToReach(list)) return false;
  return (
    list.every(isPerson) || list.every(isNotification) || keyedEntries(list, new Map()) === null
  );
}

/** Whether one field of the entries has an address in one and a number in another: they are ways to reach one person. */
const areWaysToReach = (list: readonly Record<string, unknown>[]): boolean =>
  Object.keys(list[0] ?? {}).some((key) => {
    const texts = list.map((each) => each[key]).filter((value) => typeof value === 'string');
    return texts.some(isEmail) && texts.some((text) => /^\+?[\d().\s-]{7,24}$/.test(text));
  });

/** Whether a record has a name and an address or a number, under their own names. */
function isPerson(record: Record<string, unknown>): boolean {
  const concepts = new Set(
    Object.keys(record).flatMap((key) => [...readName(key).concepts.keys()]),
  );
  return (
    hasConcept({ concepts }, 'name', 'fullName', 'firstName') &&
    hasConcept({ concepts }, 'email', 'phone', 'mobile')
  );
}

/** Whether a record has a type and a moment of its own, as each event of several has. */
function isNotification(record: Record<string, unknown>): boolean {
  const readings = Object.entries(record)
    .filter(([, value]) => isScalar(value))
    .map(([key]) => readName(key).concepts);
  return (
    readings.some((concepts) => (concepts.get('eventType') ?? 0) > 0.6) &&
    readings.some((concepts) => (concepts.get('eventDate') ?? 0) > 0.6) &&
    Object.values(record).some(isJsonObject)
  );
}

/** Returns how many fields inside a value identify people. */
function weightOf(value: unknown, budget: { left: number }, key = ''): number {
  budget.left -= 1;
  if (budget.left < 0) return 0;
  if (Array.isArray(value))
    return value.reduce<number>((sum, each) => sum + weightOf(each, budget, key), 0);
  if (isJsonObject(value)) {
    if (hasConcept(readName(key), 'actor', 'past')) return 0;
    return Object.entries(value).reduce(
      (sum, [each, inner]) => sum + weightOf(inner, budget, each),
      0,
    );
  }
  if (!isScalar(value) || value === '' || typeof value === 'boolean') return 0;
  if (typeof value === 'string' && isEmail(value)) return 1;
  const reading = readName(key);
  if (hasConcept(reading, 'actor', 'thing')) return 0;
  const traits = ['personId', 'fullName', 'firstName', 'phone', 'mobile', 'name'] as const;
  return hasConcept(reading, ...traits) ? 1 : 0;
}
