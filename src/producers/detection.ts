/** Predicates for the `detect` and `isPing` functions of producers. */
import type { Payload } from '../domain/mappings/mapping.ts';

/** `name` is in lower case. */
export const hasHeader = ({ headers }: Payload, name: string): boolean =>
  Object.hasOwn(headers, name);

/** Returns the header's value; empty when it is absent. `name` is in lower case. */
export const headerOf = ({ headers }: Payload, name: string): string =>
  Object.hasOwn(headers, name) ? (headers[name] ?? '') : '';

/** Returns the value at a path of keys, taking the first item of each list; undefined when there is none. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let current = value;
  for (const key of keys) {
    const object: unknown = Array.isArray(current) ? current[0] : current;
    if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key))
      return undefined;
    current = (object as Record<string, unknown>)[key];
  }
  return current;
}

/** Returns whether all members exist, with any value. A name with dots is a path of members. */
export const hasAll = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => valueAt(value, ...name.split('.')) !== undefined);

/** Returns the confidence of the first rule that holds; 0 when none does. */
export const firstOf = (...rules: readonly (readonly [holds: boolean, confidence: number])[]) =>
  rules.find(([holds]) => holds)?.[1] ?? 0;
