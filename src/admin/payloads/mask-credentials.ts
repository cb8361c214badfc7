/**
 * What is shown of a payload: everything but the values whose names say that they are credentials.
 *
 * Knows the ways in which payloads name a value: a key at any depth, a keyed list (`{ name, value }`), XML's text beside
 * attributes, JSON inside a text, and parameters of an address. The original stays as it was stored.
 * Must never: show a value whose name says that it is a credential.
 */

const mask = '***';

const secretName =
  /(?:^|[-_.\s])(?:authorization|cookie|passw(?:or)?d|passphrase|pwd|senha|contrase[nñ]a|secret|signature|credentials?|cvv|cvc|(?:api|access|secret|private)[-_\s]?key|keyapi)$|(?:^|[-_.\s]|access|refresh|auth|api)token$/i;

/** `@` marks an attribute of XML; a change of case parts words. */
const isSecret = (name: string): boolean =>
  secretName.test(name.replace(/^@/, '').replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-'));

/** A header of any name may carry one; in a body such words are people's, unless what follows is long and one word. */
const credential = /^(?:bearer|basic|digest|token)\s+\S/i;
const bearer = /^bearer\s+[\w.~+/=-]{16,}$/i;

export function maskNamed(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isSecret(name) || credential.test(value) ? mask : maskText(value),
    ]),
  );
}

/** Beyond this a text is an attachment, and is shown as it is. */
const maxTextChars = 65_536;
const parameter = /([?&;])([\w.%[\]-]{1,64})=([^&;#\s"'<>]+)/g;

function maskText(text: string): string {
  if (text.length > maxTextChars) return text;
  const inner = /^\s*[[{]/.test(text) ? maskJson(text) : text;
  if (!inner.includes('=')) return inner;
  return inner.replaceAll(parameter, (whole, sign: string, name: string) =>
    isSecret(name.replaceAll(/%5B|%5D|[[\]]/gi, '.').replace(/\.+$/, ''))
      ? `${sign}${name}=${mask}`
      : whole,
  );
}

/** As it stood, where there is nothing to mask in it. */
function maskJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const before = JSON.stringify(value);
    const after = JSON.stringify(maskBody(value));
    return before === after ? text : after;
  } catch {
    return text;
  }
}

const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** What a keyed list calls the name of a value, and the value. */
const naming = ['name', 'key', 'id', 'code', 'label', 'field', 'title', 'slug', '@name', '@key'];
const valued = /^(?:values?|#text|text|content|answer)$/i;

const namesSecret = (entries: readonly (readonly [string, unknown])[]): boolean =>
  entries.some(
    ([key, value]) =>
      typeof value === 'string' && naming.includes(key.toLowerCase()) && isSecret(value),
  );

/** Under a secret name: the value itself, a list of them, or what an object calls its value. */
function maskSecret(value: unknown): unknown {
  if (isPlain(value)) return mask;
  if (Array.isArray(value)) return value.map(maskSecret);
  return maskObject(value, true);
}

/** Depth is bounded by the decoder. */
export function maskBody(value: unknown): unknown {
  if (typeof value === 'string') return bearer.test(value) ? mask : maskText(value);
  if (Array.isArray(value)) return value.map(maskBody);
  return maskObject(value, false);
}

function maskObject(value: unknown, isUnderSecret: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isKeyed = isUnderSecret || namesSecret(entries);
  const masked: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of entries) {
    const hides = isSecret(name) || (isKeyed && valued.test(name));
    masked[name] = hides ? maskSecret(inner) : maskBody(inner);
  }
  return masked;
}
