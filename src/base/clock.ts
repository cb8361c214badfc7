/** Time as a dependency. What several processes must agree on follows the database's time. */
export type Clock = {
  now(): Date;
  /** Monotonic, for durations. */
  elapsedMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
};

const syncEveryMs = 60_000;
const syncAgainMs = 5_000;
/** A slower answer may be wrong by half of this, so it does not replace a better one. */
const maxTripMs = 1_000;

export type SyncedClock = Clock & { close(): void };

/**
 * A clock that shows what `ask` answers, such as the database's time, and runs on by the monotonic clock, so that what
 * this machine believes the time to be does not matter. Until the first answer it shows the machine's.
 */
export async function startSyncedClock(
  ask: () => Promise<Date>,
  own: Clock = systemClock,
): Promise<SyncedClock> {
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
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

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
