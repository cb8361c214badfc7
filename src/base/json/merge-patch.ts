/** JSON merge patch (RFC 7396): what is given is set, objects within objects too, and null takes away. */

/** What a patch of a value may be. Lists are given whole. */
export type MergePatch<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]?: MergePatch<Value[Name]> | null }
    : Value;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The target as the patch wants it; neither of the two is changed. What comes out is no more checked than the patch was:
 * it may lack what must be there.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Makes members of its own, so that no name of one means anything to JavaScript.
  return Object.fromEntries(merged);
}
