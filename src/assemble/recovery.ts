/** Composes the recovery that every process runs. `over` replaces parts, for tests. */
import type { Config } from '../../config/config.ts';
import type { ProcessContext } from '../context/process-context.ts';
import { startRuns } from '../recovery/runs.ts';
import { startSweeper } from '../recovery/sweep.ts';

type RecoveryConfig = Pick<Config, 'sweepIntervalMs'>;
export type RunParts = Partial<ProcessContext> & { readonly random?: () => number };

export const assembleRuns = (
  { sweepIntervalMs: intervalMs }: RecoveryConfig,
  ctx: ProcessContext,
  { random, ...over }: RunParts = {},
) => startRuns({ ...ctx, ...over }, { intervalMs, random });

/** Starts runs and sweeper, and adds their shutdown steps. */
export function assembleRecovery(config: RecoveryConfig, ctx: ProcessContext) {
  const { closing } = ctx;
  const sweeper = startSweeper(ctx, { intervalMs: config.sweepIntervalMs });
  closing.add('sweeper', () => sweeper.close(), 6_000);
  const runs = assembleRuns(config, ctx);
  closing.add('runs', () => runs.close(), 5_000);
  return runs;
}
