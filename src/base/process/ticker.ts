/**
 * Periodic work: one tick after another. Each wait has a jitter of 20 %, so that processes that start together
 * do not tick together.
 *
 * Promises: ticks never overlap. `wake` is always followed by a whole tick. `close` waits for the tick in
 * progress.
 * Must never: keep the process alive.
 */
type TickerOptions = { readonly firstMs: number; readonly random?: () => number };

/** Starts the ticker. `tick` returns the time in milliseconds until the next tick, and must not reject. */
export function startTicker(
  tick: () => Promise<number>,
  { firstMs, random = Math.random }: TickerOptions,
) {
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
    /** Ticks at once, or again after the tick in progress. */
    wake: (): void => {
      // Only the first call reschedules; further calls would postpone the tick.
      if (!running && !isWoken) schedule(0);
      isWoken = true;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

type ElectedWork = {
  readonly election: { isElected(): Promise<boolean>; resign(): Promise<void> };
  readonly intervalMs: number;
  readonly work: () => Promise<void>;
  /** Called while another process is elected, when the work failed, and at the close. */
  readonly leave: () => void;
  readonly onError: (error: unknown) => void;
};

/** Starts a ticker that works in one elected process. A failed turn is repeated by the next. */
export function startElectedTicker({ election, intervalMs, work, leave, onError }: ElectedWork) {
  async function tick(): Promise<number> {
    try {
      if (await election.isElected()) await work();
      else leave();
    } catch (error) {
      leave();
      onError(error);
    }
    return intervalMs;
  }

  const ticker = startTicker(tick, { firstMs: intervalMs / 10 });
  return {
    tick,
    async close(): Promise<void> {
      await ticker.close();
      leave();
      await election.resign().catch(() => undefined);
    },
  };
}
