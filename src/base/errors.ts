/**
 * The application's error class and its codes.
 *
 * Promises: a client sees the text of the code and the details; `message` and `cause` are for the log.
 * Must never: put a payload, a key or a path into the details.
 */
import type { Failure, Result } from './result.ts';
import { type Language, type PublicText, renderText } from './texts/texts.ts';

/** Category of an error. The module `http` maps it to a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'headers_too_large'
  | 'timeout'
  | 'expectation'
  | 'unsupported'
  | 'unprocessable'
  | 'limited'
  | 'internal'
  | 'unavailable';

/** Every error code of a response, by its kind. `docs/errors.md` is generated from these and their texts. */
export const errorKinds = {
  malformed_request: 'bad_request',
  expectation_failed: 'expectation',
  headers_too_large: 'headers_too_large',
  malformed_json: 'bad_request',
  invalid_body: 'bad_request',
  invalid_query: 'bad_request',
  invalid_key: 'unauthenticated',
  invalid_signature: 'unauthenticated',
  invalid_token: 'unauthenticated',
  forbidden: 'forbidden',
  source_not_allowed: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
  conflict: 'conflict',
  setup_incomplete: 'conflict',
  invalid_transition: 'conflict',
  precondition_failed: 'precondition',
  in_use: 'conflict',
  request_timeout: 'timeout',
  body_too_large: 'too_large',
  unsupported_media_type: 'unsupported',
  invalid_mapping: 'unprocessable',
  invalid_field: 'unprocessable',
  unbounded_query: 'unprocessable',
  rate_limited: 'limited',
  internal: 'internal',
  unavailable: 'unavailable',
  overloaded: 'unavailable',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;
export const errorCodes = Object.keys(errorKinds) as readonly ErrorCode[];

export const errorText = (code: ErrorCode, language: Language): string =>
  renderText(`error.${code}`, language);

/** One invalid part of a request. `path` is a JSON pointer into the body, or the name of a query parameter. */
export type FieldProblem = {
  readonly path: string;
  readonly message: PublicText;
  /**
   * Stable code of the problem, and the name or limit that it refers to. Only set for problems of a mapping
   * document.
   */
  readonly kind?: string;
  readonly about?: string;
};

type UsedBy = { readonly type: string; readonly id: string; readonly name: string };

/** Machine-readable details. They become part of `data` in the response. */
type ErrorDetails = {
  readonly fields?: readonly FieldProblem[];
  readonly state?: string;
  readonly missing?: readonly string[];
  /** Some of the resources that use this one. */
  readonly usedBy?: readonly UsedBy[];
  readonly allow?: string;
  /** The contact that blocks the change. */
  readonly contactId?: string;
  /** What the first request made, whose answer is not stored. */
  readonly id?: string;
  /** The chat that blocks the change. */
  readonly chatId?: string;
};

/** A rate limit: its size, what remains, and the time in milliseconds until it is fully available again. */
export type Quota = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
};

type ErrorOptions = {
  readonly details?: ErrorDetails;
  readonly retryAfterMs?: number;
  /** The rate limit that was exceeded. Sent in the `RateLimit-*` headers. */
  readonly quota?: Quota;
  readonly cause?: unknown;
  /** Message for the log; clients do not see it. */
  readonly internal?: string;
};

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;
  readonly retryAfterMs: number | undefined;
  readonly quota: Quota | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.internal ?? errorText(code, 'en'), { cause: options.cause });
    this.code = code;
    this.kind = errorKinds[code];
    this.details = options.details ?? {};
    this.retryAfterMs = options.retryAfterMs;
    this.quota = options.quota;
  }
}

/** Returns the record. Throws `not_found` if there is none. */
export function orNotFound<Found>(record: Found | null | undefined): Found {
  if (record === null || record === undefined) throw new AppError('not_found');
  return record;
}

type Refused = Failure & { readonly contactId?: string; readonly chatId?: string };

/** Returns the error of a refused change: `not_found`, `in_use`, or otherwise `code` with the reason as the state. */
export function refusal(
  { reason, contactId, chatId }: Refused,
  code: 'invalid_transition' | 'conflict' = 'invalid_transition',
): AppError {
  if (reason === 'not_found' || reason === 'in_use') return new AppError(reason);
  return new AppError(code, { details: { state: reason, contactId, chatId } });
}

/** Returns the value of a change. Throws as `refusal`. */
export function valueOrThrow<Value>(
  result: Result<Value, Refused>,
  code?: Parameters<typeof refusal>[1],
): Value {
  if (result.ok) return result.value;
  throw refusal(result, code);
}

/** Returns an `invalid_field` error for one field of the body. `path` is a JSON pointer. */
export const invalidField = (path: string, message: PublicText): AppError =>
  new AppError('invalid_field', { details: { fields: [{ path, message }] } });

/** Returns an `invalid_query` error for one query parameter. */
export const invalidQuery = (path: string, message: PublicText, cause?: unknown): AppError =>
  new AppError('invalid_query', { details: { fields: [{ path, message }] }, cause });
