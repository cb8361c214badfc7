/**
 * Decodes bodies in a thread of their own, by the decoder of their producer, and reads the result in pieces: the event loop goes on.
 *
 * Promises: the value equals what the producer's `decodeBody` returns. A body that takes longer than the deadline, or more memory
 * than the thread may have, ends the thread and nothing else; the next body starts another.
 * Limit: one body at a time. The caller queues.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withinTime } from '../../base/clock.ts';
import { createEventLoopQueue } from '../../base/concurrency/yield-to-event-loop.ts';
import type { Decoded, RawBody } from '../producer.ts';
import type { DecodeReply, DecodeRequest, Ready } from './decoder.ts';
import { createPieceReader } from './pieces.ts';

/** Compiled and bundled beside this file, or its source. */
const decoderFile = () =>
  ['decoder.js', 'decoder.ts']
    .map((name) => join(import.meta.dirname, name))
    .find((file) => existsSync(file)) ?? 'decoder.js';

/** The largest body takes about 0.4 s. */
const defaultDeadlineMs = 5_000;
/** It takes 0.1 s, and a few seconds on a busy machine. */
const maxStartMs = 30_000;
/** A thread holds about 30 MB. */
const defaultIdleMs = 60_000;
const maxHeapMb = 256;

type Options = {
  /** The module that the thread runs. */
  readonly file?: string;
  readonly deadlineMs?: number;
  /** How long the thread stays without work. */
  readonly idleMs?: number;
};

type Pending = {
  readonly resolve: (message: DecodeReply | Ready) => void;
  readonly reject: (error: Error) => void;
};

/** `workMs` is what the body took of a core. */
type DecodedApart = { readonly decoded: Decoded; readonly workMs: number };

export type DecodeThread = ReturnType<typeof createDecodeThread>;

export function createDecodeThread({
  file = decoderFile(),
  deadlineMs = defaultDeadlineMs,
  idleMs = defaultIdleMs,
}: Options = {}) {
  let thread: Worker | undefined;
  let pending: Pending | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file, {
      // The environment holds secrets, and the options in it are not for threads.
      env: { NODE_OPTIONS: '' },
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.unref();
    started.on('message', (message: DecodeReply | Ready) => pending?.resolve(message));
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('The decode thread ended.')));
    return started;
  }

  function fail(failed: Worker, error: Error): void {
    if (thread !== failed) return;
    thread = undefined;
    pending?.reject(error);
  }

  /** Resolves to the next message of the thread. */
  function nextMessage(withinMs: number): Promise<DecodeReply | Ready> {
    const next = new Promise<DecodeReply | Ready>((resolve, reject) => {
      pending = { resolve, reject };
    });
    return withinTime(withinMs, next, () => {
      void end();
      throw new Error(`The decode thread did not answer within ${withinMs} ms.`);
    });
  }

  async function ask(request: DecodeRequest): Promise<DecodeReply> {
    if (!thread) {
      thread = start();
      await nextMessage(maxStartMs);
    }
    const replied = nextMessage(deadlineMs);
    thread?.postMessage(request, [request.bytes.buffer]);
    const reply = await replied;
    if (reply === 'ready') throw new Error('The decode thread started twice.');
    return reply;
  }

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    /** `profile` names the producer. Rejects when the thread fails or the deadline passes. */
    async decode(profile: string, { contentType, body }: RawBody): Promise<DecodedApart> {
      clearTimeout(idle);
      try {
        return await readReply(await ask({ profile, contentType, bytes: new Uint8Array(body) }));
      } finally {
        pending = undefined;
        idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    /** Ends the thread. A body that it decodes is rejected. */
    async close(): Promise<void> {
      clearTimeout(idle);
      pending?.reject(new Error('The decode thread is closed.'));
      await end();
    },
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
