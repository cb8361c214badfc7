/**
 * What is kept of a request: the body, and the few headers and query values that a mapping may read.
 * Must never keep the path key, wherever a producer or a proxy may have repeated it, nor another credential.
 */
import type { Delivery } from '../domain/event.ts';

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

function kept(pairs: Iterable<readonly [string, string]>, key: string): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of pairs) {
    const fits = name.length <= maxNameChars && value.length <= maxValueChars;
    const leaks = key !== '' && (value.includes(key) || name.includes(key));
    if (!fits || leaks || name in result) continue;
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

/** The body with every repetition of the key blotted out, byte for byte. */
function blotted(body: Buffer, key: string): Buffer {
  if (key === '' || !body.includes(key)) return body;
  const clean = Buffer.from(body);
  for (let at = clean.indexOf(key); at >= 0; at = clean.indexOf(key, at)) {
    clean.fill('*', at, at + key.length);
  }
  return clean;
}

export const deliveryOf = (request: RequestParts, body: Buffer): Delivery => ({
  body: blotted(body, request.key),
  contentType: request.contentType ?? '',
  headers: kept(headerPairs(request.headers), request.key),
  query: kept(request.query, request.key),
});
