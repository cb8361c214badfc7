/**
 * Answers requests that never reach the application, because they violate HTTP: errors of Node's parser, a wrong number of
 * `Host` headers, a transfer coding that is not `chunked` alone, an unknown `Expect`.
 *
 * Promises: the answer has the envelope and an `X-Request-Id`, then the connection is closed. The answer to an earlier
 * request on the connection is sent first and not replaced.
 * Must never: put anything of the request into the answer or the log.
 */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { newRequestId } from '../../base/ids.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { errorBody } from '../envelope.ts';
import { statusOf } from '../error-handler.ts';
import type { Connections } from './connections.ts';

type LogRejection = Pick<Logger, 'info'>;

const codesOfParser: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Handles an error of the parser or of the socket. */
export function answerParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { connections, logger }: { connections: Connections; logger: LogRejection | undefined },
): void {
  const connection = connections.get(socket);
  // After an error of the socket nothing can be sent.
  if (!connection || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { current } = connection;
  const isOfLaterRequest = current?.req.complete === true;
  if (isOfLaterRequest && !isStreaming(current)) {
    connections.endAfterCurrent(connection);
    return;
  }
  if (current?.headersSent) {
    socket.destroy();
    return;
  }
  connection.isEnding = true;
  const { status, headers, body } = rejectionOf(codesOfParser[error.code ?? ''], logger);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.write(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
}

const isStreaming = ({ headersSent, writableEnded }: ServerResponse) =>
  headersSent && !writableEnded;

/** Returns the code of what is wrong with the message of a request; null if the application can answer it. */
export function violationOf(request: IncomingMessage): ErrorCode | null {
  const { headers, rawHeaders, httpVersion } = request;
  const isCurrent = httpVersion === '1.1';
  const hosts = countHosts(rawHeaders);
  // Two hosts: a proxy may have used the other one.
  if (hosts > 1 || (hosts === 0 && isCurrent)) return 'malformed_request';
  // Node reads a list of codings as if it were only the last one.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'malformed_request';
  const isUnknown = headers.expect !== undefined && !/^100-continue$/i.test(headers.expect);
  return isUnknown && isCurrent ? 'expectation_failed' : null;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

export function answerViolation(
  response: ServerResponse,
  code: ErrorCode,
  logger: LogRejection | undefined,
): void {
  const { status, headers, body } = rejectionOf(code, logger);
  response.writeHead(status, headers).end(body);
}

/** The language is English: the headers may be missing or in doubt. */
function rejectionOf(code: ErrorCode = 'malformed_request', logger: LogRejection | undefined) {
  const error = new AppError(code);
  const status = statusOf[error.kind];
  const requestId = newRequestId();
  if (logger) logger.info({ requestId, status, code }, 'http.malformed');
  const body = JSON.stringify(errorBody(error, 'en', requestId));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // As all answers under /v1/webhook.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  return { status, headers, body };
}
