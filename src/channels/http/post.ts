/**
 * One POST, and what is known of it afterwards.
 *
 * Promises: over within its time; follows no redirect; keeps nothing of the answer but status and `Retry-After`, and
 * reads at most 64 KiB of it. A connection of its own each time: none that went stale fails a message, and each is
 * judged by the address that it leads to.
 */
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';

export type PostRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
};

export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  /** `isSent`: there was a connection, so the destination may have the message. */
  | { readonly kind: 'failed'; readonly error: Error; readonly isSent: boolean };

const maxAnswerBytes = 65_536;

/** Never rejects. */
export function post({ url, headers, body, lookup, timeoutMs }: PostRequest): Promise<PostResult> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isSent = false;
    let answered: PostResult | undefined;
    const request = (isSecure ? requestSecure : requestPlain)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => (isSent = true)),
    );
    request.once('response', (response) => {
      const { statusCode: status = 0, headers: said } = response;
      const answer: PostResult = { kind: 'answered', status, retryAfter: said['retry-after'] };
      answered = answer;
      drain(response, () => resolve(answer));
    });
    // Also where the time ends in the middle of an answer, whose beginning says all that matters.
    request.on('error', (error) => resolve(answered ?? { kind: 'failed', error, isSent }));
    request.end(body);
  });
}

/** Lets a destination finish its answer, as far as it is short: some undo what they did for a caller that hangs up. */
function drain(response: IncomingMessage, done: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) response.destroy();
  });
  response.on('error', () => {});
  response.once('close', done);
}
