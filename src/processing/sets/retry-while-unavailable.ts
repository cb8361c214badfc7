import { sleep, type Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

type Terms = {
  readonly clock: Clock;
  readonly forMs: number;
  /** Ends the retrying, not the try in progress. */
  readonly signal: AbortSignal;
};

const firstPauseMs = 250;
const maxPauseMs = 4_000;

/**
 * Runs it again while the database is unavailable. Rejects with the last error when the time is over, and at once with any
 * error but `unavailable`.
 */
export async function retryWhileUnavailable<Result>(
  { clock, forMs, signal }: Terms,
  run: () => Promise<Result>,
): Promise<Result> {
  const untilMs = clock.elapsedMs() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await run();
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.code === 'unavailable';
      if (!isUnavailable || signal.aborted || clock.elapsedMs() + pauseMs >= untilMs) throw error;
      await sleep(pauseMs, signal);
    }
  }
}
