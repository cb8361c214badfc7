/**
 * Decodes bodies in a thread of their own, by the decoder of their producer, and reads the result in pieces: the event loop goes on.
 *
 * Promises: the value equals what the producer's `decodeBody` returns. What the deadline and the memory of the thread end is one body.
 * Limit: one body at a time. The caller queues.
 */
import { createEventLoopQueue } from '../../base/concurrency/yield-to-event-loop.ts';
import { createTaskThread, threadFile } from '../../base/process/task-thread.ts';
import type { Decoded, RawBody } from '../producer.ts';
import type { DecodeReply, DecodeRequest } from './decoder.ts';
import { createPieceReader } from './pieces.ts';

/** The largest body takes about 0.4 s. */
const defaultDeadlineMs = 5_000;
const maxHeapMb = 256;

type Options = {
  /** The module that the thread runs. */
  readonly file?: string;
  readonly deadlineMs?: number;
  /** How long the thread stays without work. */
  readonly idleMs?: number;
};

/** `workMs` is what the body took of a core. */
type DecodedApart = { readonly decoded: Decoded; readonly workMs: number };

export type DecodeThread = ReturnType<typeof createDecodeThread>;

export function createDecodeThread({
  file = threadFile(import.meta.dirname, 'decoder'),
  deadlineMs = defaultDeadlineMs,
  idleMs,
}: Options = {}) {
  const options = { name: 'decode', file, deadlineMs, maxHeapMb, idleMs };
  const thread = createTaskThread<DecodeRequest, DecodeReply>(options);
  return {
    /** `profile` names the producer. Rejects when the thread fails or the deadline passes. */
    async decode(profile: string, { contentType, body }: RawBody): Promise<DecodedApart> {
      const bytes = new Uint8Array(body);
      return readReply(await thread.run({ profile, contentType, bytes }, [bytes.buffer]));
    },
    close: thread.close,
  };
}

/** Only one body is read at a time, so nothing else waits in this queue. */
const nextIteration = createEventLoopQueue();

async function readReply(reply: DecodeReply): Promise<DecodedApart> {
  let { workMs } = reply;
  if (!reply.ok)
    return { decoded: { ok: false, code: reply.code, message: reply.message }, workMs };
  const reader = createPieceReader();
  for (const piece of reply.pieces) {
    await nextIteration();
    const sinceMs = performance.now();
    reader.add(piece);
    workMs += performance.now() - sinceMs;
  }
  return { decoded: { ok: true, value: reader.value() }, workMs };
}
