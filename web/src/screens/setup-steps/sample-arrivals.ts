/** Reloads the webhook and its samples when a sample arrives. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLive } from '../../api/use-live.ts';
import { useInvalidate } from '../../api/use-api.ts';

// Used while the live stream is unavailable.
const pollIntervalMs = 5_000;
// The webhook is updated right after the sample is stored; limits the refreshes during a flood.
const settledMs = 400;

type Arrivals = {
  /** The polling interval in milliseconds; false while the stream is open. */
  readonly refetchInterval: number | false;
  readonly isLost: boolean;
};

export function useSampleArrivals(webhookId: string): Arrivals {
  const refresh = useInvalidate();
  const read = useEffectEvent(() => refresh('getWebhook', 'listWebhookSamples'));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { isOpen, isLost } = useLive('watchWebhookSamples', { params: { id: webhookId } }, () => {
    if (timer.current !== undefined) return;
    refresh('getWebhook', 'listWebhookSamples');
    timer.current = setTimeout(() => {
      timer.current = undefined;
      refresh('getWebhook', 'listWebhookSamples');
    }, settledMs);
  });
  // Items before the connection were missed.
  useEffect(() => {
    if (isOpen) read();
  }, [isOpen]);
  return { refetchInterval: isOpen ? false : pollIntervalMs, isLost };
}
