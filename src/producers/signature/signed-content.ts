import { createHash } from 'node:crypto';
import type { HashScheme, HmacScheme } from '../../domain/webhooks/verification-settings.ts';
import { bodyTypeOf } from '../decode/content-type.ts';

export type SignedRequest = {
  readonly method: string;
  /** As the sender called it: scheme, host, path and query. Only some schemes sign it. */
  readonly url?: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The body as it was sent, before the key is redacted. */
  readonly rawBody: Buffer;
};

const maxHeaderLength = 8_192;

/** Returns null for a header that is absent, empty or longer than any signature. */
export function headerOf({ headers }: Pick<SignedRequest, 'headers'>, name: string): string | null {
  const value = headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined || text === '' || text.length > maxHeaderLength ? null : text;
}

/** Returns the signed content in pieces, so that the body is not copied. */
export type SignedContent = (secret: string) => (string | Buffer)[];

const placeholders = /\{(body|timestamp|id|url|method|params|secret)\}/;

/** Fills in the scheme's template. Returns null when the request lacks a part of it. */
export function createSignedContent(
  request: SignedRequest,
  scheme: HmacScheme | HashScheme,
  timestamp: string | null,
): SignedContent | null {
  const values: Record<string, () => string | Buffer | null> = {
    body: () => request.rawBody,
    timestamp: () => timestamp,
    id: () => (scheme.id ? headerOf(request, scheme.id.header) : null),
    url: () => request.url ?? null,
    method: () => request.method,
    params: () => paramsOf(request),
  };
  const secretHere = Symbol('secret');
  const parts: (string | Buffer | symbol)[] = [];
  // Splitting by a pattern with one group alternates text and names.
  for (const [i, piece] of (scheme.signed ?? '{body}').split(placeholders).entries()) {
    const value = i % 2 === 0 ? piece : piece === 'secret' ? secretHere : values[piece]?.();
    if (value === null || value === undefined) return null;
    parts.push(value);
  }
  return (secret) => parts.map((part) => (typeof part === 'symbol' ? secret : part));
}

/**
 * Returns what Twilio signs: the names and values of the form's parameters, sorted by name. Any other body is signed by its
 * hash in the URL; null when that hash is wrong.
 */
function paramsOf({ headers, rawBody, url = '' }: SignedRequest): string | null {
  const contentType = headerOf({ headers }, 'content-type') ?? undefined;
  if (bodyTypeOf(contentType)?.format === 'form') {
    const pairs = [...new URLSearchParams(rawBody.toString('utf8'))];
    const unique = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]));
    const sorted = [...unique.values()].toSorted(([a, x], [b, y]) =>
      a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1,
    );
    return sorted.flat().join('');
  }
  if (rawBody.length === 0) return '';
  const expected = /[?&]bodySHA256=([0-9a-f]{64})(?:[&#]|$)/i.exec(url)?.[1];
  const hash = createHash('sha256').update(rawBody).digest('hex');
  return expected?.toLowerCase() === hash ? '' : null;
}
