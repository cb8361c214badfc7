/**
 * Secrets in configuration files: `${env:NAME}`. Inlet never shows a secret, so only whether it is set can be compared.
 *
 * Promises: the value is read from the environment only when it is sent, and is printed nowhere.
 */
import { misuse } from '../terminal/failure.ts';

export type Json = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Change = (value: unknown, pointer: string) => unknown;

/** A copy with what `change` returns in the place of a value; where that is undefined, the value's members are asked. */
export function mapTree<Value>(value: Value, change: Change, pointer = ''): Value {
  const changed = change(value, pointer);
  if (changed !== undefined) return changed as Value;
  const copyOf = ([name, one]: readonly [string, unknown]) =>
    [name, mapTree(one, change, `${pointer}/${name}`)] as const;
  if (Array.isArray(value)) {
    return value.map((one, index) => copyOf([String(index), one])[1]) as Value;
  }
  return isObject(value) ? (Object.fromEntries(Object.entries(value).map(copyOf)) as Value) : value;
}

const variable = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces every reference in the texts of the value. Throws when a variable is not set. */
export const fillVariables = (value: unknown, place: string): unknown =>
  mapTree(value, (text) =>
    typeof text !== 'string'
      ? undefined
      : text.replaceAll(variable, (_whole, name: string) => {
          const found = process.env[name];
          if (found) return found;
          throw misuse(`${place}: the environment variable ${name} is not set.`);
        }),
  );

/** What is compared instead of a secret. */
export const secretMark = (secret: unknown): string =>
  Array.isArray(secret) ? `(${secret.length} set)` : '(set)';
