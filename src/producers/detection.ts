import type { Payload } from '../domain/mappings/mapping.ts';

/** Whether the sender named this header, in lower case. */
export const hasHeader = ({ headers }: Payload, name: string): boolean =>
  Object.hasOwn(headers, name);

export const headerOf = ({ headers }: Payload, name: string): string =>
  Object.hasOwn(headers, name) ? (headers[name] ?? '') : '';

/** What stands at these keys, one inside the other; a list is walked by its first item. Undefined where nothing does. */
export function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    const inner: unknown = Array.isArray(found) ? found[0] : found;
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    found = (inner as Record<string, unknown>)[key];
  }
  return found;
}

/** Whether all these members are there, whatever they hold. */
export const hasAll = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => valueAt(value, name) !== undefined);

/** A confidence: the first that holds. */
export const firstOf = (...rules: readonly (readonly [holds: boolean, confidence: number])[]) =>
  rules.find(([holds]) => holds)?.[1] ?? 0;
