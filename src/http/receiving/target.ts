/**
 * Parses the path of a request under /v1/webhook.
 *
 * Promises: the path is taken off the request, so nothing later can log the key or an external id. A path that is no route
 * gets the empty key, which belongs to no webhook.
 */
import type { IncomingMessage } from 'node:http';
import type { ReceiptQuery } from '../../receiving/receipts.ts';

type RouteName = 'webhook' | 'receipt' | 'unknown';

export type RequestTarget = {
  readonly route: RouteName;
  readonly key: string;
  /** Without the question mark. */
  readonly query: string;
  /** Null when no event can match. */
  readonly receiptQuery: ReceiptQuery | null;
};

/** The template of each route, for the log and for traces. */
export const templates: Readonly<Record<RouteName, string>> = {
  webhook: '/v1/webhook/:keyapi',
  receipt: '/v1/webhook/:keyapi/receipts/:externalId',
  unknown: '/v1/webhook/:keyapi',
};

/**
 * Returns the parsed target of a request whose URL begins below /v1/webhook, and replaces the URL by the route's template.
 */
export function extractTarget(request: IncomingMessage & { originalUrl?: string }): RequestTarget {
  const { url = '' } = request;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const query = end === -1 ? '' : url.slice(end + 1);
  const target = parsePath(path.slice(1).split('/'));
  request.url = '/';
  request.originalUrl = templates[target.route];
  return { ...target, query };
}

function parsePath(segments: readonly string[]): Omit<RequestTarget, 'query'> {
  const [first = '', collection, ...rest] = segments;
  const key = decode(first) ?? first;
  const unknown = { route: 'unknown', key: '', receiptQuery: null } as const;
  if (segments.includes('')) return unknown;
  if (collection === undefined) return { route: 'webhook', key, receiptQuery: null };
  const [id = '', hash] = rest;
  if (collection !== 'receipts' || rest.length === 0 || rest.length > 2) return unknown;
  if (hash === undefined) return { route: 'receipt', key, receiptQuery: queryById(id) };
  if (id !== 'by-body') return unknown;
  return { route: 'receipt', key, receiptQuery: queryByBody(hash) };
}

/** Returns null for a segment that cannot be decoded: no event has such an id. */
function queryById(segment: string): ReceiptQuery | null {
  const externalId = decode(segment);
  return externalId === null ? null : { externalId };
}

const queryByBody = (segment: string): ReceiptQuery | null =>
  /^[0-9a-fA-F]{64}$/.test(segment) ? { bodySha256: segment.toLowerCase() } : null;

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
