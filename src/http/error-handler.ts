/**
 * The one translator from errors to answers.
 *
 * Promises: a known error answers by its kind and code; anything else is 500 `internal`, logged whole. Who is refused
 * before the whole body has come gets to read the answer, and then a closed connection.
 * Must never: put a stack, a path or a payload into an answer.
 */
import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, type ErrorKind } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';
import { errorBody, languageOf, prepareJson, requestIdOf, setQuotaHeaders } from './envelope.ts';
import { createOutageLog } from './outage-log.ts';

export const statusOf: Readonly<Record<ErrorKind, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  limited: 429,
  internal: 500,
  unavailable: 503,
};

/** Express throws URIError where a path cannot be decoded: such a path names nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError('not_found');
  return new AppError('internal', { cause: error });
}

/** How long, at most, the rest of a refused body is read and dropped, so that its sender gets to see the answer. */
const lingerMs = 2_000;

/** The answer leaves at once; the connection is closed when the sender has finished, or has had its time. */
function sendEarly(request: Request, response: Response, body: Buffer): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.setHeader('Connection', 'close');
  response.write(body);
  request.once('end', end).once('close', end).resume();
}

export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  const outage = createOutageLog(logger);
  // Express knows an error handler by its four parameters.
  // oxlint-disable-next-line max-params
  return (thrown: unknown, request, response, _next) => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(response);
    if (error.kind === 'internal') logger.error({ err: thrown, requestId }, 'http.failed');
    if (error.kind === 'unavailable') outage.note(error, requestId);
    if (response.headersSent) {
      request.socket.destroy();
      return;
    }
    if (error.details.allow !== undefined) response.setHeader('Allow', error.details.allow);
    if (error.retryAfterMs !== undefined) {
      response.setHeader('Retry-After', Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
    }
    if (error.quota) setQuotaHeaders(response, 'RateLimit', error.quota);
    const value = errorBody(error, languageOf(request), requestId);
    const body = prepareJson(response, statusOf[error.kind], value);
    if (request.complete) response.end(body);
    else sendEarly(request, response, body);
  };
}
