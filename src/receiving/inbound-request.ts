/**
 * The part of a request that is stored: the body, and the headers and query values that a mapping may read.
 * Must never store the path key, in any encoding in which a sender or a proxy may repeat it, or another credential.
 */
import { AppError } from '../base/errors.ts';
import { keyPrefix } from '../base/observability/logger.ts';
import type { InboundRequest } from '../domain/events/event.ts';
import type { ParsedRequest } from './sender-request.ts';

/** Of headers, and of query values. */
const maxNames = 64;
const maxNameChars = 128;
const maxValueChars = 2_048;

/** Credentials, and headers that describe the connection. */
const droppedHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'keyapi',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'accept-encoding',
]);

export type StorableRequest = Pick<ParsedRequest, 'key' | 'contentType' | 'headers' | 'query'>;

/** Returns what is stored of a request. Throws `invalid_body` when the body repeats the key in too many encodings. */
export const inboundRequestOf = (request: StorableRequest, body: Buffer): InboundRequest => ({
  body: redactBody(body, request.key),
  contentType: contentTypeWithoutKey(request.contentType ?? '', request.key),
  headers: storablePairs(headerPairs(request.headers), request.key),
  query: storablePairs(request.query, request.key),
});

/** The prefix of a key is public, and a sender may cut it off. */
const secretPartOf = (key: string): string =>
  key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key;

/** A proxy repeats the path as it was sent, in which any character may be percent-encoded. */
const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const containsSecret = (text: string, secret: string): boolean =>
  text.includes(secret) || percentDecoded(text).includes(secret);

function storablePairs(
  pairs: Iterable<readonly [string, string]>,
  key: string,
): Record<string, string> {
  const stored: Record<string, string> = Object.create(null);
  const secret = secretPartOf(key);
  let count = 0;
  for (const [name, value] of pairs) {
    // MongoDB stores no field name with NUL.
    const isValidName = name.length <= maxNameChars && !name.includes('\0');
    const fits = isValidName && value.length <= maxValueChars;
    if (!fits || name in stored) continue;
    if (containsSecret(value, secret) || containsSecret(name, secret)) continue;
    if (++count > maxNames) break;
    stored[name] = value;
  }
  return stored;
}

function* headerPairs(headers: StorableRequest['headers']): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || droppedHeaders.has(name)) continue;
    yield [name, Array.isArray(value) ? value.join(', ') : value];
  }
}

/** The characters of keys (- 0-9 A-Z _ a-z) in hexadecimal. */
const keyHex = '(2[dD]|3\\d|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])';

type Escape = {
  /** A body without this text has no such escape. */
  readonly marker: string;
  /** Group 1 is the character's code. Escapes of other characters are matched where they could hide one. */
  readonly pattern: RegExp;
  readonly base: 10 | 16;
};

/** How JSON, forms and XML escape a character of a key. */
const escapes: readonly Escape[] = [
  { marker: '\\u00', pattern: new RegExp(`\\\\(?:u00${keyHex}|.)`, 'gs'), base: 16 },
  { marker: '%', pattern: new RegExp(`%${keyHex}`, 'g'), base: 16 },
  { marker: '&#x', pattern: new RegExp(`&#x0{0,6}${keyHex};`, 'g'), base: 16 },
  {
    marker: '&#',
    pattern: /&#0{0,6}(4[589]|5[0-7]|6[5-9]|[78]\d|9[05789]|1[01]\d|12[0-2]);/g,
    base: 10,
  },
];

/** Works on Latin-1, so every other byte stays as it is. */
const unescaped = (body: Buffer, { pattern, base }: Escape): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replaceAll(pattern, (whole, code?: string) =>
        code === undefined ? whole : String.fromCharCode(Number.parseInt(code, base)),
      ),
    'latin1',
  );

/** Encodings inside encodings. More of them only cost time. */
const maxLayers = 8;

/**
 * Returns the body with each repetition of the key overwritten; without one, the same buffer. Throws `invalid_body` when
 * the key is nested in more than 8 encodings.
 */
function redactBody(body: Buffer, key: string): Buffer {
  const secret = secretPartOf(key);
  let clean = body;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const found = variantsOf(clean).find((text) => text.includes(secret));
    if (!found) return clean;
    clean = overwrite(found, secret);
  }
  throw new AppError('invalid_body', { internal: 'The body repeats its path key too deeply.' });
}

const variantsOf = (body: Buffer): Buffer[] => [
  body,
  ...escapes.filter(({ marker }) => body.includes(marker)).map((escape) => unescaped(body, escape)),
];

function overwrite(body: Buffer, secret: string): Buffer {
  const clean = Buffer.from(body);
  for (let at = clean.indexOf(secret); at >= 0; at = clean.indexOf(secret, at)) {
    clean.fill('*', at, at + secret.length);
  }
  return clean;
}

/** Returns the content type without its parameters when they contain the key; empty when the type itself does. */
function contentTypeWithoutKey(contentType: string, key: string): string {
  const secret = secretPartOf(key);
  const [type = ''] = contentType.split(';', 1);
  return [contentType, type].find((text) => !containsSecret(text, secret)) ?? '';
}
