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
  /** The decoded body; null for one that cannot be decoded. Only some schemes read it. */
  readonly decodedBody?: unknown;
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

/**
 * Fills in the scheme's template. Returns null when the request lacks a part of it. A template with the URL has two contents: some
 * senders sign the URL without its port, and some with the port of the scheme.
 */
export function createSignedContents(
  request: SignedRequest,
  scheme: HmacScheme | HashScheme,
  timestamp: string | null,
): readonly SignedContent[] | null {
  const values: Record<string, () => string | Buffer | null> = {
    body: () => request.rawBody,
    timestamp: () => timestamp,
    id: () => (scheme.id ? headerOf(request, scheme.id.header) : null),
    method: () => request.method,
    params: () => paramsOf(request),
  };
  const urls = urlsOf(request.url);
  const parts: ((given: { secret: string; url: string }) => string | Buffer)[] = [];
  let hasUrl = false;
  // Splitting by a pattern with one group alternates text and names.
  for (const [i, piece] of (scheme.signed ?? '{body}').split(placeholders).entries()) {
    if (i % 2 === 0) parts.push(() => piece);
    else if (piece === 'secret') parts.push(({ secret }) => secret);
    else if (piece === 'url') {
      hasUrl = true;
      parts.push(({ url }) => url);
    } else {
      const value = values[piece]?.() ?? null;
      if (value === null) return null;
      parts.push(() => value);
    }
  }
  if (hasUrl && urls.length === 0) return null;
  return (hasUrl ? urls : ['']).map(
    (url) => (secret) => parts.map((part) => part({ secret, url })),
  );
}

const maxSignedParameters = 2_000;

function hasMoreThan(most: number, text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('&'); at >= 0 && count <= most; at = text.indexOf('&', at + 1))
    count += 1;
  return count > most;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };
const origin = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/i;

/** The URL as it was called, and without its port, or with that of its scheme if it has none. */
function urlsOf(url: string | undefined): readonly string[] {
  if (url === undefined) return [];
  const [start, scheme = '', host = '', port] = origin.exec(url) ?? [];
  if (start === undefined) return [url];
  const other = port === undefined ? `:${defaultPorts[scheme.toLowerCase()] ?? ''}` : '';
  return [url, `${scheme}://${host}${other}${url.slice(start.length)}`];
}

/**
 * Returns what Twilio signs: the names and values of the form's parameters, sorted by name. Any other body is signed by its
 * hash in the URL; null when that hash is wrong.
 */
function paramsOf({ headers, rawBody, url = '' }: SignedRequest): string | null {
  const contentType = headerOf({ headers }, 'content-type') ?? undefined;
  if (bodyTypeOf(contentType)?.format === 'form') {
    const text = rawBody.toString('utf8');
    // A message has about 30 parameters. Sorting 300,000 takes a quarter of a second, also for a wrong signature.
    if (hasMoreThan(maxSignedParameters, text)) return null;
    const pairs = [...new URLSearchParams(text)];
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
