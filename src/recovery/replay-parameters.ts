/** Under which terms an event goes through again: the mapping, the channel, the patience and the state of today's webhook. */
import type { Clock } from '../base/clock.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { EventStore } from '../store/events/events.ts';
import type { Replay } from '../store/events/replay.ts';
import { startFreshnessCheck } from './read-freshness.ts';

export type ReplayParametersDeps = {
  readonly events: Pick<EventStore, 'findSplitBodies'>;
  readonly webhooks: { getMany(ids: readonly string[]): Promise<readonly Webhook[]> };
  readonly clock: Clock;
};

type Known = Pick<EventRecord, '_id' | 'webhookId' | 'channelId' | 'parentId' | 'mappingVersion'>;

export type TermsFor = (
  events: readonly Known[],
  change: Replay['change'],
) => Promise<ReplayParameters>;

export type ReplayParameters = {
  readonly replays: readonly Replay[];
  /** Directly before they are written. Throws `unavailable` when the webhooks were read too long ago. */
  readonly requireFresh: () => void;
};

export function createReplayParameters({
  events,
  webhooks,
  clock,
}: ReplayParametersDeps): TermsFor {
  return async function termsFor(found, change) {
    const requireFresh = startFreshnessCheck(clock);
    const webhookIds = [...new Set(found.map(({ webhookId }) => webhookId))];
    const whole = found.filter(({ parentId }) => parentId === null).map(({ _id }) => _id);
    const [known, split] = await Promise.all([
      webhooks.getMany(webhookIds),
      events.findSplitBodies(whole),
    ]);
    const byId = new Map(known.map((webhook) => [webhook._id, webhook]));
    const replays = found.map((event): Replay => {
      const webhook = byId.get(event.webhookId);
      // A body that was split in part is split on as it was begun.
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
  };
}
