/**
 * One step of a run: at most a hundred events.
 *
 * Promises: a step may be cut short anywhere and done again by anybody; what it does is written down first, and done to
 * each event once. Replays touch nothing that ended after the run began, discards nothing that came or lives again
 * after. Held events are let through in the order of
 * their receipt, the next only when the last were worked on, so that two workers do not overtake each other. Whoever wakes after its
 * turn, or after its webhook was paused, changes nothing.
 */
import type { Metrics } from '../base/observability/metrics.ts';
import {
  maxRunStep,
  pauseMsOf,
  stepSizeOf,
  type RunKind,
  type RunRecord,
  type RunStep,
} from '../domain/events/run.ts';
import type { CountEvent } from '../domain/stats.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import { selectableStates } from '../store/event-queries/selection.ts';
import type { RunStore } from '../store/runs/runs.ts';
import { startFreshnessCheck } from './read-freshness.ts';
import { createReplayParameters, type ReplayParametersDeps } from './replay-parameters.ts';

export type RunStepDeps = ReplayParametersDeps & {
  readonly events: Pick<
    EventStore,
    | 'findSplitBodies'
    | 'select'
    | 'getRecords'
    | 'replayMany'
    | 'discardMany'
    | 'findReplayed'
    | 'oldestHeld'
    | 'releaseHeld'
    | 'hasUnprocessed'
  >;
  readonly runs: Pick<RunStore, 'saveStep' | 'renew' | 'advance' | 'end'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly metrics: Pick<Metrics, 'processed'>;
  readonly countEvent?: CountEvent;
};

export type DoRunStep = (run: RunRecord) => Promise<void>;

/** How soon to look again whether the events let through last were worked on. */
const awaitedLookMs = 250;

export function createRunStep(deps: RunStepDeps): DoRunStep {
  const { events, runs, queue, metrics, countEvent } = deps;
  const termsFor = createReplayParameters(deps);
  const steps: Readonly<Record<RunKind, DoRunStep>> = {
    replay: replayStep,
    discard: discardStep,
    resume: createResumeStep(deps),
  };
  return (run) => steps[run.kind](run);

  async function replayStep(run: RunRecord): Promise<void> {
    const step = run.step ?? (await planNext(run));
    if (!step) return;
    const { ids } = step;
    const found = await events.getRecords(ids);
    const { replays, requireFresh } = await termsFor(found, run.remap ? 'remap' : 'replay');
    if (!(await runs.renew(run))) return;
    requireFresh();
    await events.replayMany({ runId: run._id, before: run.createdAt, replays });
    const sent = await events.findReplayed(run._id, ids);
    hintEvents(
      queue,
      sent.filter(({ state }) => state === 'received'),
    );
    await pass(run, step, sent.length);
  }

  /** Nothing to look up before: what is given up has ended, whatever its webhook is. */
  async function discardStep(run: RunRecord): Promise<void> {
    const step = run.step ?? (await planNext(run));
    if (!step || !(await runs.renew(run))) return;
    const { _id: runId, createdAt: before } = run;
    await events.discardMany({ runId, before, states: selectableStates(run), ids: step.ids });
    const given = await events.findReplayed(runId, step.ids);
    await pass(run, step, given.length);
    // Afterwards, so that a step that is done again counts once.
    metrics.processed.inc({ outcome: 'discarded' }, given.length);
    for (const { webhookId, isTest } of given) if (!isTest) countEvent?.(webhookId, 'discarded');
  }

  function pass(run: RunRecord, { ids, upTo }: RunStep, replayed: number): Promise<void> {
    const skipped = ids.length - replayed;
    const pauseMs = pauseMsOf(ids.length, run);
    return runs.advance(run, { step: null, cursor: upTo, replayed, skipped, pauseMs });
  }

  /** Null when there is nothing left, or the run is not ours any more. */
  async function planNext(run: RunRecord): Promise<RunStep | null> {
    const { cursor, createdAt: before } = run;
    const chosen = await events.select(run, { cursor, before, limit: stepSizeOf(run) });
    const upTo = chosen.at(-1);
    if (!upTo) {
      await runs.end(run, 'done');
      return null;
    }
    const step = { ids: chosen.map(({ _id }) => _id), upTo, isSent: false };
    return (await runs.saveStep(run, step)) ? step : null;
  }
}

/** Lets through what a webhook held, the oldest first. */
function createResumeStep({ events, webhooks, runs, queue, clock }: RunStepDeps): DoRunStep {
  return resumeStep;

  async function resumeStep(run: RunRecord): Promise<void> {
    const webhookId = run.filter.webhookId?.[0] ?? '';
    if (!(await isActive(webhookId))) return runs.end(run, 'cancelled');
    if (run.step?.isSent && (await events.hasUnprocessed(run.step.ids))) {
      return runs.advance(run, { step: run.step, pauseMs: awaitedLookMs });
    }
    const step = run.step && !run.step.isSent ? run.step : await planResume(run, webhookId);
    if (!step) return;
    const requireFresh = startFreshnessCheck(clock);
    if (!(await runs.renew(run))) return;
    if (!(await isActive(webhookId))) return runs.end(run, 'cancelled');
    requireFresh();
    hintEvents(queue, await events.releaseHeld(step.ids));
    await runs.advance(run, {
      step: { ...step, isSent: true },
      replayed: step.ids.length,
      pauseMs: pauseMsOf(step.ids.length, run),
    });
  }

  async function isActive(webhookId: string): Promise<boolean> {
    const [webhook] = await webhooks.getMany([webhookId]);
    return webhook?.status === 'active';
  }

  async function planResume(run: RunRecord, webhookId: string): Promise<RunStep | null> {
    const ids = await events.oldestHeld(webhookId, maxRunStep);
    if (ids.length === 0) {
      await runs.end(run, 'done');
      return null;
    }
    const step = { ids, upTo: null, isSent: false };
    return (await runs.saveStep(run, step)) ? step : null;
  }
}
