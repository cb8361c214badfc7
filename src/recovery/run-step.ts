/**
 * One step of a run: at most a hundred events.
 *
 * Promises: a step may be cut short anywhere and done again by any process; it is saved before it is done, and changes each
 * event once. Replays do not change events that ended after the run began; discards do not change events that came or were
 * revived after. Held events are released in the order of their receipt, the next ones only once the last were processed,
 * so that two workers do not overtake each other. A process whose lease ended, or whose webhook was paused, changes nothing.
 */
import type { ProcessContext } from '../context/process-context.ts';
import {
  maxRunStep,
  pauseMsOf,
  stepSizeOf,
  type RunKind,
  type RunRecord,
  type RunStep,
} from '../domain/events/run.ts';
import { hintEvents } from '../queue/process-events.ts';
import { selectableStates } from '../store/events/selection.ts';
import { replayParameters, startFreshnessCheck } from './replay.ts';
import { getWebhooks } from '../store/webhooks/webhooks.ts';

/** How soon to check again whether the released events were processed. */
const unprocessedPauseMs = 250;

type DoStep = (ctx: ProcessContext, run: RunRecord) => Promise<void>;

/** Each does the next step of the run and saves its progress. They throw errors of the store. */
export const runSteps: Readonly<Record<RunKind, DoStep>> = {
  replay: replayStep,
  discard: discardStep,
  resume: resumeStep,
};

async function replayStep(ctx: ProcessContext, run: RunRecord): Promise<void> {
  const { events, runs, queue } = ctx;
  const step = run.step ?? (await planNext(ctx, run));
  if (!step) return;
  const { ids } = step;
  const found = await events.getRecords(ids);
  const change = run.remap ? 'remap' : 'replay';
  const { replays, requireFresh } = await replayParameters(ctx, found, change);
  if (!(await runs.renew(run))) return;
  requireFresh();
  await events.replayMany({ runId: run._id, before: run.createdAt, replays });
  const replayed = await events.findReplayed(run._id, ids);
  hintEvents(
    queue,
    replayed.filter(({ state }) => state === 'received'),
  );
  await advancePast(ctx, run, { step, changed: replayed.length });
}

/** Needs no webhook: a discarded event has ended in any state of its webhook. */
async function discardStep(ctx: ProcessContext, run: RunRecord): Promise<void> {
  const { events, runs, metrics, countEvent } = ctx;
  const step = run.step ?? (await planNext(ctx, run));
  if (!step || !(await runs.renew(run))) return;
  const { _id: runId, createdAt: before } = run;
  await events.discardMany({ runId, before, states: selectableStates(run), ids: step.ids });
  const discarded = await events.findReplayed(runId, step.ids);
  await advancePast(ctx, run, { step, changed: discarded.length });
  // Counted last, so that a step that is done again counts once.
  metrics.processed.inc({ outcome: 'discarded' }, discarded.length);
  for (const { webhookId, isTest } of discarded) if (!isTest) countEvent(webhookId, 'discarded');
}

function advancePast(
  { runs }: ProcessContext,
  run: RunRecord,
  { step: { ids, upTo }, changed }: { step: RunStep; changed: number },
): Promise<void> {
  const skipped = ids.length - changed;
  const pauseMs = pauseMsOf(ids.length, run);
  return runs.advance(run, { step: null, cursor: upTo, replayed: changed, skipped, pauseMs });
}

/** Returns null when no event is left, or another process has the run. */
async function planNext({ events, runs }: ProcessContext, run: RunRecord): Promise<RunStep | null> {
  const { cursor, createdAt: before } = run;
  const selected = await events.select(run, { cursor, before, limit: stepSizeOf(run) });
  const ids = selected.map(({ _id }) => _id);
  return saveStep(runs, run, { ids, upTo: selected.at(-1) ?? null, isSent: false });
}

/** Ends the run where nothing is left. */
async function saveStep(runs: ProcessContext['runs'], run: RunRecord, step: RunStep) {
  if (step.ids.length > 0) return (await runs.saveStep(run, step)) ? step : null;
  await runs.end(run, 'done');
  return null;
}

async function resumeStep(ctx: ProcessContext, run: RunRecord): Promise<void> {
  const { events, runs, queue, clock } = ctx;
  const webhookId = run.filter.webhookId?.[0] ?? '';
  if (!(await isActive(ctx, webhookId))) return runs.end(run, 'cancelled');
  if (run.step?.isSent && (await events.hasUnprocessed(run.step.ids))) {
    return runs.advance(run, { step: run.step, pauseMs: unprocessedPauseMs });
  }
  const step = run.step && !run.step.isSent ? run.step : await planResume(ctx, run, webhookId);
  if (!step) return;
  const requireFresh = startFreshnessCheck(clock);
  if (!(await runs.renew(run))) return;
  if (!(await isActive(ctx, webhookId))) return runs.end(run, 'cancelled');
  requireFresh();
  hintEvents(queue, await events.releaseHeld(step.ids));
  await runs.advance(run, {
    step: { ...step, isSent: true },
    replayed: step.ids.length,
    pauseMs: pauseMsOf(step.ids.length, run),
  });
}

async function isActive(ctx: ProcessContext, webhookId: string): Promise<boolean> {
  const [webhook] = await getWebhooks(ctx, [webhookId]);
  return webhook?.status === 'active';
}

async function planResume({ events, runs }: ProcessContext, run: RunRecord, webhookId: string) {
  const ids = await events.oldestHeld(webhookId, maxRunStep);
  return saveStep(runs, run, { ids, upTo: null, isSent: false });
}
