/**
 * Requests with an Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): which routes accept it, which requests
 * are the same, and which answers are stored.
 *
 * Promises: a repetition is answered as the first request was, even if the resource has changed since. Server errors and
 * answers with `Retry-After` are not stored. Of an answer that is too large to store, a repetition gets a conflict with the id
 * of what was made.
 */
import type { Request, Response } from 'express';
import canonicalize from 'canonicalize';
import { AppError } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';
import { sha256 } from '../../base/ids.ts';
import { errorBody, requestIdOf } from '../envelope.ts';
import { statusOf, toAppError } from '../error-handler.ts';
import { isConversationRoute, type Call, type RawBody, type Route } from '../routing/route.ts';
import { textWith } from '../../base/texts/texts.ts';

export type IdempotentRequest = {
  readonly isAnswered: boolean;
  /**
   * Executes the work, or returns the stored response. `asked` is the whole request. A failure of the work is not
   * stored; the key is released at once only if nothing was changed.
   * Throws `invalid_field` if the key was used for another request, `conflict` while the first request is in
   * progress.
   */
  once<Answer>(asked: string, work: IdempotentWork<Answer>): Promise<IdempotentResult<Answer>>;
};

export type IdempotentResult<Answer> = { readonly answer: Answer; readonly isRepeated: boolean };

export type IdempotentWork<Answer> = {
  readonly execute: () => Promise<Answer>;
  /** Returns the short answer that is stored instead of one that is too large. */
  readonly shorten: (answer: Answer) => Answer;
};

type Attempted = {
  /** The secret of the token or the session. */
  readonly secret: string;
  readonly key: string;
  readonly tokenId: string;
};

export const idempotencyHeader = 'Idempotency-Key';

/** Opens the request with this key of this token. Rejects with `unavailable`. */
export type Attempt = (attempted: Attempted) => Promise<IdempotentRequest>;

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly tag: string | null;
  readonly isWhole: boolean;
};

/** A quoted string, as in the draft, or a bare one. */
const keyShape = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

/** Routes that require only `viewer`, such as preview and diff, change nothing and are always executed. */
export const acceptsIdempotencyKey = ({ method, path, scope }: Route): boolean =>
  method === 'POST' && path.startsWith('/v1/') && scope !== 'viewer' && scope !== 'any';

/** The longest key of the conversations API, in characters. Other routes take 255. */
const maxConversationKey = 200;

/** Returns the key; undefined without a key, for an invalid key, and for routes that do not accept it. */
export function idempotencyKeyOf(request: Request, route: Route): string | undefined {
  const given = request.get(idempotencyHeader);
  if (given === undefined || !acceptsIdempotencyKey(route)) return undefined;
  const [, quoted, bare] = keyShape.exec(given.trim()) ?? [];
  const key = quoted ?? bare;
  return isConversationRoute(route) && (key?.length ?? 0) > maxConversationKey ? undefined : key;
}

/** Throws `invalid_field` for an invalid key. The contract's order puts this check after those of path and body. */
export function requireValidIdempotencyKey(request: Request, route: Route): void {
  const isGiven = request.get(idempotencyHeader) !== undefined && acceptsIdempotencyKey(route);
  if (!isGiven || idempotencyKeyOf(request, route) !== undefined) return;
  const most = isConversationRoute(route) ? maxConversationKey : 255;
  const message = textWith('field.idempotency_key', { max: most });
  throw new AppError('invalid_field', {
    details: { fields: [{ path: idempotencyHeader, message }] },
  });
}

/** Returns the text that identifies the request. The order of the body's members does not matter. */
function fingerprintOf(request: Request, route: Route, call: Call): string {
  const body =
    route.body === 'raw'
      ? [(call.body as RawBody).contentType, (call.body as RawBody).bytes.toString('base64')]
      : call.body;
  const files = call.files.map(({ type, name, bytes }) => ({ type, name, hash: sha256(bytes) }));
  const whole = files.length > 0 ? { body, files } : body;
  return `${request.method} ${request.originalUrl}\n${canonicalize(whole) ?? ''}`;
}

type Exchange = { readonly request: Request; readonly response: Response; readonly route: Route };

export async function answerIdempotently(
  { request, response, route }: Exchange,
  { attempt, call }: { readonly attempt: IdempotentRequest; readonly call: Call },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const requestId = requestIdOf(response);
  const { answer, isRepeated } = await attempt.once(fingerprintOf(request, route, call), {
    execute: () => work().catch((thrown: unknown) => rejectionOf(thrown, call, requestId)),
    shorten: (whole) => tooLarge(whole, call, requestId),
  });
  if (isRepeated) response.setHeader('Idempotency-Replayed', 'true');
  return answer;
}

function tooLarge({ body }: Answer, { language }: Call, requestId: string): Answer {
  const { data } = body as { readonly data?: { readonly id?: unknown } };
  const id = typeof data?.id === 'string' ? { id: data.id } : {};
  const error = new AppError('conflict', { details: { state: 'already_executed', ...id } });
  return rejected(error, language, requestId);
}

const rejected = (error: AppError, language: Language, requestId: string): Answer => ({
  status: statusOf[error.kind],
  body: errorBody(error, language, requestId),
  tag: null,
  isWhole: false,
});

/** Returns the answer of an error that a repetition would get too. Rethrows any other error. */
function rejectionOf(thrown: unknown, { language }: Call, requestId: string): Answer {
  const error = toAppError(thrown);
  const status = statusOf[error.kind];
  if (status >= 500 || error.retryAfterMs !== undefined) throw thrown;
  return rejected(error, language, requestId);
}
