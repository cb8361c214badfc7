/**
 * Follows a live stream.
 *
 * Promises: after an interruption it continues after the last item that the caller has finished with, so nothing is missed or given
 * twice. When Inlet no longer has what came since, it gives the item `history_lost`.
 */
import { InletError, type Answer, type Client, type Operation, type Request } from './client.ts';

type LiveOperation = Extract<Operation, `watch${string}`>;
/** `data` of the item `history_lost` has no more than the time. */
export type LiveItem<Data = unknown> = { readonly event: string; readonly data: Data };
export type FollowOptions = {
  readonly signal: AbortSignal;
  /** Called each time the stream is open. */
  readonly onOpen?: () => void;
  /** Called each time the connection ends and is made again; with the error, unless Inlet closed it. */
  readonly onEnd?: (error?: unknown) => void;
};

const retryMs = 1_000;
const maxRetryMs = 15_000;
/** Inlet sends a heartbeat each 15 s. */
const silenceMs = 45_000;

/** Ends when `signal` is aborted. Throws errors that a retry cannot resolve. */
export async function* follow<Name extends LiveOperation>(
  client: Client,
  [name, request]: readonly [Name, Request<Name>],
  options: FollowOptions,
): AsyncGenerator<LiveItem<Answer<Name>>> {
  const { signal, onEnd } = options;
  let lastId: string | undefined;
  let pauseMs = retryMs;
  while (!signal.aborted) {
    let lost: unknown;
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
      for await (const one of readOnce(
        client,
        [name, { ...request, headers } as Request<Name>],
        options,
      )) {
        pauseMs = retryMs;
        yield { event: one.event, data: JSON.parse(one.data.join('\n')) as Answer<Name> };
        // Only now: the caller has finished with it.
        lastId = one.id ?? lastId;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = error instanceof InletError && error.status < 500 && error.status !== 429;
      if (isFinal || !isLostConnection(error)) throw error;
      lost = error;
    }
    if (signal.aborted) return;
    onEnd?.(lost);
    await sleep(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, maxRetryMs);
  }
}

/** Of fetch, of a stream that is cut off, or of the silence. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof InletError ||
  error instanceof TypeError ||
  ['AbortError', 'TimeoutError'].includes((error as Error).name);

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

async function* readOnce<Name extends LiveOperation>(
  client: Client,
  [name, request]: readonly [Name, Request<Name>],
  { signal, onOpen }: FollowOptions,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await client.open(name, { ...request, signal: either });
    onOpen?.();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parse = createParser();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      yield* parse(next.value);
    }
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

type Message = { id?: string; event: string; data: string[] };

/** Parses the lines of `text/event-stream` as they arrive. */
function createParser(): (chunk: string) => Message[] {
  let rest = '';
  let message: Message = { event: 'message', data: [] };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    const messages: Message[] = [];
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') message.data.push(value);
      else if (field === 'event' || field === 'id') message[field] = value;
      else if (line === '') {
        if (message.data.length > 0) messages.push(message);
        message = { event: 'message', data: [] };
      }
    }
    return messages;
  };
}
