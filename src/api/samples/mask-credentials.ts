/**
 * Masks credentials in payloads, headers and queries.
 *
 * A credential is recognised by its name: a key at any depth, a keyed list (`{ name, value }`), XML text beside
 * attributes, JSON inside a string, and URL parameters. A path key or a token of Inlet is recognised by its shape, also in
 * base64 and in names. The input is not changed.
 * Must never: return a value whose name marks a credential, or a path key or a token.
 */
import {
  containsCredential,
  keyPrefix,
  maskSecrets,
  sessionPrefix,
  tokenPrefix,
} from '../../base/observability/logger.ts';
import { base64FragmentsOf } from '../../base/secrets/base64-fragments.ts';

export const mask = '***';

const secretName =
  /(?:^|[-_.\s])(?:authorization|cookie|passw(?:or)?d|passphrase|pwd|senha|contrase[nñ]a|secret|signature|credentials?|cvv|cvc|(?:api|access|secret|private)[-_\s]?key|keyapi)$|(?:^|[-_.\s]|access|refresh|auth|api)token$/i;

/** `@` marks an XML attribute; camel case separates words. */
export const isSecret = (name: string): boolean =>
  secretName.test(name.replace(/^@/, '').replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-'));

/** Any header may carry a credential. In a body these words may be normal text, unless a long token follows. */
const credential = /^(?:bearer|basic|digest|token)\s+\S/i;
const bearer = /^bearer\s+[\w.~+/=-]{16,}$/i;

const encodedPrefixes = [keyPrefix, tokenPrefix, sessionPrefix]
  .flatMap(base64FragmentsOf)
  .filter(isWord);
const encodedCredential = new RegExp(`(?:${encodedPrefixes.join('|')})[\\w+/-]{20,}`, 'g');

function isWord(core: string): boolean {
  return /^\w+$/.test(core);
}

/** Masks what has the shape of a path key, a token or a session. */
export function maskShapes(text: string): string {
  const masked = text.replaceAll(encodedCredential, mask);
  return containsCredential(masked) ? maskSecrets(masked) : masked;
}

export function maskNamed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      maskShapes(name),
      isSecret(name) || credential.test(value) ? mask : maskText(value),
    ]),
  );
}

/** Longer strings are attachments, in which only shapes are masked. */
const maxTextChars = 65_536;
const parameter = /([?&;])([\w.%[\]-]{1,64})=([^&;#\s"'<>]+)/g;

function maskText(whole: string): string {
  const text = maskShapes(whole);
  if (text.length > maxTextChars) return text;
  const inner = /^\s*[[{]/.test(text) ? maskJson(text) : text;
  if (!inner.includes('=')) return inner;
  return inner.replaceAll(parameter, (pair, sign: string, name: string) =>
    isSecretParameter(name) ? `${sign}${name}=${mask}` : pair,
  );
}

/** `a[token]` is the parameter `a.token`. */
export const isSecretParameter = (name: string): boolean =>
  isSecret(name.replaceAll(/%5B|%5D|[[\]]/gi, '.').replace(/\.+$/, ''));

/** Levels of JSON in a text. A deeper one is masked as a whole: masking it by recursion would overflow the stack. */
const maxTextDepth = 64;

/** Returns the text unchanged if nothing is masked. */
function maskJson(text: string): string {
  const value = parsed(text);
  if (value === undefined) return text;
  if (isDeeperThan(maxTextDepth, value)) return mask;
  const before = JSON.stringify(value);
  const after = JSON.stringify(maskBody(value));
  return before === after ? text : after;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < most && level.length > 0; depth += 1)
    level = level.flatMap((each) => Object.values(each)).filter(isContainer);
  return level.length > 0;
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Keys of the name and of the value in a keyed list. */
const nameKeys = ['name', 'key', 'id', 'code', 'label', 'field', 'title', 'slug', '@name', '@key'];
const valueKeys = /^(?:values?|#text|text|content|answer)$/i;

const namesSecret = (entries: readonly (readonly [string, unknown])[]): boolean =>
  entries.some(
    ([key, value]) =>
      typeof value === 'string' && nameKeys.includes(key.toLowerCase()) && isSecret(value),
  );

/** Masks everything under a secret name: a value, a list, or the value of a keyed object. */
function maskSecret(value: unknown): unknown {
  if (isPlain(value)) return mask;
  if (Array.isArray(value)) return value.map(maskSecret);
  return maskObject(value, { isSecret: true });
}

/** Masks a decoded body. The decoder bounds the depth. */
export function maskBody(value: unknown): unknown {
  if (typeof value === 'string') return bearer.test(value) ? mask : maskText(value);
  if (Array.isArray(value)) return value.map(maskBody);
  return maskObject(value, { isSecret: false });
}

function maskObject(value: unknown, { isSecret: isUnderSecret }: { isSecret: boolean }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isKeyed = isUnderSecret || namesSecret(entries);
  const masked: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of entries) {
    const hides = isSecret(name) || (isKeyed && valueKeys.test(name));
    masked[maskShapes(name)] = hides ? maskSecret(inner) : maskBody(inner);
  }
  return masked;
}
