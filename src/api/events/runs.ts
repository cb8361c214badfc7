/**
 * Runs: replay or discard many events, and resume held events. Any process executes the steps.
 *
 * Promises: a run continues without the process that created it. A preview changes nothing.
 */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { UserRunKind, RunRecord } from '../../domain/events/run.ts';
import { selectableStates, type Selection } from '../../store/events/selection.ts';
import type { ApiContext } from '../context.ts';
import { requireRunBound } from './query-bounds.ts';

/** Counts the events that a run would change. Throws `unbounded_query`. */
export async function previewRun({ events }: Pick<ApiContext, 'events'>, selection: Selection) {
  requireRunBound(selection.filter, selectableStates(selection));
  return events.countSelection(selection);
}

/** Counts the events of a run by what became of them so far. */
export const readRunOutcome = async ({ events, runs }: ApiContext, id: string) =>
  events.countOutcome(orNotFound(await runs.get(id))._id);

/** Throws `unbounded_query`. */
export async function startRun(
  ctx: ApiContext,
  { perSecond, ...selection }: Selection & { kind: UserRunKind; perSecond: number },
  actor: Actor,
): Promise<RunRecord> {
  const { count: total, exact: totalExact } = await previewRun(ctx, selection);
  const run = await ctx.runs.create({ ...selection, perSecond, total, totalExact }, actor);
  ctx.wakeRuns();
  return run;
}

/** Cancels a run. A `resume` run cannot be cancelled: pausing the webhook stops it. Throws `invalid_transition`. */
export async function cancelRun(
  { runs }: ApiContext,
  id: string,
  actor: Actor,
): Promise<RunRecord> {
  const cancelled = await runs.cancel(id, actor);
  if (cancelled.ok) return cancelled.value;
  const { state, kind } = orNotFound(await runs.get(id));
  // `running` would not explain the rejection.
  const obstacle = kind === 'resume' && state === 'running' ? 'resuming' : state;
  throw new AppError('invalid_transition', { details: { state: obstacle } });
}

/** Starts a run that resumes held events. If it fails, the ticker starts the run later. */
export async function resumeHeldEvents(
  { events, runs, wakeRuns }: ApiContext,
  webhookId: string,
  by: Actor,
): Promise<void> {
  const held = await events.countHeld(webhookId);
  if (held.count === 0) return;
  await runs.ensureResume(webhookId, { held, by });
  wakeRuns();
}
