/**
 * JSON merge patch (RFC 7396): members of the patch are set, nested objects are merged, and null removes a
 * member.
 */

import { isJsonObject } from './json-values.ts';

/** Type of a patch for `Value`. Lists are replaced as a whole. */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: MergePatch<Value[Name]> | null }
    : Value;

/**
 * Returns the patched target; neither argument is changed. The result is not validated: required members may be
 * missing.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Creates own properties, so that names such as `__proto__` have no effect.
  return Object.fromEntries(merged);
}
