/** Hands a rejected request of a known webhook on to the log of rejections. */
import type { IncomingMessage } from 'node:http';
import { errorText, type AppError } from '../../base/errors.ts';
import { isRejectionCode } from '../../domain/webhooks/rejection.ts';
import type { RejectionLog } from '../../receiving/rejections/rejection-log.ts';
import {
  excerptOf,
  maxExcerptBytes,
  type BodyExcerpt,
} from '../../receiving/rejections/storable-rejection.ts';
import type { SenderRequest } from '../../receiving/sender-request.ts';

type Rejected = {
  readonly webhookId: string;
  readonly error: AppError;
  readonly sent: Pick<SenderRequest, 'key' | 'query'>;
  readonly address: string;
  readonly body: Buffer | undefined;
};

/** Notes a rejection that the sender or a setting caused. Must be called before the answer is sent. */
export function noteRejection(
  rejections: RejectionLog,
  request: IncomingMessage,
  { webhookId, error, sent, address, body }: Rejected,
): void {
  const { code, message } = error;
  if (!isRejectionCode(code)) return;
  const detail = message === errorText(code, 'en') ? null : message;
  const { key, query } = sent;
  const { headers } = request;
  rejections.add({ webhookId, code, detail, address, request: { key, query, headers } }, () =>
    body ? Promise.resolve(excerptOf(body)) : readExcerpt(request),
  );
}

/**
 * Resolves to the beginning of a body that nobody has read, once it has ended or the connection is closed. The error handler
 * reads the rest of a rejected body in any case, for 2 s at most.
 */
function readExcerpt(request: IncomingMessage): Promise<BodyExcerpt | null> {
  const announced = announcedBytes(request);
  // The body is already being read: its beginning is gone.
  const isBegun = request.readableFlowing !== null;
  if (isBegun || request.destroyed) return Promise.resolve(emptyExcerpt(announced));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    function finish(isEnded: boolean): void {
      const excerpt = Buffer.concat(chunks).subarray(0, maxExcerptBytes);
      const bytes = isEnded ? size : announced;
      resolve({ excerpt, bytes, isWhole: isEnded && size <= maxExcerptBytes });
    }
    request.on('data', (chunk: Buffer) => {
      if (size < maxExcerptBytes) chunks.push(Buffer.from(chunk.subarray(0, maxExcerptBytes)));
      size += chunk.length;
    });
    request.once('end', () => finish(true));
    request.once('close', () => finish(false));
  });
}

const announcedBytes = ({ headers }: IncomingMessage): number | null => {
  const announced = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(announced) ? announced : null;
};

/** Null when nothing is known; otherwise the length alone. */
const emptyExcerpt = (bytes: number | null): BodyExcerpt | null =>
  bytes === null ? null : { excerpt: Buffer.alloc(0), bytes, isWhole: false };
