/**
 * Masks secret settings for the audit log. The masked value shows that a secret is set and whether it changed.
 *
 * Must never: reveal a secret, or anything to guess it by, such as its length or hash.
 */

import { isJsonObject, type JsonObject } from '../../base/json/json-values.ts';

const mask = '***';
const changedMask = '*** (changed)';

/** Names of secret settings. Everything below such a name is secret too. */
const secretName =
  /^(?:headers|authorization|credentials?)$|(?:secrets?|passwords?|tokens?|api-?keys?|private-?keys?)$/i;
const urlName = /url$/i;

/** Returns the settings with secrets masked. `before` is the state before the change. */
export function maskSettings(settings: unknown, before: unknown): unknown {
  if (Array.isArray(settings)) {
    return settings.map((one, n) =>
      maskSettings(one, Array.isArray(before) ? before[n] : undefined),
    );
  }
  if (!isRecord(settings)) return settings;
  const others = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, maskValue(name, [value, others[name]])]),
  );
}

function maskValue(name: string, [value, before]: readonly [unknown, unknown]): unknown {
  if (value === null || value === undefined) return value;
  const cover = isSame(value, before) ? mask : changedMask;
  if (secretName.test(name)) return Array.isArray(value) ? value.map(() => cover) : cover;
  if (urlName.test(name) && typeof value === 'string') return withoutPath(value, cover);
  return maskSettings(value, before);
}

/** Keeps only the origin: paths and queries of webhook URLs are often credentials. */
function withoutPath(text: string, cover: string): string {
  if (!URL.canParse(text)) return cover;
  const { origin } = new URL(text);
  return `${origin}/${cover}`;
}

const isRecord = (value: unknown): value is JsonObject =>
  isJsonObject(value) && !(value instanceof Date);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
