/** Splits long computation, so that timers and sockets are served in between. */
import type { Clock } from '../clock.ts';

const maxStretchMs = 20;

/**
 * Returns a function to call after each piece of work. It yields to the event loop if 20 ms have passed since
 * the last yield.
 */
export function createEventLoopYield(clock: Pick<Clock, 'elapsedMs'>): () => Promise<void> {
  let sinceMs = clock.elapsedMs();
  return async function yieldToEventLoop() {
    if (clock.elapsedMs() - sinceMs < maxStretchMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = clock.elapsedMs();
  };
}
