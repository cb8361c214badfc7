/** The parameters of a replay: the mapping version, channel, attempts and state that the webhook has now. */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
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
