import { sleep, type Clock } from '../../base/clock.ts';
import { SetConflict } from '../../store/sets/set-transaction.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

export type RetryDeps = {
  readonly clock: Clock;
  /** How long a database that does not answer is asked again. */
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
};

export const maxTries = 5;
const minPauseMs = 5;
const maxPauseMs = 5_000;

type Try = { readonly tries: number; readonly tookMs: number };

/**
 * The pause after a try that met a conflict: of the length of a try, twice as long each time, and random, so that two writers do not
 * meet again.
 */
export const conflictPause = (
  { random, signal }: RetryDeps,
  { tries, tookMs }: Try,
): Promise<void> => {
  const longestMs = Math.max(tookMs, minPauseMs) * 2 ** tries;
  return sleep(random() * Math.min(longestMs, maxPauseMs), signal);
};

/** Runs a transaction up to five times after conflicts, and as long as a lease while the database is unavailable. */
export async function retryConflicts<Result>(
  deps: RetryDeps,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const sinceMs = deps.clock.elapsedMs();
    try {
      return await retryWhileUnavailable({ ...deps, forMs: deps.leaseMs }, run);
    } catch (error) {
      if (!(error instanceof SetConflict) || tries === maxTries) throw error;
      await conflictPause(deps, { tries, tookMs: deps.clock.elapsedMs() - sinceMs });
    }
  }
}
