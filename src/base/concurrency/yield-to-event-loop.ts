/**
 * Splits long computation, so that timers and sockets are served in between.
 *
 * Promises: of all computations that wait for a turn, one continues in each iteration of the event loop, in the order in
 * which they came. Many of them block the event loop no longer than one does.
 */
import type { Clock } from '../clock.ts';

const maxStretchMs = 20;

// Of the process, as its event loop is.
const waiting: (() => void)[] = [];

let isScheduled = false;

function schedule(): void {
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(continueNext);
}

function continueNext(): void {
  waiting.shift()?.();
  schedule();
}

/** Resolves when the event loop has served what waited, and no other computation has this turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isScheduled) schedule();
  });
}

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
