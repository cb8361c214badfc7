/** Long computing in pieces, so that timers and sockets get their turn in between. */
import type { Clock } from '../clock.ts';

const maxStretchMs = 20;

/** Call it after each piece: it waits for the event loop only when the last turn is a while ago. */
export function createEventLoopYield(clock: Pick<Clock, 'elapsedMs'>): () => Promise<void> {
  let sinceMs = clock.elapsedMs();
  return async function turn() {
    if (clock.elapsedMs() - sinceMs < maxStretchMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    sinceMs = clock.elapsedMs();
  };
}
