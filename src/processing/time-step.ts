/** Measures the steps of a set. */
import type { Clock } from '../base/clock.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { SetStep } from '../base/observability/processing-metrics.ts';

type TimeStepDeps = {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'setSeconds'>;
  /** Resolves when the next step of this set may begin. Absent: at once. */
  readonly yieldTurn?: (() => Promise<void>) | undefined;
};

/** Returns what `work` returns, and throws what it throws. */
export async function timeStep<Result>(
  { clock, metrics, yieldTurn }: TimeStepDeps,
  step: SetStep,
  work: () => Promise<Result>,
): Promise<Result> {
  await yieldTurn?.();
  const sinceMs = clock.elapsedMs();
  try {
    return await work();
  } finally {
    metrics.setSeconds.observe({ step }, (clock.elapsedMs() - sinceMs) / 1_000);
  }
}
