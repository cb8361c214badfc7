/**
 * Answers without an end of their own: exports as NDJSON, live events as SSE.
 *
 * Promises: no more is asked of the source than the client takes; the source is stopped when the client leaves, when its
 * token is valid no more, and live ones at the drain too, which therefore waits for none of them. What fails before the
 * first byte is an error like any other; afterwards the answer breaks off, and never in a line that could be read.
 * Must never: hold more streams open than its bounds say.
 */
import type { Request, Response } from 'express';
import { sleep } from '../../base/clock.ts';
import { createKeyedCounter } from '../../base/concurrency/keyed-counter.ts';
import { AppError } from '../../base/errors.ts';
import { requestIdOf } from '../envelope.ts';

/** One item of a live stream; `data` is sent as JSON. */
export type LiveItem = { readonly id?: string; readonly event?: string; readonly data: unknown };

export type StreamFormat = 'ndjson' | 'sse';

export const streamContentTypes: Readonly<Record<StreamFormat, string>> = {
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream',
};

/** What the source of a stream is told. */
export type StreamContext = {
  /** Aborted once nobody listens any more. */
  readonly signal: AbortSignal;
  /** The id of the item that the client has seen last, as it says itself. */
  readonly lastEventId: string | undefined;
};

export type StreamAnswer = {
  readonly form: StreamFormat;
  /** Under which name a browser saves it. */
  readonly fileName: string | undefined;
  readonly tokenId: string;
  /** Rejects with `invalid_token`, `forbidden` or `not_found` once the caller may listen no more. */
  readonly isStillAllowed: () => Promise<unknown>;
  /** Rejects while an error can still be answered; a live stream begins as soon as this has resolved. */
  readonly begin: (terms: StreamContext) => Promise<AsyncIterable<unknown>>;
};

export type StreamLimits = {
  readonly maxOpen: number;
  readonly maxOpenOfToken: number;
  /** How often a silent live stream says that it lives, and every stream asks whether its caller still may. */
  readonly heartbeatMs: number;
  /** After which time without taking anything a client counts as gone. */
  readonly stallMs: number;
};

const usual: StreamLimits = {
  maxOpen: 200,
  maxOpenOfToken: 10,
  heartbeatMs: 15_000,
  stallMs: 30_000,
};

/** After how long a client of a live stream that ended should come back. */
const reconnectMs = 2_000;
const retryAfterMs = 5_000;
const maxIdLength = 512;

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(over: Partial<StreamLimits> = {}) {
  const limits = { ...usual, ...over };
  const open = createKeyedCounter();
  const live = new Set<AbortController>();
  let isClosed = false;

  /** Gives what gives the place back. */
  function takePlace(tokenId: string): () => void {
    if (isClosed) throw new AppError('unavailable', { retryAfterMs: reconnectMs });
    if (open.count(tokenId) >= limits.maxOpenOfToken) {
      const quota = { limit: limits.maxOpenOfToken, remaining: 0, resetMs: retryAfterMs };
      throw new AppError('rate_limited', { retryAfterMs, quota });
    }
    if (open.total >= limits.maxOpen) throw new AppError('overloaded', { retryAfterMs });
    open.increment(tokenId);
    return () => open.decrement(tokenId);
  }

  return {
    /** Resolves once the stream has ended, whoever ended it. */
    async answer(request: Request, response: Response, opening: StreamAnswer): Promise<void> {
      const leave = takePlace(opening.tokenId);
      // Who left while the caller was looked up says so no more, and would hold the place until it stalls.
      if (response.destroyed) return leave();
      const controller = new AbortController();
      const end = () => controller.abort();
      response.once('close', end);
      if (opening.form === 'sse') live.add(controller);
      try {
        await stream({ request, response, opening, controller, limits });
      } catch (error) {
        // Whoever left needs no answer, and is nobody's error.
        if (!response.destroyed) throw error;
      } finally {
        end();
        live.delete(controller);
        leave();
      }
    },

    /** Ends the live ones, and lets no stream begin any more. Exports have the time that any answer in hand has. */
    close(): void {
      isClosed = true;
      for (const controller of live) controller.abort();
    },
  };
}

