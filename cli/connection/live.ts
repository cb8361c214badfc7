/**
 * Follows the live stream of events.
 *
 * Promises: after an interruption it goes on behind the last item that the caller has finished with, so nothing is missed or
 * given twice. When Inlet cannot do that, it says so.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { InletError, type Request } from '../../client/client.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { note } from '../terminal/output.ts';
import type { Inlet } from './connect.ts';

type Query = NonNullable<Request<'watchEvents'>['query']>;
export type LiveEvent = {
  readonly at: string;
  readonly event: {
    readonly id: string;
    readonly webhookId: string;
    readonly test: boolean;
    readonly externalId: string | null;
    readonly eventType: string | null;
    readonly state: string;
    readonly reason: string | null;
    readonly attempts: number;
  };
  /** Null when the body is not stored any more. */
  readonly request?: {
    readonly contentType: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
};
type Options = {
  readonly query: Query;
  readonly signal: AbortSignal;
  /** Called each time the stream is open. */
  readonly onOpen?: () => void;
};

const retryMs = 1_000;
const maxRetryMs = 15_000;
/** Inlet sends a heartbeat each 15 s. */
const silenceMs = 45_000;

/** Errors that a later try cannot heal are thrown. */
function isFinal(error: unknown): boolean {
  if (error instanceof InletError) return error.status < 500 && error.status !== 429;
  return error instanceof CommandFailure;
}

/** Ends the connection when not even a heartbeat arrives. */
function watchSilence(onSilence: () => void): TransformStream<Uint8Array, Uint8Array> {
  let timer = setTimeout(onSilence, silenceMs);
  return new TransformStream({
    transform(chunk, controller) {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
      timer.unref();
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
}

async function* readOnce(inlet: Inlet, lastId: string | null, options: Options) {
  const silence = new AbortController();
  const signal = AbortSignal.any([options.signal, silence.signal]);
  const headers = { ...(lastId !== null && { 'last-event-id': lastId }) };
  const response = await inlet.open('watchEvents', { query: options.query, headers, signal });
  if (!response.body) return;
  options.onOpen?.();
  const messages = response.body
    .pipeThrough(watchSilence(() => silence.abort()))
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream());
  yield* messages as unknown as AsyncIterable<EventSourceMessage>;
}

export async function* followEvents(inlet: Inlet, options: Options): AsyncGenerator<LiveEvent> {
  let lastId: string | null = null;
  let pauseMs = retryMs;
  while (!options.signal.aborted) {
    try {
      for await (const { id, event, data } of readOnce(inlet, lastId, options)) {
        pauseMs = retryMs;
        if (event === 'history_lost')
          note('Inlet no longer has the changes since the interruption: some are missing.');
        if (event === 'change') yield JSON.parse(data) as LiveEvent;
        // Only now: the caller has finished with it.
        if (id !== undefined) lastId = id;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (isFinal(error)) throw error;
    }
    if (options.signal.aborted) return;
    note('The connection has ended. Connecting again …');
    await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: options.signal }).catch(
      () => undefined,
    );
    pauseMs = Math.min(pauseMs * 2, maxRetryMs);
  }
}
