/**
 * Requests that carry an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): which of them are done once, what
 * makes two of them the same, and what is kept of an answer.
 *
 * Promises: a repeat is answered as the first was, whatever has become of the thing meanwhile. What may be different next
 * time is not kept: failures of ours, and whatever says when to come back.
 */
import type { Request, Response } from 'express';
import canonicalize from 'canonicalize';
import { idempotencyHeader, type IdempotentRequest } from '../../admin/idempotency.ts';
import { AppError } from '../../base/errors.ts';
import { errorBody, requestIdOf } from '../envelope.ts';
import { statusOf, toAppError } from '../error-handler.ts';
import type { Call, RawBody, Route } from '../routing/route.ts';

/** Of an answer, all that makes it. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly tag: string | null;
  /** Whether the tag stands for everything that is shown. */
  readonly isWhole: boolean;
};

/** What the draft has as a quoted string; bare ones are taken as well. */
const keyShape = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** Preview, diff and the like need no more than `viewer`, and change nothing: they are answered anew. */
export const acceptsIdempotencyKey = ({ method, path, scope }: Route): boolean =>
  method === 'POST' && path.startsWith('/v1/admin/') && scope !== 'viewer';

/** Undefined where there is none, where it cannot be read, or where nothing depends on it. */
export function idempotencyKeyOf(request: Request, route: Route): string | undefined {
  const given = request.get(idempotencyHeader);
  if (given === undefined || !acceptsIdempotencyKey(route)) return undefined;
  const [, quoted, bare] = keyShape.exec(given.trim()) ?? [];
  return quoted ?? bare;
}

/** Throws `invalid_field`: later than a key is first looked for, in the order in which everything is checked. */
export function requireValidIdempotencyKey(request: Request, route: Route): void {
  const isGiven = request.get(idempotencyHeader) !== undefined && acceptsIdempotencyKey(route);
  if (!isGiven || idempotencyKeyOf(request, route) !== undefined) return;
  const message = 'must be 1 to 255 printable ASCII characters, best a UUID in quotation marks';
  throw new AppError('invalid_field', {
    details: { fields: [{ path: idempotencyHeader, message }] },
  });
}

/** All that makes a request what it is; members in another order are the same body. */
function askedBy(request: Request, route: Route, call: Call): string {
  const body =
    route.body === 'raw'
      ? [(call.body as RawBody).contentType, (call.body as RawBody).bytes.toString('base64')]
      : call.body;
  return `${request.method} ${request.originalUrl}\n${canonicalize(body) ?? ''}`;
}

type Asked = { readonly request: Request; readonly response: Response; readonly route: Route };

export async function answerIdempotently(
  { request, response, route }: Asked,
  { attempt, call }: { readonly attempt: IdempotentRequest; readonly call: Call },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { answer, isRepeated } = await attempt.once(askedBy(request, route, call), () =>
    work().catch((thrown: unknown) => refusalOf(thrown, call, requestIdOf(response))),
  );
  if (isRepeated) response.setHeader('Idempotency-Replayed', 'true');
  return answer;
}

/** A refusal that would be the same the next time is an answer; anything else is thrown on. */
function refusalOf(thrown: unknown, { language }: Call, requestId: string): Answer {
  const error = toAppError(thrown);
  const status = statusOf[error.kind];
  if (status >= 500 || error.retryAfterMs !== undefined) throw thrown;
  return { status, body: errorBody(error, language, requestId), tag: null, isWhole: false };
}
