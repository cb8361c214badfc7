/** Asking the database again and again while it is away, where giving up would cost an event an attempt. */
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

/** Rejects with the last error when its time is up, and at once with any error but `unavailable`. */
export type Insist = <Result>(run: () => Promise<Result>) => Promise<Result>;

type InsistDeps = {
  readonly clock: Clock;
  readonly forMs: number;
  /** Ends the insisting, not the try that is under way. */
  readonly signal: AbortSignal;
};

const firstPauseMs = 250;
const maxPauseMs = 4_000;

export function createInsist({ clock, forMs, signal }: InsistDeps): Insist {
  return async function insist(run) {
    const untilMs = clock.elapsedMs() + forMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      try {
        return await run();
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'unavailable';
        if (!isAway || signal.aborted || clock.elapsedMs() + pauseMs >= untilMs) throw error;
        await sleep(pauseMs, signal);
      }
    }
  };
}