type Hand = {
  readonly request: Request;
  readonly response: Response;
  readonly opening: StreamAnswer;
  readonly controller: AbortController;
  readonly limits: StreamLimits;
};

async function stream(hand: Hand): Promise<void> {
  const { request, response, opening, controller } = hand;
  const { signal } = controller;
  const given = request.headers['last-event-id'];
  const lastEventId = typeof given === 'string' ? given.slice(0, maxIdLength) : undefined;
  const source = await opening.begin({ signal, lastEventId });
  const iterator = source[Symbol.asyncIterator]();
  const stopWatch = watch(hand);
  try {
    if (opening.form === 'sse') await sendLive(hand, iterator);
    else await sendLines(hand, iterator);
    if (!signal.aborted || opening.form === 'sse') response.end();
    else response.destroy();
  } finally {
    stopWatch();
    controller.abort();
    // A source that is still waiting for something ends by the signal; nobody waits for it here.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Sees to it that a revoked token hears nothing more, and that a silent connection is kept open. */
function watch({ response, opening, controller, limits }: Hand): () => void {
  const look = () => {
    opening.isStillAllowed().catch((error: unknown) => {
      const isRefused = error instanceof AppError && refusals.has(error.kind);
      if (isRefused) controller.abort();
    });
    const isFree =
      response.headersSent && !response.writableNeedDrain && !controller.signal.aborted;
    if (opening.form === 'sse' && isFree) response.write(':\n\n');
  };
  const timer = setInterval(look, limits.heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}

const refusals: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not_found']);

/** Proxies are told not to gather what is meant to arrive at once. */
export function setStreamHeaders(
  response: Response,
  { form, fileName }: Pick<StreamAnswer, 'form' | 'fileName'>,
): void {
  requestIdOf(response);
  response.setHeader('Content-Type', `${streamContentTypes[form]}; charset=utf-8`);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Accel-Buffering', 'no');
  if (fileName !== undefined) {
    response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  }
}

/** The head waits for the first line, so that what fails on the way to it can still be told. */
async function sendLines(hand: Hand, iterator: AsyncIterator<unknown>): Promise<void> {
  const { response, opening, controller } = hand;
  let next = await unlessAborted(iterator.next(), controller.signal);
  if (next) setStreamHeaders(response, opening);
  while (next && !next.done) {
    await send(hand, `${JSON.stringify(next.value)}\n`);
    next = await unlessAborted(iterator.next(), controller.signal);
  }
}

async function sendLive(hand: Hand, iterator: AsyncIterator<unknown>): Promise<void> {
  const { response, opening, controller } = hand;
  setStreamHeaders(response, opening);
  await send(hand, `retry: ${reconnectMs}\n\n`);
  for (;;) {
    const next = await unlessAborted(iterator.next(), controller.signal);
    if (!next || next.done) return;
    await send(hand, encodeLive(next.value as LiveItem));
  }
}

function encodeLive({ id, event, data }: LiveItem): string {
  const named = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  if (named.some((line) => /[\r\n\0]/.test(line))) {
    throw new TypeError('An id or a name of an item has a line break.');
  }
  return `${[...named, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}

/** Waits while the client has more before it than it takes, and gives it up when it takes nothing for too long. */
async function send({ response, controller, limits }: Hand, text: string): Promise<void> {
  if (controller.signal.aborted || response.write(text)) return;
  const waiting = new AbortController();
  const drained = () => waiting.abort();
  response.once('drain', drained);
  controller.signal.addEventListener('abort', drained, { once: true });
  await sleep(limits.stallMs, waiting.signal);
  response.off('drain', drained);
  controller.signal.removeEventListener('abort', drained);
  if (!waiting.signal.aborted) {
    controller.abort();
    response.destroy();
  }
}

/** Null once the signal is aborted, whatever becomes of the promise then. */
function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | null> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(null);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
