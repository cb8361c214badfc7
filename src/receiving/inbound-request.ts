/**
 * The part of a request that is stored: the body, and the headers and query values that a mapping may read.
 * Must never store the path key, as it is, percent-encoded or JSON-escaped, or another credential in a header
 * or a query. A body keeps other credentials, because its bytes are signed and hashed: they are masked when it is shown.
 */
import { LRUCache } from 'lru-cache';
import { containsCredential, keyPrefix, maskSecrets } from '../base/observability/logger.ts';
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

/** Returns what is stored of a request. */
export function inboundRequestOf(request: StorableRequest, body: Buffer): InboundRequest {
  const secret = secretOf(request.key);
  return {
    body: redactBody(body, secret),
    contentType: contentTypeWithoutKey(request.contentType ?? '', secret),
    headers: storablePairs(headerPairs(request.headers), secret),
    query: storablePairs(request.query, secret),
  };
}

/** The secret part of a path key. */
type Secret = {
  readonly text: string;
  /** Matches it where any of its characters may be percent-encoded or JSON-escaped; null for an empty secret. */
  readonly pattern: RegExp | null;
};

/** Of the keys of the last requests. */
const knownSecrets = new LRUCache<string, Secret>({ max: 1_000 });

/** The prefix of a key is public, and a sender may cut it off. */
function secretOf(key: string): Secret {
  const known = knownSecrets.get(key);
  if (known) return known;
  const text = key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key;
  const pattern = text === '' ? null : new RegExp(Array.from(text, charPattern).join(''), 'g');
  const secret = { text, pattern };
  knownSecrets.set(key, secret);
  return secret;
}

/** The look-behind requires that the backslash of the escape is not escaped itself. */
function charPattern(char: string): string {
  const code = char.charCodeAt(0).toString(16).padStart(2, '0');
  const hex = code.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const escaped = String.raw`\\u00${hex}`;
  const isEscape = String.raw`(?<=(?<!\\)(?:\\\\)*${escaped})`;
  return String.raw`(?:\u${code.padStart(4, '0')}|%${hex}|${escaped}${isEscape})`;
}

/** A proxy repeats the path as it was sent, in which any character may be percent-encoded. */
const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const containsKey = (text: string, { pattern }: Secret): boolean =>
  pattern !== null && text.search(pattern) >= 0;

/** A key or a token that cannot be masked in its place counts too. */
function containsSecret(text: string, secret: Secret): boolean {
  if (containsKey(text, secret)) return true;
  if (!text.includes('%')) return false;
  return containsCredential(percentDecoded(text)) && !containsCredential(text);
}

function storablePairs(
  pairs: Iterable<readonly [string, string]>,
  secret: Secret,
): Record<string, string> {
  const stored: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    // MongoDB stores no field name with NUL.
    const isValidName = name.length <= maxNameChars && !name.includes('\0');
    const fits = isValidName && value.length <= maxValueChars;
    if (!fits || name in stored) continue;
    if (containsSecret(value, secret) || containsSecret(name, secret)) continue;
    if (containsCredential(name)) continue;
    if (++count > maxNames) break;
    stored[name] = containsCredential(value) ? maskSecrets(value) : value;
  }
  return stored;
}

function* headerPairs(headers: StorableRequest['headers']): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || droppedHeaders.has(name)) continue;
    yield [name, Array.isArray(value) ? value.join(', ') : value];
  }
}

/** Without them and the key itself, a body has no form of the key. */
const escapeMarkers = ['%', String.raw`\u00`];

/** Returns the body with each repetition of the key overwritten; without one, the same buffer. */
function redactBody(body: Buffer, { text, pattern }: Secret): Buffer {
  if (!pattern || ![text, ...escapeMarkers].some((part) => body.includes(part))) return body;
  const before = body.toString('latin1');
  const after = before.replaceAll(pattern, '*'.repeat(text.length));
  return after === before ? body : Buffer.from(after, 'latin1');
}

/** Returns the content type without its parameters when they contain the key; empty when the type itself does. */
function contentTypeWithoutKey(contentType: string, secret: Secret): string {
  const [type = ''] = contentType.split(';', 1);
  const isClean = (text: string) => !containsCredential(text) && !containsSecret(text, secret);
  return [contentType, type].find(isClean) ?? '';
}
