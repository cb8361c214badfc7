/** What a person does with one event that went wrong: sends it through again, or gives it up. */
import { AppError } from '../base/errors.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { CountEvent } from '../domain/stats.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import { createReplayParameters, type ReplayParametersDeps } from './replay-parameters.ts';

export type RecoveryDeps = ReplayParametersDeps & {
  readonly events: Pick<EventStore, 'get' | 'findSplitBodies' | 'replay' | 'discard'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly metrics: Pick<Metrics, 'processed'>;
  readonly countEvent?: CountEvent;
};

export type Recovery = ReturnType<typeof createRecovery>;

export function createRecovery(deps: RecoveryDeps) {
  const { events, webhooks, queue, metrics, clock, countEvent } = deps;
  const termsFor = createReplayParameters({ events, webhooks, clock });

  async function refuse(eventId: string): Promise<never> {
    const event = await events.get(eventId);
    if (!event) throw new AppError('not_found');
    const { strippedAt, erased } = event;
    const state = erased ? 'erased' : event.state;
    const missing = strippedAt ? { missing: ['body'] } : {};
    throw new AppError('invalid_transition', { details: { state, ...missing } });
  }

  return {
    /**
     * Takes dead, ignored and discarded events, and for a remap those that are done. Throws `not_found` or, with the
     * state, `invalid_transition`.
     */
    async replayEvent(
      eventId: string,
      change: 'replay' | 'remap',
      actor: Actor,
    ): Promise<EventRecord> {
      const event = await events.get(eventId);
      if (!event) throw new AppError('not_found');
      const { replays, requireFresh } = await termsFor([event], change);
      requireFresh();
      const replayed = replays[0] && (await events.replay(replays[0], actor));
      if (!replayed) return refuse(eventId);
      if (replayed.state === 'received') hintEvents(queue, [replayed]);
      return replayed;
    },

    /** Takes open and dead events. Throws as above. */
    async discardEvent(eventId: string, actor: Actor): Promise<EventRecord> {
      const discarded = await events.discard(eventId, actor);
      if (!discarded) return refuse(eventId);
      metrics.processed.inc({ outcome: 'discarded' });
      if (!discarded.test) countEvent?.(discarded.webhookId, 'discarded');
      return discarded;
    },
  };
}
