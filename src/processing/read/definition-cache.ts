/** The webhooks and channels that processing needs, cached so that a set costs no round trip for them. */
import { createCache } from '../../base/concurrency/cache.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';

type DefinitionCacheDeps = {
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly channels: { get(id: string): Promise<ChannelRecord | null> };
};

export type DefinitionCache = ReturnType<typeof createDefinitionCache>;

/** A webhook's name and producer and a channel's settings may be this old. What would make an event dead is read again. */
const ttlMs = 5_000;
const max = 2_000;

export function createDefinitionCache({ webhooks, channels }: DefinitionCacheDeps) {
  const webhookCache = createCache<{ readonly webhook: Webhook | null }>({
    max,
    ttlMs,
    load: async (id) => ({ webhook: await webhooks.get(id) }),
  });
  const channelCache = createCache<{ readonly channel: ChannelRecord | null }>({
    max,
    ttlMs,
    load: async (id) => ({ channel: await channels.get(id) }),
  });
  return {
    webhook: async (id: string) => (await webhookCache.get(id)).webhook,
    channel: async (id: string) => (await channelCache.get(id)).channel,
    /** What the events need is read from the store when it is needed next. */
    forget(events: readonly Pick<EventRecord, 'webhookId' | 'channelId'>[]): void {
      const ids = new Set(events.flatMap(({ webhookId, channelId }) => [webhookId, channelId]));
      webhookCache.invalidate((_webhook, id) => ids.has(id));
      channelCache.invalidate((_channel, id) => ids.has(id));
    },
  };
}
