/** Reads the raw body of a request, within a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';

type Reservation = {
  /** Called with the `Content-Length`, before anything is read. May throw. */
  announce(bytes: number): void;
  /** Called with the bytes so far, for each chunk. May throw. */
  reserve(bytes: number): void;
};

/** The slowest upload that is read to its end. */
export type Pace = {
  readonly graceMs: number;
  /** On average since the first byte was awaited, checked once the grace is over. */
  readonly minBytesPerSecond: number;
};

/** Clients upload a typical body at once. A slower upload than this holds a place that others need. */
export const uploadPace: Pace = { graceMs: 5_000, minBytesPerSecond: 1_024 };

type ReadOptions = {
  readonly maxBytes: number;
  readonly reservation?: Reservation | undefined;
  readonly pace?: Pace;
};

const checkEveryMs = 1_000;

/**
 * Resolves to the whole body. Rejects with `body_too_large` as soon as the limit is passed, by the `Content-Length` alone
 * if there is one; with what the reservation throws; with `request_timeout` for an upload below the pace; and with
 * `malformed_json` when the client disconnects. Bytes that arrive after a rejection are dropped.
 */
export async function readRawBody(
  request: IncomingMessage,
  { maxBytes, reservation, pace }: ReadOptions,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw new AppError('body_too_large');
  reservation?.announce(announced);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const stopWatching = pace && watchPace(pace, () => size, fail);

    function fail(error: unknown): void {
      isSettled = true;
      chunks.length = 0;
      stopWatching?.();
      reject(error);
    }

    request.on('data', (chunk: Buffer) => {
      if (isSettled) return;
      size += chunk.length;
      try {
        if (size > maxBytes) throw new AppError('body_too_large');
        reservation?.reserve(size);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    });
    request.on('end', () => {
      if (isSettled) return;
      isSettled = true;
      stopWatching?.();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // A broken connection emits an error, a close, or both. Without `end` the body is incomplete, even if all bytes of it
    // have come.
    const onDisconnect = (cause?: unknown) => {
      if (isSettled) return;
      fail(new AppError('malformed_json', { internal: 'The client disconnected.', cause }));
    };
    request.on('error', onDisconnect);
    request.on('close', () => onDisconnect());
    // It may have closed before these listeners were added, while the key was looked up.
    if (request.destroyed) onDisconnect();
  });
}

/** Calls `fail` once when the upload falls below the pace. Returns a function that ends the watch. */
function watchPace(
  { graceMs, minBytesPerSecond }: Pace,
  received: () => number,
  fail: (error: AppError) => void,
): () => void {
  const sinceMs = performance.now();
  function check(): void {
    const seconds = (performance.now() - sinceMs) / 1_000;
    if (received() < minBytesPerSecond * seconds) return fail(new AppError('request_timeout'));
    timer = setTimeout(check, checkEveryMs);
  }
  let timer = setTimeout(check, graceMs);
  return () => clearTimeout(timer);
}
