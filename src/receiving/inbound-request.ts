/**
 * The part of a request that is stored: the body, and the headers and query values that a mapping may read.
 * Must never store the path key, in any encoding in which a sender or a proxy may repeat it, or another credential in a header
 * or a query. A body keeps other credentials, because its bytes are signed and hashed: they are masked when it is shown.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../base/errors.ts';
import { containsCredential, keyPrefix, maskSecrets } from '../base/observability/logger.ts';
import { base64FragmentsOf } from '../base/secrets/base64-fragments.ts';
import type { InboundRequest } from '../domain/events/event.ts';
import { escapes, unescaped } from './key-escapes.ts';
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
export function inboundRequestOf(request: StorableRequest, body: Buffer): InboundRequest {
  const spellings = spellingsOf(request.key);
  return {
    body: redactBody(body, spellings),
    contentType: contentTypeWithoutKey(request.contentType ?? '', spellings),
    headers: storablePairs(headerPairs(request.headers), spellings),
    query: storablePairs(request.query, spellings),
  };
}

/** The secret part of the key, and how base64 writes it. */
type Spellings = readonly string[];

/** Of the keys of the last requests. */
const knownSpellings = new LRUCache<string, Spellings>({ max: 1_000 });

function spellingsOf(key: string): Spellings {
  const known = knownSpellings.get(key);
  if (known) return known;
  const secret = secretPartOf(key);
  const spellings = [secret, ...base64FragmentsOf(secret)].filter((spelling) => spelling !== '');
  knownSpellings.set(key, spellings);
  return spellings;
}

/** The prefix of a key is public, and a sender may cut it off. */
const secretPartOf = (key: string): string =>
  key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key;

/** A proxy repeats the path as it was sent, in which any character may be percent-encoded. */
const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** A key or a token that cannot be masked in its place counts too. */
const containsSecret = (text: string, spellings: Spellings): boolean => {
  if (!text.includes('%')) return spellings.some((secret) => text.includes(secret));
  const decoded = percentDecoded(text);
  const isHidden = decoded !== text && containsCredential(decoded) && !containsCredential(text);
  return isHidden || spellings.some((secret) => text.includes(secret) || decoded.includes(secret));
};

function storablePairs(
  pairs: Iterable<readonly [string, string]>,
  spellings: Spellings,
): Record<string, string> {
  const stored: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    // MongoDB stores no field name with NUL.
    const isValidName = name.length <= maxNameChars && !name.includes('\0');
    const fits = isValidName && value.length <= maxValueChars;
    if (!fits || name in stored) continue;
    if (containsSecret(value, spellings) || containsSecret(name, spellings)) continue;
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

/** Encodings inside each other from which a key is removed. A body with more is rejected. */
const maxLayers = 8;

/**
 * Returns the body with each repetition of the key overwritten; without one, the same buffer. Throws `invalid_body` when
 * the key is nested in more than 8 encodings.
 */
function redactBody(body: Buffer, spellings: Spellings): Buffer {
  let clean = body;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const found = variantsOf(clean).find((text) =>
      spellings.some((secret) => text.includes(secret)),
    );
    if (!found) return clean;
    clean = overwrite(found, spellings);
  }
  throw new AppError('invalid_body', { internal: 'The body repeats its path key too deeply.' });
}

const variantsOf = (body: Buffer): Buffer[] => [
  body,
  ...escapes.filter(({ marker }) => body.includes(marker)).map((escape) => unescaped(body, escape)),
];

function overwrite(body: Buffer, spellings: Spellings): Buffer {
  const clean = Buffer.from(body);
  for (const secret of spellings) {
    const { length } = secret;
    for (let at = clean.indexOf(secret); at >= 0; at = clean.indexOf(secret, at + length)) {
      clean.fill('*', at, at + length);
    }
  }
  return clean;
}

/** Returns the content type without its parameters when they contain the key; empty when the type itself does. */
function contentTypeWithoutKey(contentType: string, spellings: Spellings): string {
  const [type = ''] = contentType.split(';', 1);
  const isClean = (text: string) => !containsCredential(text) && !containsSecret(text, spellings);
  return [contentType, type].find(isClean) ?? '';
}
