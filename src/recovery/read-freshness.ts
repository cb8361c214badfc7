/**
 * What was read to decide by, and for how long it may be relied on: by this process's own monotonic clock, counted from
 * before it was asked for. Whoever was stopped or blocked meanwhile decides nothing by what was true before.
 */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';

/** Far less than a turn at a run lasts, and more than a slow database takes to answer. */
const standsMs = 5_000;

/** To be begun before the reads; what it returns is called directly before the write, and throws `unavailable` when it is too late. */
export function startFreshnessCheck(clock: Clock): () => void {
  const sinceMs = clock.elapsedMs();
  return function requireFresh() {
    if (clock.elapsedMs() - sinceMs < standsMs) return;
    const internal = 'What was read to decide by is too old.';
    throw new AppError('unavailable', { retryAfterMs: 1_000, internal });
  };
}
