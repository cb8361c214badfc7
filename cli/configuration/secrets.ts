/**
 * Secrets in configuration files: `${env:NAME}`. Inlet never shows a secret, so only whether it is set can be compared.
 *
 * Promises: the value is read from the environment only when it is sent, and is printed nowhere.
 */
import { CommandFailure } from '../terminal/failure.ts';

export type Json = { readonly [name: string]: unknown };

const variable = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Replaces every reference in the texts of the value. Throws when a variable is not set. */
export function fillVariables(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, place));
  if (isObject(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, one]) => [name, fillVariables(one, place)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(variable, (_whole, name: string) => {
    const found = process.env[name];
    if (found) return found;
    throw new CommandFailure(`${place}: the environment variable ${name} is not set.`, 'usage');
  });
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the settings of a webhook hold secrets. */
export const webhookSecrets: readonly string[] = ['signature.secrets', 'handshake.verifyToken'];

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) found = isObject(found) ? found[name] : undefined;
  return found;
}

/** A copy with another value at the path, where the path exists and is not null. */
export function replaceAt(value: Json, path: string, make: (old: unknown) => unknown): Json {
  const [first = '', ...rest] = path.split('.');
  const old = value[first];
  if (old === undefined || old === null) return value;
  if (rest.length === 0) return { ...value, [first]: make(old) };
  return isObject(old) ? { ...value, [first]: replaceAt(old, rest.join('.'), make) } : value;
}

/** Puts the values of the environment in the place of the marks of a body or patch. */
export const withSecrets = (
  { settings, ...rest }: Json,
  file: { readonly settings?: Json; readonly place: string },
  secrets: readonly string[],
): Json =>
  isObject(settings)
    ? {
        ...rest,
        settings: secrets.reduce(
          (filled, path) =>
            replaceAt(filled, path, () => fillVariables(valueAt(file.settings, path), file.place)),
          settings,
        ),
      }
    : rest;

/** What is compared instead of a secret. */
export const secretMark = (secret: unknown): string =>
  Array.isArray(secret) ? `(${secret.length} set)` : '(set)';
