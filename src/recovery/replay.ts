/** Replays or discards one event on request of a person. */
import { AppError, orNotFound } from '../base/errors.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { CountEvent } from '../domain/stats.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Replay } from '../store/events/replay.ts';
import { replayParameters, type ReplayParametersDeps } from './replay-parameters.ts';

type RecoveryDeps = ReplayParametersDeps & {
  readonly events: Pick<EventStore, 'get' | 'findSplitBodies' | 'replay' | 'discard'>;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly metrics: Pick<Metrics, 'processed'>;
  readonly countEvent?: CountEvent;
};

export const createRecovery = (deps: RecoveryDeps) => ({
  replayEvent: (eventId: string, change: Replay['change'], actor: Actor) =>
    replayEvent(deps, { eventId, change, actor }),
  discardEvent: (eventId: string, actor: Actor) => discardEvent(deps, eventId, actor),
});

type ReplayRequest = {
  readonly eventId: string;
  readonly change: Replay['change'];
  readonly actor: Actor;
};

/**
 * Replays dead, ignored and discarded events, and remaps done ones too. Throws `not_found`, or `invalid_transition` with the
 * current state.
 */
async function replayEvent(deps: RecoveryDeps, { eventId, change, actor }: ReplayRequest) {
  const { events, queue } = deps;
  const event = orNotFound(await events.get(eventId));
  const { replays, requireFresh } = await replayParameters(deps, [event], change);
  requireFresh();
  const replayed = replays[0] && (await events.replay(replays[0], actor));
  if (!replayed?.ok) throw await rejectionOf(deps, eventId);
  const { value } = replayed;
  if (value.state === 'received') hintEvents(queue, [value]);
  return value;
}

/** Discards open and dead events. Throws as `replayEvent`. */
async function discardEvent(deps: RecoveryDeps, eventId: string, actor: Actor) {
  const result = await deps.events.discard(eventId, actor);
  if (!result.ok) throw await rejectionOf(deps, eventId);
  const discarded = result.value;
  deps.metrics.processed.inc({ outcome: 'discarded' });
  if (!discarded.test) deps.countEvent?.(discarded.webhookId, 'discarded');
  return discarded;
}

async function rejectionOf({ events }: RecoveryDeps, eventId: string): Promise<AppError> {
  const event = await events.get(eventId);
  if (!event) return new AppError('not_found');
  const { strippedAt, erased } = event;
  const state = erased ? 'erased' : event.state;
  const missing = strippedAt ? { missing: ['body'] } : {};
  return new AppError('invalid_transition', { details: { state, ...missing } });
}
