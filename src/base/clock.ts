/** Time as a dependency. Decisions that several processes must agree on use the database's time instead. */
export type Clock = {
  now(): Date;
  /** Monotonic, for durations. */
  elapsedMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
};

/** Resolves after `ms`, or at once when the signal aborts. Never rejects, never keeps the process alive alone. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
