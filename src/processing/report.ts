/**
 * Reports processed events: one log line for the set, one for each event, and the metrics. Holds ids only, never payloads.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { observeWithExemplar } from '../base/observability/open-metrics.ts';
import { traceLabelOf } from '../base/observability/tracing.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { reasonCode, type Outcome } from '../domain/events/outcome.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { Finish } from '../store/events/outcomes.ts';
import type { RecordOutcome } from '../domain/mappings/mapping-version.ts';

export type ReportDeps = {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly countEvent?: CountEvent;
  readonly recordOutcome?: RecordOutcome;
};

/** Reports the outcomes that were written. */
export function reportFinished(
  deps: ReportDeps,
  finishes: readonly Finish[],
  durationMs: number,
): void {
  if (finishes.length > 0) logSet(deps.logger, finishes, durationMs);
  for (const { event, outcome } of finishes) {
    countOutcome(deps, event, outcome);
    logOutcome(deps.logger, event, { outcome, durationMs });
  }
}

/** Reports events that ended with their set because no attempt was left. */
export function reportSpent(deps: ReportDeps, events: readonly EventRecord[]): void {
  for (const event of events) {
    const outcome: Outcome = { kind: 'dead', reason: event.reason ?? 'attempts_spent' };
    countOutcome(deps, event, outcome);
    logOutcome(deps.logger, event, { outcome, durationMs: 0 });
  }
}

function countOutcome(deps: ReportDeps, event: EventRecord, outcome: Outcome): void {
  const { metrics, clock, countEvent, recordOutcome } = deps;
  recordOutcome?.(event, outcome);
  if (outcome.kind === 'retry') {
    metrics.retries.inc();
    return;
  }
  metrics.processed.inc({ outcome: outcome.kind });
  if (outcome.kind === 'dead') metrics.dead.inc({ reason: reasonCode(outcome.reason) });
  const tookMs = Math.max(0, +clock.now() - +event.receivedAt);
  const isTimedDone = outcome.kind === 'done' && isTimed(event);
  if (isTimedDone) {
    const path = event.attempts > 1 ? 'retried' : 'first_try';
    observeWithExemplar(metrics.doneSeconds, {
      labels: { path },
      value: tookMs / 1_000,
      exemplar: { event_id: event._id, ...traceLabelOf(event.trace) },
    });
  }
  if (event.test || outcome.kind === 'split') return;
  countEvent?.(event.webhookId, outcome.kind, isTimedDone ? { tookMs } : {});
}

/** The time since receipt says nothing about the speed of a replayed or held event. */
const isTimed = ({ generation, timeline }: EventRecord): boolean =>
  generation === 0 && timeline[0]?.state !== 'held';

type Logged = { readonly outcome: Outcome; readonly durationMs: number };

function logSet(logger: Logger, finishes: readonly Finish[], durationMs: number): void {
  const outcomes: Partial<Record<Outcome['kind'], number>> = {};
  for (const { outcome } of finishes) outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
  const line = { events: finishes.length, ...outcomes, durationMs: Math.round(durationMs) };
  logger.info(line, 'events.processed');
}

/** An event that is not done shows its id without `debug`, too. */
function logOutcome(logger: Logger, event: EventRecord, { outcome, durationMs }: Logged): void {
  const isNotable = outcome.kind === 'retry' || outcome.kind === 'dead';
  if (!isNotable && !logger.isLevelEnabled('debug')) return;
  const line = {
    eventId: event._id,
    webhookId: event.webhookId,
    mappingVersion: event.mappingVersion,
    attempt: event.attempts,
    outcome: outcome.kind,
    ...('reason' in outcome && { reason: outcome.reason }),
    ...(outcome.kind === 'done' && { ...outcome.effects, messageId: event._id }),
    ...(outcome.kind === 'split' && { items: outcome.items }),
    durationMs: Math.round(durationMs),
  };
  if (isNotable) logger.info(line, 'event.processed');
  else logger.debug(line, 'event.processed');
}
