/**
 * What is kept of a request: the body, and the few headers and query values that a mapping may read.
 * Must never keep the path key, wherever a producer or a proxy may have repeated it, nor another credential.
 */
import { AppError } from '../base/errors.ts';
import { keyPrefix } from '../base/observability/logger.ts';
import type { InboundRequest } from '../domain/events/event.ts';

const maxNames = 64;
const maxNameChars = 128;
const maxValueChars = 2_048;

/** Credentials, and what speaks of the connection and not of the event. */
const neverKept = new Set([
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

export type RequestParts = {
  readonly key: string;
  readonly contentType: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
};

/** A request as a sender's scheme may have signed it. */
export type SenderRequest = RequestParts & {
  readonly method: string;
  /** As the sender called it, the key included. */
  readonly url: string;
};

/** What makes a key a secret is behind its prefix, which is the part that gets cut off or written otherwise. */
const secretOf = (key: string): string =>
  key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key;

/** A proxy repeats the path as it was sent, where any character may be percent-encoded. */
const withoutPercents = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-fA-F])/g, (_whole, hex: string) => fromHex(hex));

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const leaks = (text: string, secret: string): boolean =>
  text.includes(secret) || withoutPercents(text).includes(secret);

function kept(pairs: Iterable<readonly [string, string]>, key: string): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  const secret = secretOf(key);
  let count = 0;
  for (const [name, value] of pairs) {
    // A document key cannot hold NUL.
    const isKey = name.length <= maxNameChars && !name.includes('\0');
    const fits = isKey && value.length <= maxValueChars;
    if (!fits || name in result || leaks(value, secret) || leaks(name, secret)) continue;
    if (++count > maxNames) break;
    result[name] = value;
  }
  return result;
}

function* headerPairs(headers: RequestParts['headers']): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || neverKept.has(name)) continue;
    yield [name, Array.isArray(value) ? value.join(', ') : value];
  }
}

/** Characters that a key is made of, as hexadecimal: - 0-9 A-Z _ a-z. */
const keyHex = '(2[dD]|3\\d|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aA])';

/** How formats write such a character otherwise: JSON, forms, XML. What must be stepped over is matched too. */
const spellings: readonly {
  readonly sign: string;
  readonly shape: RegExp;
  readonly base: 10 | 16;
}[] = [
  { sign: '\\u00', shape: new RegExp(`\\\\(?:u00${keyHex}|.)`, 'gs'), base: 16 },
  { sign: '%', shape: new RegExp(`%${keyHex}`, 'g'), base: 16 },
  { sign: '&#x', shape: new RegExp(`&#x0{0,6}${keyHex};`, 'g'), base: 16 },
  {
    sign: '&#',
    shape: /&#0{0,6}(4[589]|5[0-7]|6[5-9]|[78]\d|9[05789]|1[01]\d|12[0-2]);/g,
    base: 10,
  },
];

/** The same text with those characters as they are; byte for byte (Latin-1), so that nothing else changes. */
const spelledOut = (body: Buffer, { shape, base }: (typeof spellings)[number]): Buffer =>
  Buffer.from(
    body
      .toString('latin1')
      .replaceAll(shape, (whole, code?: string) =>
        code === undefined ? whole : String.fromCharCode(Number.parseInt(code, base)),
      ),
    'latin1',
  );

/** Ways of writing inside ways of writing; beyond them the body is made to cost time. */
const maxLayers = 8;

/**
 * The body with every repetition of the key blotted out; as it came, byte for byte, where there is none. Throws
 * `invalid_body` where the key is wrapped deeper than anybody writes.
 */
function blotted(body: Buffer, key: string): Buffer {
  const secret = secretOf(key);
  let clean = body;
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const found = writtenOut(clean).find((text) => text.includes(secret));
    if (!found) return clean;
    clean = blot(found, secret);
  }
  throw new AppError('invalid_body', { internal: 'The body repeats its path key too deeply.' });
}

const writtenOut = (body: Buffer): Buffer[] => [
  body,
  ...spellings
    .filter(({ sign }) => body.includes(sign))
    .map((spelling) => spelledOut(body, spelling)),
];

function blot(body: Buffer, secret: string): Buffer {
  const clean = Buffer.from(body);
  for (let at = clean.indexOf(secret); at >= 0; at = clean.indexOf(secret, at)) {
    clean.fill('*', at, at + secret.length);
  }
  return clean;
}

/** Without its parameters where they have the key; without anything where the type itself does. */
function typeWithoutKey(contentType: string, key: string): string {
  const secret = secretOf(key);
  const [type = ''] = contentType.split(';', 1);
  return [contentType, type].find((text) => !leaks(text, secret)) ?? '';
}

export const inboundRequestOf = (request: RequestParts, body: Buffer): InboundRequest => ({
  body: blotted(body, request.key),
  contentType: typeWithoutKey(request.contentType ?? '', request.key),
  headers: kept(headerPairs(request.headers), request.key),
  query: kept(request.query, request.key),
});
