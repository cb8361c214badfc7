/**
 * The one translator from errors to answers.
 *
 * Promises: a known error answers by its kind and code; anything else is 500 `internal`, logged whole.
 * Must never: put a stack, a path or a payload into an answer.
 */
import type { ErrorRequestHandler } from 'express';
import { AppError, type ErrorKind } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { errorBody, languageOf, requestIdOf, sendJson } from './envelope.ts';

export const statusOf: Readonly<Record<ErrorKind, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  internal: 500,
  unavailable: 503,
};

/** Express throws URIError where a path cannot be decoded: such a path names nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError('not_found');
  return new AppError('internal', { cause: error });
}

export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  // oxlint-disable-next-line max-params
  return (thrown: unknown, request, response, _next) => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(response);
    if (error.kind === 'internal') logger.error({ err: thrown, requestId }, 'http.failed');
    if (error.kind === 'unavailable') logger.warn({ err: thrown, requestId }, 'http.unavailable');
    if (response.headersSent) {
      request.socket.destroy();
      return;
    }
    if (error.details.allow !== undefined) response.setHeader('Allow', error.details.allow);
    if (error.retryAfterMs !== undefined) {
      response.setHeader('Retry-After', Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
    }
    const body = errorBody(error, languageOf(request), requestId);
    sendJson(response, statusOf[error.kind], body);
  };
}
