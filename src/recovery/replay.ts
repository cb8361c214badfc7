/** Replays and discards of single events on request of a person, and the parameters of every replay: what the webhook has now. */
import type { Clock } from '../base/clock.ts';
import { AppError, orNotFound } from '../base/errors.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { CountEvent } from '../domain/stats.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Replay } from '../store/events/replay.ts';

export type ReplayParametersDeps = {
  readonly events: Pick<EventStore, 'findSplitBodies'>;
  readonly webhooks: { getMany(ids: readonly string[]): Promise<readonly Webhook[]> };
  readonly clock: Clock;
};

type Replayable = Pick<
  EventRecord,
  '_id' | 'webhookId' | 'channelId' | 'parentId' | 'mappingVersion'
>;

type ReplayParameters = {
  readonly replays: readonly Replay[];
  /** To be called directly before the write. Throws `unavailable` when the webhooks were read too long ago. */
  readonly requireFresh: () => void;
};

export async function replayParameters(
  { events, webhooks, clock }: ReplayParametersDeps,
  found: readonly Replayable[],
  change: Replay['change'],
): Promise<ReplayParameters> {
  const requireFresh = startFreshnessCheck(clock);
  const webhookIds = [...new Set(found.map(({ webhookId }) => webhookId))];
  const ownBodies = found.filter(({ parentId }) => parentId === null).map(({ _id }) => _id);
  const [known, split] = await Promise.all([
    webhooks.getMany(webhookIds),
    events.findSplitBodies(ownBodies),
  ]);
  const byId = new Map(known.map((webhook) => [webhook._id, webhook]));
  const replays = found.map((event): Replay => {
    const webhook = byId.get(event.webhookId);
    // A body whose split has begun is split to its end by the same mapping version.
    const version = split.has(event._id) ? null : webhook?.activeVersion;
    return {
      eventId: event._id,
      change,
      channelId: webhook?.channelId ?? event.channelId,
      mappingVersion: version ?? event.mappingVersion,
      maxAttempts: webhook?.settings.retries?.maxAttempts,
      state: webhook?.status === 'paused' ? 'held' : 'received',
    };
  });
  return { replays, requireFresh };
}

/** Far less than the lease of a run, and more than a slow database takes to answer. */
const maxAgeMs = 5_000;

/**
 * To be called before the reads. Returns a function to call directly before the write, which throws `unavailable` when it is too
 * late by the monotonic clock: a process that was stopped or blocked in between decides nothing by old data.
 */
export function startFreshnessCheck(clock: Clock): () => void {
  const sinceMs = clock.elapsedMs();
  return function requireFresh() {
    if (clock.elapsedMs() - sinceMs < maxAgeMs) return;
    const internal = 'The data to decide by was read too long ago.';
    throw new AppError('unavailable', { retryAfterMs: 1_000, internal });
  };
}

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

/** A done event can only be remapped. Throws `not_found`, or `invalid_transition` with the current state. */
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
