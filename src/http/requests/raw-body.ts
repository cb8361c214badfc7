/** The raw body of a request, within a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';

/**
 * Resolves to all bytes. Rejects with `body_too_large` as soon as the limit is passed (by the header alone where it
 * says so), with what `hold` throws as soon as there is no room for the bytes (likewise), and with `malformed_json` when
 * the sender goes away in the middle. What still comes then is read and dropped.
 */
export async function readRawBody(
  request: IncomingMessage,
  maxBytes: number,
  hold: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw new AppError('body_too_large');
  hold(announced);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return;
      size += chunk.length;
      try {
        if (size > maxBytes) throw new AppError('body_too_large');
        hold(size);
        chunks.push(chunk);
      } catch (error) {
        isRefused = true;
        chunks.length = 0;
        reject(error);
      }
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
