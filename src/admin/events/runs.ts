/**
 * Replays and discards of many events, and what was held while a webhook was paused: begun here, worked on by whichever process is free.
 *
 * Promises: what is begun goes on without whoever began it; a preview counts and changes nothing.
 */
import { AppError } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Page } from '../../domain/pagination.ts';
import type { UserRunKind, RunFilter, RunRecord } from '../../domain/events/run.ts';
import type { EventStore } from '../../store/events/events.ts';
import type { Selection, SelectionCount } from '../../store/event-queries/selection.ts';
import type { RunListFilter, RunStore } from '../../store/runs/runs.ts';

/** Without the ids that it was given: there may be a thousand. */
const presentFilter = ({ ids, from, to, ...lists }: RunFilter) => ({
  ...lists,
  ...(ids && { ids: ids.length }),
  ...(from && { from: from.toISOString() }),
  ...(to && { to: to.toISOString() }),
});

export const presentRun = (run: RunRecord) => ({
  id: run._id,
  kind: run.kind,
  state: run.state,
  filter: presentFilter(run.filter),
  remap: run.remap,
  perSecond: run.perSecond,
  total: run.total,
  totalExact: run.totalExact,
  replayed: run.kind === 'discard' ? 0 : run.replayed,
  discarded: run.kind === 'discard' ? run.replayed : 0,
  skipped: run.skipped,
  reason: run.reason,
  createdAt: run.createdAt.toISOString(),
  createdBy: run.createdBy.name,
  finishedAt: run.finishedAt?.toISOString() ?? null,
});

export type RunDeps = {
  readonly events: Pick<EventStore, 'tally' | 'countHeld'>;
  readonly runs: RunStore;
  /** This process looks for runs at once. */
  readonly wakeRuns: () => void;
};

export function createRuns({ events, runs, wakeRuns }: RunDeps) {
  async function get(id: string): Promise<RunRecord> {
    const run = await runs.get(id);
    if (!run) throw new AppError('not_found');
    return run;
  }

  return {
    get,
    list: (query: RunListFilter, page: Page) => runs.list(query, page),
    preview: (selection: Selection): Promise<SelectionCount> => events.tally(selection),

    async begin(
      { perSecond, ...selection }: Selection & { kind: UserRunKind; perSecond: number },
      actor: Actor,
    ): Promise<RunRecord> {
      const { count: total, exact: totalExact } = await events.tally(selection);
      const run = await runs.create({ ...selection, perSecond, total, totalExact }, actor);
      wakeRuns();
      return run;
    },

    /** What was held is stopped by pausing its webhook instead. */
    async cancel(id: string, actor: Actor): Promise<RunRecord> {
      const cancelled = await runs.cancel(id, actor);
      if (cancelled) return cancelled;
      const { state, kind } = await get(id);
      // Running is no obstacle, so another word says what to stop instead.
      const obstacle = kind === 'resume' && state === 'running' ? 'resuming' : state;
      throw new AppError('invalid_transition', { details: { state: obstacle } });
    },

    /** What it does not begin, a ticker finds by itself. */
    async resume(webhookId: string, by: Actor): Promise<void> {
      const held = await events.countHeld(webhookId);
      if (held.count === 0) return;
      await runs.ensureResume(webhookId, { held, by });
      wakeRuns();
    },
  };
}
