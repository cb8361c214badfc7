/**
 * Causes a fault on purpose, on an installation that allows it (`INLET_DRILLS`).
 *
 * Must never: act on anything but Inlet's own keys of Redis, its own workers, and a replica set that serves Inlet alone.
 */
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DrillFault, DrillRefusal } from '../../domain/drill.ts';
import {
  claimDrill,
  findStepDownRefusal,
  recordDrill,
  releaseDrill,
  stepDownPrimary,
} from '../../store/maintenance/drills.ts';
import { endWorkerForDrill, hasWorkerForDrill } from '../../store/maintenance/processes.ts';
import type { ApiContext } from '../context.ts';

/** What was hit: a worker that ends within its heartbeat, or keys of Redis. */
type Drilled = { readonly processId: string | null; readonly keys: number | null };

const refuse = (state: DrillRefusal): never => {
  throw new AppError('invalid_transition', { details: { state } });
};

const faults: Readonly<
  Record<
    DrillFault,
    {
      readonly refusal: (ctx: ApiContext) => Promise<DrillRefusal | null>;
      readonly cause: (ctx: ApiContext) => Promise<Partial<Drilled>>;
    }
  >
> = {
  'redis-flush': {
    refusal: ({ queue }) => Promise.resolve(queue.isReady ? null : 'redis_down'),
    cause: async ({ queue }) => ({ keys: await queue.flush() }),
  },
  'kill-worker': {
    refusal: async (ctx) => ((await hasWorkerForDrill(ctx)) ? null : 'no_worker'),
    cause: async (ctx) => ({ processId: (await endWorkerForDrill(ctx)) ?? refuse('no_worker') }),
  },
  'step-down': {
    refusal: findStepDownRefusal,
    cause: async (ctx) => {
      const refusal = await stepDownPrimary(ctx);
      return refusal === null ? {} : refuse(refusal);
    },
  },
};

/** Throws `not_found` where drills are not allowed, and `invalid_transition` with the reason of a refusal. */
export async function startDrill(
  ctx: ApiContext,
  fault: DrillFault,
  actor: Actor,
): Promise<Drilled> {
  if (!ctx.allowsDrills) throw new AppError('not_found');
  const token = (await claimDrill(ctx)) ?? refuse('in_progress');
  const refusal = await faults[fault].refusal(ctx);
  if (refusal !== null) {
    await releaseDrill(ctx, token);
    return refuse(refusal);
  }
  await recordDrill(ctx, fault, actor);
  return { processId: null, keys: null, ...(await faults[fault].cause(ctx)) };
}
