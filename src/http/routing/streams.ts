/**
 * Streamed answers: exports as NDJSON, live events as SSE.
 *
 * Promises: the source is read only as fast as the client reads (backpressure). The source is stopped when the client
 * disconnects and when its token loses access; live streams also at shutdown, which does not wait for them. Nothing is
 * sent while the access is checked. An error
 * before the first byte is answered as any other error. After it the connection is closed, never after a line that could
 * be parsed.
 * Must never: keep more streams open than the limits allow, or let a token take the places that others need.
 */
import type { Request, Response } from 'express';
import { sleep, systemClock } from '../../base/clock.ts';
import { createFairShare } from '../../base/concurrency/fair-share.ts';
import { createKeyedCounter } from '../../base/concurrency/keyed-counter.ts';
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import { AppError } from '../../base/errors.ts';
import { requestIdOf } from '../envelope.ts';

/** One item of a live stream; `data` is sent as JSON. */
export type LiveItem = { readonly id?: string; readonly event?: string; readonly data: unknown };

export type StreamFormat = 'ndjson' | 'sse';

export const streamContentTypes: Readonly<Record<StreamFormat, string>> = {
  ndjson: 'application/x-ndjson',
  sse: 'text/event-stream',
};

/** What the source of a stream receives. */
export type StreamContext = {
  /** Aborted when the stream ends. */
  readonly signal: AbortSignal;
  /** `Last-Event-ID`: the last item that the client has received. */
  readonly lastEventId: string | undefined;
};

type StreamAnswer = {
  readonly form: StreamFormat;
  readonly fileName: string | undefined;
  readonly tokenId: string;
  /** The session of the console, which has a limit of its own. */
  readonly sessionId: string | undefined;
  /** Whether the token is limited to some webhooks and channels. */
  readonly isRestricted: boolean;
  /** Rejects with `invalid_token`, `forbidden` or `not_found` when the caller has lost access. */
  readonly isStillAllowed: () => Promise<unknown>;
  /** Opens the source. Rejections are answered as errors; a live stream begins when this resolves. */
  readonly begin: (terms: StreamContext) => Promise<AsyncIterable<unknown>>;
};

export type StreamLimits = {
  /** Of a server. A token holds at most as much as stays free. */
  readonly maxOpen: number;
  readonly maxOpenOfToken: number;
  /** Of all sessions of a token together. */
  readonly maxOpenOfSessions: number;
  /** Interval of the heartbeat of live streams, and of the access check of all streams. */
  readonly heartbeatMs: number;
  /** A client that reads nothing for this time is disconnected. */
  readonly stallMs: number;
};

const defaults: StreamLimits = {
  maxOpen: 200,
  maxOpenOfToken: 10,
  maxOpenOfSessions: 100,
  heartbeatMs: 15_000,
  stallMs: 30_000,
};

/** When a client should reconnect after a live stream has ended. */
const reconnectMs = 2_000;
const retryAfterMs = 5_000;
const maxIdLength = 512;

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(over: Partial<StreamLimits> = {}) {
  const limits = { ...defaults, ...over };
  const open = createKeyedCounter();
  const places = createFairShare(limits.maxOpen);
  const streams = new Set<Connection>();
  let isClosed = false;

  function requireRoom(key: string, limit: number): void {
    if (open.count(key) < limit) return;
    const quota = { limit, remaining: 0, resetMs: retryAfterMs };
    throw new AppError('rate_limited', { retryAfterMs, quota });
  }

  /** Counts a stream in. Returns the function that counts it out. */
  function acquire({ tokenId, sessionId }: StreamAnswer): () => void {
    if (isClosed) throw new AppError('unavailable', { retryAfterMs: reconnectMs });
    const ofSessions = `sessions:${tokenId}`;
    const key = sessionId ?? tokenId;
    requireRoom(key, limits.maxOpenOfToken);
    if (sessionId !== undefined) requireRoom(ofSessions, limits.maxOpenOfSessions);
    if (!places.fits(tokenId, 1)) throw new AppError('overloaded', { retryAfterMs });
    const keys = sessionId === undefined ? [key] : [key, ofSessions];
    places.add(tokenId, 1);
    for (const one of keys) open.add(one, 1);
    return () => {
      places.add(tokenId, -1);
      for (const one of keys) open.add(one, -1);
    };
  }

  return {
    async answer(request: Request, response: Response, opening: StreamAnswer): Promise<void> {
      const release = acquire(opening);
      // A client that disconnected before this point emits no further event.
      if (response.destroyed) return release();
      const controller = new AbortController();
      const end = () => controller.abort();
      response.once('close', end);
      const connection = { request, response, opening, controller, limits, checked: null };
      streams.add(connection);
      try {
        await stream(connection);
      } catch (error) {
        // A disconnected client needs no answer.
        if (!response.destroyed) throw error;
      } finally {
        end();
        streams.delete(connection);
        release();
      }
    },

    /** Checks the access of streams now: of one token, or of all. */
    recheck(tokenId?: string): void {
      for (const connection of streams) {
        if ((tokenId ?? connection.opening.tokenId) === connection.opening.tokenId)
          checkAccess(connection);
      }
    },

    /** Checks the access of restricted tokens' streams now: what belongs to a channel may have changed. */
    recheckRestricted(): void {
      for (const connection of streams) {
        if (connection.opening.isRestricted) checkAccess(connection);
      }
    },

    /** Ends live streams and rejects new streams. Exports may finish within the time of other requests. */
    close(): void {
      isClosed = true;
      for (const { opening, controller } of streams) {
        if (opening.form === 'sse') controller.abort();
      }
    },
  };
}

