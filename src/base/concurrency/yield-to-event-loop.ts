/**
 * Splits long computation, so that timers and sockets are served in between.
 *
 * Promises: of all computations that wait for a turn in one queue, one continues in each iteration of the event loop, in the
 * order in which they came. Many of them block the event loop no longer than one does.
 */
import type { Clock } from '../clock.ts';

const maxStretchMs = 20;

/** Returns a function that resolves when it is the caller's turn. */
export function createEventLoopQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  function serve(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(serve);
    });
}

/** The queue of the computations of this process. */
export const yieldToEventLoop = createEventLoopQueue();

/**
 * Returns a function to call after each piece of work. It yields to the event loop if 20 ms have passed since
 * the last yield.
 */
export function createEventLoopYield(clock: Pick<Clock, 'elapsedMs'>): () => Promise<void> {
  let sinceMs = clock.elapsedMs();
  return async function yieldWhenDue() {
    if (clock.elapsedMs() - sinceMs < maxStretchMs) return;
    await yieldToEventLoop();
    sinceMs = clock.elapsedMs();
  };
}
