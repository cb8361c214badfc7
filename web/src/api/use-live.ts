/** Live streams of events and samples over SSE, resumed after a lost connection. */
import { useEffect, useRef, useState } from 'react';
import { follow, type LiveItem } from '../../../client/follow.ts';
import { client, type Operation, type Request } from './client.ts';

export type { LiveItem };
type LiveOperation = Extract<Operation, `watch${string}`>;

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
    const controller = new AbortController();
    const { signal } = controller;
    const onOpen = () => {
      setOpen(!signal.aborted);
      setLost(false);
    };
    const onEnd = (error?: unknown) => {
      setOpen(false);
      if (error !== undefined) setLost(true);
    };
    async function watch(): Promise<void> {
      const call = [name, JSON.parse(wanted ?? '') as Request<Name>] as const;
      for await (const item of follow(client, call, { signal, onOpen, onEnd })) {
        // Ignore an item that arrives after the abort.
        if (signal.aborted) return;
        handler.current(item);
      }
    }
    // A rejected request is not retried.
    watch().catch(() => setOpen(false));
    return () => {
      controller.abort();
      setOpen(false);
    };
  }, [name, wanted]);
  return { isOpen, isLost };
}
