/**
 * The ticker that works on runs: replays of many events, and what was held while a webhook was paused.
 *
 * Promises: every process may have one; a run goes on wherever it stood, whoever died. Idle, it costs two small indexed
 * reads a tick. Held events whose webhook is active are found without anybody having told of them; those of one that was
 * archived, or is gone, stay held.
 */
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { RunFailure, RunRecord } from '../domain/events/run.ts';
import { isStoreError } from '../store/db/errors.ts';
import type { EventStore } from '../store/events/events.ts';
import { QueryTooSlow } from '../store/event-queries/selection.ts';
import type { RunStore } from '../store/runs/runs.ts';
import { createRunStep, type RunStepDeps } from './run-step.ts';

export type RunsDeps = RunStepDeps & {
  readonly events: Pick<EventStore, 'listHeldWebhooks' | 'countHeld'>;
  readonly runs: Pick<RunStore, 'next' | 'claim' | 'fail' | 'listResuming' | 'ensureResume'>;
  /** Between two looks when nothing is running. */
  readonly intervalMs: number;
  readonly random?: () => number;
  readonly logger: Logger;
  readonly clock: Clock;
};

export type Runs = {
  /** Does the step that is due, if any, and tells in how many milliseconds to look again. */
  tick(): Promise<number>;
  /** Something was begun: looks at once. */
  wake(): void;
  close(): Promise<void>;
};

const busyMs = 500;
const nobody = { tokenId: 'inlet', name: 'inlet' };

export function startRuns(deps: RunsDeps): Runs {
  const { events, runs, webhooks, intervalMs, random = Math.random, logger, clock } = deps;
  const doStep = createRunStep(deps);
  let searchedMs = -Infinity;

  async function work(): Promise<number> {
    if (clock.elapsedMs() - searchedMs >= intervalMs) {
      searchedMs = clock.elapsedMs();
      await findHeld();
    }
    const next = await runs.next();
    if (!next) return intervalMs;
    if (next.waitMs > 0) return Math.min(next.waitMs, busyMs);
    const run = await runs.claim(next.id, newId());
    if (run) await attempt(run);
    return 0;
  }

  async function attempt(run: RunRecord): Promise<void> {
    try {
      await doStep(run);
    } catch (error) {
      const reason = failureOf(error);
      if (reason !== null) await runs.fail(run, reason);
      throw error;
    }
  }

  /** A process that died between a resume and its run, or an event that was held a moment after the run had ended. */
  async function findHeld(): Promise<void> {
    const webhookIds = await events.listHeldWebhooks();
    if (webhookIds.length === 0) return;
    const found = await webhooks.getMany(webhookIds);
    const active = found.filter(({ status }) => status === 'active').map(({ _id }) => _id);
    if (active.length === 0) return;
    const underWay = await runs.listResuming(active);
    for (const _id of active) {
      if (underWay.has(_id)) continue;
      await runs.ensureResume(_id, { held: await events.countHeld(_id), by: nobody });
    }
  }

  async function tick(): Promise<number> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ err: error }, 'run.failed');
      return busyMs;
    }
  }

  return { tick, ...startTicker(tick, { firstMs: intervalMs / 10, random }) };
}

/** Null where waiting mends it. */
function failureOf(error: unknown): RunFailure | null {
  if (error instanceof QueryTooSlow) return 'selection_too_slow';
  return isStoreError(error) ? null : 'internal_error';
}
