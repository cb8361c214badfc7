/** The work on a set, such that one event cannot fail the others: if the set fails together, each event is tried apart. */
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Outcome, Reason } from '../domain/events/outcome.ts';
import { isStoreError } from '../store/db/errors.ts';
import { Contended } from './contacts/enrich.ts';
import { LeaseLost } from './claim/lease.ts';
import type { Work } from './run-stages.ts';

/** Rejects only with LeaseLost. */
export function createWorkApart({ work, logger }: { work: Work; logger: Logger }): Work {
  return async function workApart(set, lease) {
    try {
      return await work(set, lease);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const outcome = retryOf(error);
      const { reason } = outcome;
      logger.warn({ err: error, events: set.map(({ _id }) => _id), reason }, 'batch.failed');
      if (set.length === 1 || reason === 'store_unavailable') {
        return new Map(set.map(({ _id }) => [_id, outcome]));
      }
    }
    const outcomes = new Map<string, Outcome>();
    for (const event of set) {
      if (!lease.holds(event._id)) continue;
      for (const [id, outcome] of await workApart([event], lease)) outcomes.set(id, outcome);
    }
    return outcomes;
  };
}

function retryOf(error: unknown): Extract<Outcome, { kind: 'retry' }> {
  const reason = reasonOf(error);
  const retryAfterMs = error instanceof AppError ? error.retryAfterMs : undefined;
  return { kind: 'retry', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function reasonOf(error: unknown): Reason {
  if (error instanceof Contended) return 'effect_contended';
  return isStoreError(error) ? 'store_unavailable' : 'internal_error';
}
