/** Keeps one event from failing the others of its set: a set that fails together is processed again event by event. */
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Reason } from '../domain/events/actions.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import { isStoreError } from '../store/db/errors.ts';
import { LeaseLost, type Lease } from './claim/lease.ts';
import { Contended } from './contended.ts';

type Outcomes = ReadonlyMap<string, Outcome>;

type Deps = { readonly logger: Logger; readonly lease: Lease };
type Run = (events: readonly EventRecord[]) => Promise<Outcomes>;

/**
 * Returns the outcome of each event that the lease still holds. A store that is away fails the whole set at once.
 * Rejects only with LeaseLost.
 */
export async function isolateFailures(
  deps: Deps,
  events: readonly EventRecord[],
  run: Run,
): Promise<Outcomes> {
  try {
    return await run(events);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const outcome = retryOutcome(error);
    const { reason } = outcome;
    deps.logger.warn({ err: error, events: events.map(({ _id }) => _id), reason }, 'batch.failed');
    if (events.length === 1 || reason === 'store_unavailable') {
      return new Map(events.map(({ _id }) => [_id, outcome]));
    }
  }
  const outcomes = new Map<string, Outcome>();
  for (const event of events) {
    if (!deps.lease.holds(event._id)) continue;
    for (const [id, outcome] of await isolateFailures(deps, [event], run))
      outcomes.set(id, outcome);
  }
  return outcomes;
}

function retryOutcome(error: unknown): Extract<Outcome, { kind: 'retry' }> {
  const reason = reasonOf(error);
  const retryAfterMs = error instanceof AppError ? error.retryAfterMs : undefined;
  return { kind: 'retry', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function reasonOf(error: unknown): Reason {
  if (error instanceof Contended) return 'effect_contended';
  return isStoreError(error) ? 'store_unavailable' : 'internal_error';
}
