/**
 * Periodic work of a process: one tick after another, each wait jittered by a fifth, so that processes that were started
 * together do not look together.
 *
 * Promises: ticks never overlap; whoever wakes it is followed by a whole tick; closing waits for the tick under way.
 * Must never: keep the process alive.
 */
export type Ticker = {
  /** Something is there to do: ticks at once, or again after the tick under way. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

type Terms = { readonly firstMs: number; readonly random?: () => number };

/** `tick` tells in how many milliseconds the next is due, and must not reject. */
export function startTicker(
  tick: () => Promise<number>,
  { firstMs, random = Math.random }: Terms,
): Ticker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;

  async function run(): Promise<void> {
    isWoken = false;
    const waitMs = await tick();
    running = undefined;
    schedule(isWoken ? 0 : waitMs);
  }

  function schedule(afterMs: number): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        running = run();
      },
      afterMs * (0.8 + 0.4 * random()),
    );
    timer.unref();
  }

  schedule(firstMs);
  return {
    wake(): void {
      // Only the first: many would push the tick on and on.
      if (!running && !isWoken) schedule(0);
      isWoken = true;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
