/**
 * Puts the keys of objects in one order, so that a suggestion is the same for any order in which a sender writes them. Numbers in keys
 * are compared as numbers: `field2` comes before `field10`.
 */
import { isJsonObject } from '../../src/base/json/json-values.ts';

const { compare } = new Intl.Collator('en', { numeric: true });

/** Returns a copy whose objects have no prototype. `value` is bounded by its caller. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).toSorted(compare)) sorted[key] = sortKeys(value[key]);
  return sorted;
}
