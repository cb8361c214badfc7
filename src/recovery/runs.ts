/**
 * The ticker of runs: replays and discards of many events, and the release of events that were held by a paused webhook.
 *
 * Promises: any number of processes may have one; when a process dies, another continues its run. An idle tick costs two small
 * indexed reads. Held events of an active webhook are found without a request; those of an archived or deleted webhook stay
 * held.
 */
import { newId } from '../base/ids.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { ProcessContext } from '../context/process-context.ts';
import type { RunFailure, RunRecord } from '../domain/events/run.ts';
import { isStoreError } from '../store/db/errors.ts';
import { QueryTooSlow } from '../store/db/queries.ts';
import { runSteps } from './run-step.ts';
import { filterActiveWebhooks } from '../store/webhooks/webhooks.ts';

type Options = {
  /** The time between two ticks when no run is open. */
  readonly intervalMs: number;
  readonly random?: (() => number) | undefined;
};

const busyMs = 500;
/** Runs that one search for held events creates at most. The next search creates more. */
const maxResumes = 100;
const system = { tokenId: 'inlet', name: 'inlet' };

export function startRuns(ctx: ProcessContext, { intervalMs, random = Math.random }: Options) {
  const { events, runs, logger, clock } = ctx;
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
      await runSteps[run.kind](ctx, run);
    } catch (error) {
      const reason = failureOf(error);
      if (reason !== null) await runs.fail(run, reason);
      throw error;
    }
  }

  /** A process may die between a resume and the start of its run, and an event may be held just after the run has ended. */
  async function findHeld(): Promise<void> {
    const webhookIds = await events.listHeldWebhooks();
    if (webhookIds.length === 0) return;
    const active = await filterActiveWebhooks(ctx, webhookIds);
    if (active.length === 0) return;
    const underWay = await runs.listResuming(active);
    const abandoned = active.filter((id) => !underWay.has(id));
    for (const _id of abandoned.slice(0, maxResumes)) {
      await runs.ensureResume(_id, { held: await events.countHeld(_id), by: system });
    }
  }

  /** Does the step that is due, if any. Resolves to the time until the next tick, in milliseconds. */
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

/** Returns null when the run can be retried. */
function failureOf(error: unknown): RunFailure | null {
  if (error instanceof QueryTooSlow) return 'selection_too_slow';
  return isStoreError(error) ? null : 'internal_error';
}
