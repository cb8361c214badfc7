/**
 * What the path of a request under /v1/webhook says.
 *
 * Promises: it is taken off the request, so that nothing behind can log the key or what was asked for by it. Everything
 * that is no route has the empty key, which nobody has.
 */
import type { Request } from 'express';
import type { ReceiptQuery } from '../../receiving/receipts.ts';

type Place = 'delivery' | 'receipt' | 'nothing';

export type RequestTarget = {
  readonly route: Place;
  readonly key: string;
  readonly query: string;
  /** Null where no event can be meant. */
  readonly receiptQuery: ReceiptQuery | null;
};

const templates: Readonly<Record<Place, string>> = {
  delivery: '/v1/webhook/:keyapi',
  receipt: '/v1/webhook/:keyapi/receipts/:externalId',
  nothing: '/v1/webhook/:keyapi',
};

/** Reads what the path and query say, and leaves nothing of them on the request. */
export function extractTarget(request: Request): RequestTarget {
  const [path = '', ...rest] = request.url.split('?');
  const query = rest.join('?');
  const target = targetOf(path.slice(1).split('/'));
  request.url = '/';
  request.originalUrl = templates[target.route];
  return { ...target, query };
}

function targetOf(segments: readonly string[]): Omit<RequestTarget, 'query'> {
  const [first = '', room, ...named] = segments;
  const key = decoded(first) ?? first;
  const nothing = { route: 'nothing', key: '', receiptQuery: null } as const;
  if (segments.includes('')) return nothing;
  if (room === undefined) return { route: 'delivery', key, receiptQuery: null };
  const [name = '', hash] = named;
  if (room !== 'receipts' || named.length === 0 || named.length > 2) return nothing;
  if (hash === undefined) return { route: 'receipt', key, receiptQuery: byId(name) };
  if (name !== 'by-body') return nothing;
  return { route: 'receipt', key, receiptQuery: byBody(hash) };
}

/** What cannot be decoded is an id that nothing has. */
function byId(segment: string): ReceiptQuery | null {
  const externalId = decoded(segment);
  return externalId === null ? null : { externalId };
}

const byBody = (segment: string): ReceiptQuery | null =>
  /^[0-9a-fA-F]{64}$/.test(segment) ? { bodySha256: segment.toLowerCase() } : null;

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
