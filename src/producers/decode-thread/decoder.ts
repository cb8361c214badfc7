/** Entry point of the thread that decodes large bodies: one body for each message. */
import { parentPort } from 'node:worker_threads';
import type { Ready } from '../../base/process/task-thread.ts';
import type { DecodeCode } from '../producer.ts';
import { producerOf } from '../registry.ts';
import { piecesOf } from './pieces.ts';
import type { PublicText } from '../../base/texts/texts.ts';

export type DecodeRequest = {
  readonly profile: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type DecodeReply = { readonly workMs: number } & (
  | { readonly ok: true; readonly pieces: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly ok: false; readonly code: DecodeCode; readonly message: PublicText }
);

parentPort?.on('message', ({ profile, contentType, bytes }: DecodeRequest) => {
  const sinceMs = performance.now();
  const decoded = producerOf(profile).decodeBody({ contentType, body: Buffer.from(bytes.buffer) });
  const pieces = decoded.ok ? piecesOf(decoded.value) : [];
  const workMs = performance.now() - sinceMs;
  const reply: DecodeReply = decoded.ok ? { ok: true, pieces, workMs } : { ...decoded, workMs };
  parentPort?.postMessage(
    reply,
    pieces.map(({ buffer }) => buffer),
  );
});

parentPort?.postMessage('ready' satisfies Ready);
