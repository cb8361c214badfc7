/**
 * The error handler: the only translation from errors to HTTP answers.
 *
 * Promises: an AppError is answered by its kind and code. Any other error is 500 `internal` and logged with its cause. A
 * sender that is rejected before its body is complete can read the answer; then the connection is closed.
 * Must never: put a stack, a path or a payload into an answer.
 */
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Request } from 'express';
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
  timeout: 408,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  expectation: 417,
  unprocessable: 422,
  limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
};

/** Returns the error as an AppError. Express throws URIError for a path that cannot be decoded: that is `not_found`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError('not_found');
  return new AppError('internal', { cause: error });
}

/** How long the rest of a rejected body is read and dropped, so that the sender can read the answer. */
const lingerMs = 2_000;

/** Sends the answer at once. Closes the connection when the sender has finished, or after `lingerMs`. */
function sendEarly(request: Request, response: ServerResponse, body: Buffer): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.setHeader('Connection', 'close');
  response.write(body);
  request.once('end', end).once('close', end).resume();
}

/** Never throws. */
export type AnswerError = (thrown: unknown, request: Request, response: ServerResponse) => void;

export function createErrorAnswer(logger: Logger): AnswerError {
  const outage = createOutageLog(logger);
  function answer(thrown: unknown, request: Request, response: ServerResponse): void {
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
  }

  return (thrown, request, response) => {
    try {
      answer(thrown, request, response);
    } catch (error) {
      logger.error({ err: error }, 'http.failed');
      request.socket.destroy();
    }
  };
}

export function createErrorHandler(answerError: AnswerError): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  // oxlint-disable-next-line max-params
  return (thrown: unknown, request, response, _next) => answerError(thrown, request, response);
}
