/**
 * What is stored of a rejected request: headers and query as of an accepted one, and the beginning of the body.
 * Must never store the path key, also when the cut would leave a part of it.
 */
import { AppError } from '../../base/errors.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import {
  maxRejectionBytes,
  type Rejection,
  type RejectionCode,
} from '../../domain/webhooks/rejection.ts';
import { inboundRequestOf } from '../inbound-request.ts';
import type { SenderRequest } from '../sender-request.ts';

/** The beginning of a body, long enough to find a path key that lies across the end of what is stored. */
export const maxExcerptBytes = 2 * maxRejectionBytes;

export type BodyExcerpt = {
  readonly excerpt: Buffer;
  /** Length of the body; null when its end was not read and the sender did not announce it. */
  readonly bytes: number | null;
  /** Whether `excerpt` is the whole body. */
  readonly isWhole: boolean;
};

/** A request with a valid key that was not accepted. */
export type RejectedRequest = Pick<Rejection, '_id' | 'webhookId' | 'receivedAt' | 'detail'> & {
  readonly code: RejectionCode;
  readonly address: string;
  readonly request: Pick<SenderRequest, 'key' | 'headers' | 'query'>;
};

type StoredBody = Pick<Rejection, 'bytes' | 'body' | 'complete'>;

const noBytes = Buffer.alloc(0);

/** Copies the beginning of a body, so that the rest can leave memory. */
export const excerptOf = (body: Buffer): BodyExcerpt => ({
  excerpt: Buffer.from(body.subarray(0, maxExcerptBytes)),
  bytes: body.length,
  isWhole: body.length <= maxExcerptBytes,
});

export function storableRejection(
  rejected: RejectedRequest & { readonly body: BodyExcerpt | null },
): Rejection {
  const { request: sent, body: excerpt, ...rest } = rejected;
  const { key, headers } = sent;
  const storable = {
    key,
    headers,
    contentType: headers['content-type'],
    query: new URLSearchParams(sent.query),
  };
  const request = withoutKey(storable, excerpt?.excerpt ?? noBytes);
  const { contentType, headers: stored, query } = request;
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  // Nobody can read a compressed body, so nobody could find a person in it to erase.
  const body = excerpt && isPlain ? storableBody(excerpt, request.body) : nothingOf(excerpt);
  return { ...rest, contentType, headers: stored, query, ...body };
}

const nothingOf = (excerpt: BodyExcerpt | null): StoredBody => ({
  bytes: excerpt?.bytes ?? null,
  body: null,
  complete: false,
});

type WithoutKey = Omit<InboundRequest, 'body'> & { readonly body: Buffer | null };

/** `body` is null when the key is hidden in it too deeply to be found. */
function withoutKey(storable: Parameters<typeof inboundRequestOf>[0], excerpt: Buffer): WithoutKey {
  try {
    return inboundRequestOf(storable, excerpt);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...inboundRequestOf(storable, noBytes), body: null };
  }
}

/** `clean` is the excerpt without the key. */
function storableBody(excerpt: BodyExcerpt, clean: Buffer | null): StoredBody {
  const { bytes, isWhole } = excerpt;
  if (!clean) return nothingOf(excerpt);
  if (isWhole && clean.length <= maxRejectionBytes) return { bytes, body: clean, complete: true };
  // Behind the end of the excerpt the key may go on. The beginning is safe when the key is nowhere in the excerpt.
  if (clean !== excerpt.excerpt) return nothingOf(excerpt);
  return { bytes, body: clean.subarray(0, maxRejectionBytes), complete: false };
}
