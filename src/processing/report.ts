/** What a finished set says to people: one wide line and the series for each event. Ids only, no payload. */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { RecordOutcome } from '../domain/mappings/version-health.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { Finish } from '../store/events/finish.ts';

type Deps = {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly countEvent?: CountEvent;
  readonly recordOutcome?: RecordOutcome;
};

/** Of what was replayed, or held, the time since receipt says nothing of us. */
const isTimed = ({ generation, timeline }: EventRecord): boolean =>
  generation === 0 && timeline[0]?.state !== 'held';

/** A reason's first word: the target behind it would be a label without bound. */
const word = (reason: string): string => reason.split(':', 1)[0] ?? reason;

export type Report = ReturnType<typeof createReport>;

export function createReport({ logger, metrics, clock, countEvent, recordOutcome }: Deps) {
  function count(event: EventRecord, outcome: Outcome): void {
    recordOutcome?.(event, outcome);
    if (outcome.kind === 'retry') {
      metrics.retries.inc();
      return;
    }
    metrics.processed.inc({ outcome: outcome.kind });
    if (outcome.kind === 'dead') metrics.dead.inc({ reason: word(outcome.reason) });
    const tookMs = Math.max(0, +clock.now() - +event.receivedAt);
    metrics.endToEndSeconds.observe(tookMs / 1_000);
    if (event.test || outcome.kind === 'split') return;
    const isDone = outcome.kind === 'done';
    countEvent?.(event.webhookId, outcome.kind, isDone && isTimed(event) ? { tookMs } : {});
  }

  function line(event: EventRecord, outcome: Outcome, durationMs: number): void {
    logger.info(
      {
        eventId: event._id,
        webhookId: event.webhookId,
        mappingVersion: event.mappingVersion,
        attempt: event.attempts,
        outcome: outcome.kind,
        ...('reason' in outcome && { reason: outcome.reason }),
        ...(outcome.kind === 'done' && outcome.effects),
        ...(outcome.kind === 'split' && { items: outcome.items }),
        durationMs: Math.round(durationMs),
      },
      'event.processed',
    );
  }

  return {
    finished(finishes: readonly Finish[], durationMs: number): void {
      for (const { event, outcome } of finishes) {
        count(event, outcome);
        line(event, outcome, durationMs);
      }
    },
    /** Events that the claim itself found without attempts left. */
    spent(events: readonly EventRecord[]): void {
      for (const event of events) {
        const outcome: Outcome = { kind: 'dead', reason: event.reason ?? 'attempts_spent' };
        count(event, outcome);
        line(event, outcome, 0);
      }
    },
  };
}
