/** Shows the readiness of a process as a metric. */
import type { ReadinessFailure, Readiness } from '../process/readiness.ts';
import type { Metrics } from './metrics.ts';

/** A check reads the indexes of every collection. */
const usableMs = 5_000;

/** Sets the gauge of each check whenever it is read. */
export function reportReadiness(
  gauge: Metrics['ready'],
  readiness: Pick<Readiness, 'failures'>,
  checks: readonly ReadinessFailure['check'][],
): void {
  async function collect(): Promise<void> {
    const failed = new Set((await readiness.failures(usableMs)).map(({ check }) => check));
    for (const check of checks) gauge.set({ check }, failed.has(check) ? 0 : 1);
  }
  // The library takes it as an option of the constructor, when no process to ask exists yet.
  Object.assign(gauge, { collect });
}
