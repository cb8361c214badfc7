/** Live streams of events and samples over SSE, resumed after a lost connection. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useRef, useState } from 'react';
import { client, InletError, type Operation, type Request } from './client.ts';

type LiveOperation = Extract<Operation, `watch${string}`>;

/** `data` is the parsed JSON of the server. */
export type LiveItem = { readonly id?: string; readonly event?: string; readonly data: unknown };

const reconnectDelayMs = 2_000;
const maxReconnectDelayMs = 30_000;

type StreamState = {
  readonly lastId: string | undefined;
  readonly onItem: (item: LiveItem) => void;
};

type StreamOptions = { readonly signal: AbortSignal; readonly onOpen: () => void };

async function readStream<Name extends LiveOperation>(
  [name, request]: readonly [Name, Request<Name>],
  { lastId, onItem }: StreamState,
  { signal, onOpen }: StreamOptions,
): Promise<void> {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
  const response = await client.open(name, { ...request, headers, signal });
  onOpen();
  const items = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const next = await items?.read();
    if (!next || next.done) return;
    const { id, event, data } = next.value;
    onItem({ id, event, data: JSON.parse(data) as unknown });
  }
}

/**
 * Subscribes to a live stream. `isOpen`: the stream is connected. `isLost`: the connection failed and is
 * retried. A null `request` disables the subscription.
 */
export function useLive<Name extends LiveOperation>(
  name: Name,
  request: Request<Name> | null,
  onItem: (item: LiveItem) => void,
): { readonly isOpen: boolean; readonly isLost: boolean } {
  const [isOpen, setOpen] = useState(false);
  const [isLost, setLost] = useState(false);
  const handler = useRef(onItem);
  useEffect(() => {
    handler.current = onItem;
  });
  const wanted = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (wanted === null) return undefined;
    const call = [name, JSON.parse(wanted) as Request<Name>] as const;
    const controller = new AbortController();
    const { signal } = controller;
    let lastId: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let delayMs = reconnectDelayMs;
    const onNext = (item: LiveItem) => {
      // Ignore an item that arrives after the abort.
      if (signal.aborted) return;
      lastId = item.id ?? lastId;
      handler.current(item);
    };
    async function watch(): Promise<void> {
      try {
        const onOpen = () => {
          delayMs = reconnectDelayMs;
          setOpen(true);
          setLost(false);
        };
        const options = { signal, onOpen };
        await readStream(call, { lastId, onItem: onNext }, options);
      } catch (error) {
        // A rejected request is not retried.
        if (error instanceof InletError && error.status < 429) return;
        if (!signal.aborted) setLost(true);
      } finally {
        if (!signal.aborted) setOpen(false);
      }
      if (signal.aborted) return;
      timer = setTimeout(() => void watch(), delayMs);
      delayMs = Math.min(delayMs * 2, maxReconnectDelayMs);
    }
    void watch();
    return () => {
      controller.abort();
      clearTimeout(timer);
      setOpen(false);
    };
  }, [name, wanted]);
  return { isOpen, isLost };
}
