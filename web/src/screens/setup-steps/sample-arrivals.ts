/** Reads the webhook and its samples again the moment that a sample has come. */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLive } from '../../api/use-live.ts';
import { useInvalidate } from '../../api/use-api.ts';

// Where the live tail is not to be had.
const againEveryMs = 5_000;
// The webhook is marked right after the sample is stored; and a flood is read a few times a second.
const settledMs = 400;

type Arrivals = {
  /** How often to look all the same, in milliseconds: not at all while the tail is open. */
  readonly every: number | false;
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
  // What came before it was open was told to nobody.
  useEffect(() => {
    if (isOpen) read();
  }, [isOpen]);
  return { every: isOpen ? false : againEveryMs, isLost };
}
