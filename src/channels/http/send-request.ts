/**
 * Sends one request.
 *
 * Promises: it ends within its timeout, follows no redirect, and reads at most 64 KiB of the answer. Each request opens its
 * own connection, so no stale one fails a message, and the address of each is checked.
 */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect as connectPlain, isIP, type LookupFunction } from 'node:net';
import { connect as connectSecure } from 'node:tls';

type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for GET. */
  readonly body: string;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
};

type RequestResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The first 64 KiB, or what arrived before the timeout. */
      readonly body: string;
    }
  /** `isSent`: the connection was open, so the destination may have the message. */
  | { readonly kind: 'failed'; readonly error: Error; readonly isSent: boolean };

const maxAnswerBytes = 65_536;

/** Never rejects. */
export function sendRequest({
  method,
  url,
  headers,
  body,
  lookup,
  timeoutMs,
}: HttpRequest): Promise<RequestResult> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isSent = false;
    let answered: (() => RequestResult) | undefined;
    const request = (isSecure ? requestSecure : requestPlain)(url, {
      method,
      headers: {
        ...headers,
        ...(method === 'POST' && { 'content-length': Buffer.byteLength(body) }),
      },
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => (isSent = true)),
    );
    request.once('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const read = readBody(response, () => resolve(answer()));
      const answer = (): RequestResult => ({
        kind: 'answered',
        status,
        retryAfter: received['retry-after'],
        body: read(),
      });
      answered = answer;
    });
    // Without a listener Node closes the socket, and the request ends with no event, not even that of its timeout.
    request.once('upgrade', ({ statusCode: status = 101 }, socket) => {
      socket.destroy();
      resolve({ kind: 'answered', status, retryAfter: undefined, body: '' });
    });
    // A timeout in the middle of an answer keeps its status, which is what matters.
    request.on('error', (error) => resolve(answered?.() ?? { kind: 'failed', error, isSent }));
    request.end(body);
  });
}

/** Opens a connection and closes it. Returns what kept it from opening. Never rejects. */
export function openConnection({
  url,
  lookup,
  timeoutMs,
}: Pick<HttpRequest, 'url' | 'lookup' | 'timeoutMs'>): Promise<Error | null> {
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (isSecure ? 443 : 80));
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectSecure({ host, port, lookup, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain({ host, port, lookup });
    const end = (error: Error | null) => {
      socket.destroy();
      resolve(error);
    };
    socket.setTimeout(timeoutMs, () => end(new DOMException('', 'TimeoutError')));
    socket.once(isSecure ? 'secureConnect' : 'connect', () => end(null));
    socket.on('error', end);
  });
}

/**
 * Reads a short answer to its end: some destinations roll back when the caller closes the connection early. Returns a function
 * that returns what was read so far.
 */
function readBody(response: IncomingMessage, done: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) response.destroy();
    else chunks.push(chunk);
  });
  response.on('error', () => {});
  response.once('close', done);
  return () => String(Buffer.concat(chunks));
}
