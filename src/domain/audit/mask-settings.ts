/**
 * Settings as the audit log tells of them: everything but what may be secret, of which it tells that it is there and
 * whether it changed.
 *
 * Must never: tell a secret, or anything by which one could be guessed, such as its length or hash.
 */

const mask = '***';
const otherMask = '*** (changed)';

/** Names of settings that hold secrets, whatever they are a setting of; what is below them is secret too. */
const secretName =
  /^(?:headers|authorization|credentials?)$|(?:secrets?|passwords?|tokens?|api-?keys?|private-?keys?)$/i;
const urlName = /url$/i;

/** `before` is what the settings were before the change that they are the outcome of. */
export function maskSettings(settings: unknown, before: unknown): unknown {
  if (Array.isArray(settings)) {
    return settings.map((one, n) =>
      maskSettings(one, Array.isArray(before) ? before[n] : undefined),
    );
  }
  if (!isRecord(settings)) return settings;
  const others = isRecord(before) ? before : {};
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, told(name, [value, others[name]])]),
  );
}

function told(name: string, [value, before]: readonly [unknown, unknown]): unknown {
  if (value === null || value === undefined) return value;
  const cover = isSame(value, before) ? mask : otherMask;
  if (secretName.test(name)) return Array.isArray(value) ? value.map(() => cover) : cover;
  if (urlName.test(name) && typeof value === 'string') return withoutPath(value, cover);
  return maskSettings(value, before);
}

/** Paths and queries of hooks are often keys. */
function withoutPath(text: string, cover: string): string {
  if (!URL.canParse(text)) return cover;
  const { origin } = new URL(text);
  return `${origin}/${cover}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
