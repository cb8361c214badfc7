/** One waiter continues in each iteration of the event loop, so that sockets are served between two pieces of long work. */
type EventLoopQueue = {
  /** Resolves when it is the caller's turn. First come, first served. */
  next(): Promise<void>;
};

export function createEventLoopQueue(): EventLoopQueue {
  const waiting: (() => void)[] = [];
  function serve(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  }
  return {
    next: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(serve);
      }),
  };
}
