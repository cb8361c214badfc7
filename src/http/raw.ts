/** The raw body of a request, within a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../base/errors.ts';

/**
 * Resolves to all bytes. Rejects with `body_too_large` as soon as the limit is passed (by the header alone where it
 * says so; what still comes is read and dropped, so that the sender gets the answer), and with `malformed_json` when
 * the sender goes away in the middle.
 */
export function readRaw(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.reject(new AppError('body_too_large'));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new AppError('body_too_large'));
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    // A connection that breaks off ends with an error, with a close, or with both.
    const goneAway = (cause?: unknown) =>
      reject(new AppError('malformed_json', { internal: 'The sender went away.', cause }));
    request.on('error', goneAway);
    // After the end this changes nothing. Without one nothing more comes, not even of a body that is there whole.
    request.on('close', () => goneAway());
    // It may have happened before anybody listened, while the key was looked up.
    if (request.destroyed) goneAway();
  });
}