type Connection = {
  readonly request: Request;
  readonly response: Response;
  readonly opening: StreamAnswer;
  readonly controller: AbortController;
  readonly limits: StreamLimits;
  /** The access check in progress, which never rejects. */
  checked: Promise<void> | null;
};

async function stream(connection: Connection): Promise<void> {
  const { request, response, opening, controller } = connection;
  const { signal } = controller;
  const given = request.headers['last-event-id'];
  const lastEventId = typeof given === 'string' ? given.slice(0, maxIdLength) : undefined;
  const source = await opening.begin({ signal, lastEventId });
  const iterator = source[Symbol.asyncIterator]();
  // The access may have changed since the request was authorized.
  checkAccess(connection);
  const stopWatch = watch(connection);
  try {
    if (opening.form === 'sse') await sendLive(connection, iterator);
    else await sendLines(connection, iterator);
    if (!signal.aborted || opening.form === 'sse') response.end();
    else response.destroy();
  } finally {
    stopWatch();
    controller.abort();
    // A source that still waits ends by the signal; its end is not awaited.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Repeats the access check, and sends heartbeats on idle live streams. Returns the function that stops both. */
function watch(connection: Connection): () => void {
  const { response, opening, controller, limits } = connection;
  const beat = () => {
    checkAccess(connection);
    const isFree =
      response.headersSent && !response.writableNeedDrain && !controller.signal.aborted;
    if (opening.form === 'sse' && isFree) response.write(':\n\n');
  };
  const timer = setInterval(beat, limits.heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Aborts the stream if its token has lost access. A check that fails for another reason changes nothing. */
function checkAccess(connection: Connection): void {
  const { opening, controller } = connection;
  const checked = opening
    .isStillAllowed()
    .then(
      () => undefined,
      (error: unknown) => {
        const hasLostAccess = error instanceof AppError && accessErrors.has(error.kind);
        if (hasLostAccess) controller.abort();
      },
    )
    .finally(() => {
      if (connection.checked === checked) connection.checked = null;
    });
  connection.checked = checked;
}

const accessErrors: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not_found']);

/** Sets the headers of a stream. Proxies must not buffer it. */
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

/** The headers are sent with the first line, so that an error before it can be answered. */
async function sendLines(connection: Connection, iterator: AsyncIterator<unknown>): Promise<void> {
  const { response, opening, controller } = connection;
  const pause = createEventLoopYield(systemClock);
  let next = await unlessAborted(iterator.next(), controller.signal);
  if (next) setStreamHeaders(response, opening);
  while (next && !next.done) {
    await send(connection, `${JSON.stringify(next.value)}\n`);
    await pause();
    next = await unlessAborted(iterator.next(), controller.signal);
  }
}

async function sendLive(connection: Connection, iterator: AsyncIterator<unknown>): Promise<void> {
  const { response, opening, controller } = connection;
  setStreamHeaders(response, opening);
  await send(connection, `retry: ${reconnectMs}\n\n`);
  for (;;) {
    const next = await unlessAborted(iterator.next(), controller.signal);
    if (!next || next.done) return;
    await send(connection, encodeLive(next.value as LiveItem));
  }
}

function encodeLive({ id, event, data }: LiveItem): string {
  const named = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  if (named.some((line) => /[\r\n\0]/.test(line))) {
    throw new TypeError('The id or name of a live item contains a line break.');
  }
  return `${[...named, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}

/** Writes the text and waits until the client has read enough. Disconnects a client that reads nothing for `stallMs`. */
async function send(connection: Connection, text: string): Promise<void> {
  const { response, controller, limits } = connection;
  while (connection.checked) await connection.checked;
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

/** Resolves to null when the signal is aborted before the promise settles. */
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
