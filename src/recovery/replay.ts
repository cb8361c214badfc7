/** Replays and discards of single events on request of a person, and the parameters of every replay: what the webhook has now. */
import type { Clock } from '../base/clock.ts';
import { AppError, orNotFound } from '../base/errors.ts';
import type { ProcessContext } from '../context/process-context.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { EventRecord } from '../domain/events/event.ts';
import { hintEvents } from '../queue/process-events.ts';
import type { Replay } from '../store/events/replay.ts';
import { getWebhooks } from '../store/webhooks/webhooks.ts';

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
  ctx: ProcessContext,
  found: readonly Replayable[],
  change: Replay['change'],
): Promise<ReplayParameters> {
  const { events, clock } = ctx;
  const requireFresh = startFreshnessCheck(clock);
  const webhookIds = [...new Set(found.map(({ webhookId }) => webhookId))];
  const ownBodies = found.filter(({ parentId }) => parentId === null).map(({ _id }) => _id);
  const [known, split] = await Promise.all([
    getWebhooks(ctx, webhookIds),
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

/** A done event can only be remapped. Throws `not_found`, or `invalid_transition` with the current state. */
export async function replayRecord(
  ctx: ProcessContext,
  { id, change }: { readonly id: string; readonly change: Replay['change'] },
  actor: Actor,
): Promise<EventRecord> {
  const { events, queue } = ctx;
  const event = orNotFound(await events.get(id));
  const { replays, requireFresh } = await replayParameters(ctx, [event], change);
  requireFresh();
  const replayed = replays[0] && (await events.replay(replays[0], actor));
  if (!replayed?.ok) throw await rejectionOf(ctx, id);
  const { value } = replayed;
  if (value.state === 'received') hintEvents(queue, [value]);
  return value;
}

/** Discards open and dead events. Throws as `replayRecord`. */
export async function discardRecord(
  ctx: ProcessContext,
  id: string,
  actor: Actor,
): Promise<EventRecord> {
  const result = await ctx.events.discard(id, actor);
  if (!result.ok) throw await rejectionOf(ctx, id);
  const discarded = result.value;
  ctx.metrics.processed.inc({ outcome: 'discarded' });
  if (!discarded.test) ctx.countEvent(discarded.webhookId, 'discarded');
  return discarded;
}

async function rejectionOf({ events }: ProcessContext, eventId: string): Promise<AppError> {
  const event = await events.get(eventId);
  if (!event) return new AppError('not_found');
  const { strippedAt, erased } = event;
  const state = erased ? 'erased' : event.state;
  const missing = strippedAt ? { missing: ['body'] } : {};
  return new AppError('invalid_transition', { details: { state, ...missing } });
}
