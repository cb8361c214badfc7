/** Clocks, and waits. Times that several processes compare use the database's time. */
export type Clock = {
  now(): Date;
  /** Monotonic time in milliseconds, for durations. */
  elapsedMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
};

const syncEveryMs = 60_000;
const syncAgainMs = 5_000;
/** Round trips longer than this do not replace an earlier measurement: the error may be half the round trip. */
const maxTripMs = 1_000;

/**
 * Starts a clock that follows the time that `ask` returns, such as the database's time. Between two answers it
 * advances with the monotonic clock, so a wrong system time has no effect. Before the first answer it shows the
 * system time.
 */
export async function startSyncedClock(ask: () => Promise<Date>, own: Clock = systemClock) {
  let atZeroMs = +own.now() - own.elapsedMs();
  let isSynced = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function sync(): Promise<void> {
    const sentMs = own.elapsedMs();
    const answer = await ask().catch(() => null);
    const tripMs = own.elapsedMs() - sentMs;
    const isBetter = answer !== null && (!isSynced || tripMs <= maxTripMs);
    if (isBetter) atZeroMs = +answer - (sentMs + tripMs / 2);
    isSynced ||= isBetter;
    if (isClosed) return;
    timer = setTimeout(() => void sync(), isBetter ? syncEveryMs : syncAgainMs);
    timer.unref();
  }

  await sync();
  return {
    now: () => new Date(Math.round(atZeroMs + own.elapsedMs())),
    elapsedMs: () => own.elapsedMs(),
    /** Returns how far the asked clock is ahead of the own one, in milliseconds. */
    offsetMs: () => atZeroMs + own.elapsedMs() - +own.now(),
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Resolves after `ms`, or at once when the signal aborts. Never rejects. Does not keep the process alive. */
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

/** Settles as `work` does, or as `onLate` when that takes longer than `ms`. The timer keeps the process alive. */
export function withinTime<Value>(
  ms: number,
  work: Promise<Value>,
  onLate: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(onLate);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
