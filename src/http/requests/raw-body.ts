/** Reads the raw body of a request, within a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';

/**
 * Resolves to the whole body. Rejects with `body_too_large` as soon as the limit is passed, by the `Content-Length` alone
 * if there is one; with what `reserve` throws for the bytes so far, likewise; and with `malformed_json` when the client
 * disconnects. Bytes that arrive after a rejection are dropped.
 */
export async function readRawBody(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw new AppError('body_too_large');
  reserve(announced);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRejected = false;
    request.on('data', (chunk: Buffer) => {
      if (isRejected) return;
      size += chunk.length;
      try {
        if (size > maxBytes) throw new AppError('body_too_large');
        reserve(size);
        chunks.push(chunk);
      } catch (error) {
        isRejected = true;
        chunks.length = 0;
        reject(error);
      }
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    // A broken connection emits an error, a close, or both.
    const onDisconnect = (cause?: unknown) =>
      reject(new AppError('malformed_json', { internal: 'The client disconnected.', cause }));
    request.on('error', onDisconnect);
    // After `end` this has no effect. Without `end` the body is incomplete, even if all bytes of it have come.
    request.on('close', () => onDisconnect());
    // It may have closed before these listeners were added, while the key was looked up.
    if (request.destroyed) onDisconnect();
  });
}
