/**
 * How long data may be relied on after it was read, by the monotonic clock of this process, from before the read. A process
 * that was stopped or blocked in between decides nothing by old data.
 */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';

/** Far less than the lease of a run, and more than a slow database takes to answer. */
const maxAgeMs = 5_000;

/** To be called before the reads. Returns a function to call directly before the write, which throws `unavailable` when it is too late. */
export function startFreshnessCheck(clock: Clock): () => void {
  const sinceMs = clock.elapsedMs();
  return function requireFresh() {
    if (clock.elapsedMs() - sinceMs < maxAgeMs) return;
    const internal = 'The data to decide by was read too long ago.';
    throw new AppError('unavailable', { retryAfterMs: 1_000, internal });
  };
}
