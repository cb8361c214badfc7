/** Composes the recovery that every process runs. `over` replaces parts, for tests. */
import type { Config } from '../../config/config.ts';
import { startRuns, type RunsDeps } from '../recovery/runs.ts';
import { startSweeper } from '../recovery/sweep.ts';
import type { Resources } from './resources.ts';

type RecoveryConfig = Pick<Config, 'sweepIntervalMs'>;

export const assembleRuns = (
  { sweepIntervalMs }: RecoveryConfig,
  { stores, ...resources }: Resources,
  over: Partial<RunsDeps> = {},
) => startRuns({ ...stores, ...resources, intervalMs: sweepIntervalMs, ...over });

/** Starts runs and sweeper, and adds their shutdown steps. */
export function assembleRecovery(config: RecoveryConfig, resources: Resources) {
  const { stores, closing } = resources;
  const sweeper = startSweeper({ ...stores, ...resources, intervalMs: config.sweepIntervalMs });
  closing.add('sweeper', () => sweeper.close(), 6_000);
  const runs = assembleRuns(config, resources);
  closing.add('runs', () => runs.close(), 5_000);
  return runs;
}
