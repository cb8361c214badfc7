/** The webhooks and channels that processing needs, cached so that a set costs no round trip for them. */
import { createCache } from '../../base/concurrency/cache.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';

type Store<Definition> = { get(id: string): Promise<Definition | null> };
type DefinitionCacheDeps = {
  readonly webhooks: Store<Webhook>;
  readonly channels: Store<ChannelRecord>;
};

export type DefinitionCache = ReturnType<typeof createDefinitionCache>;

const createStoreCache = <Definition>(store: Store<Definition>) =>
  createCache<{ readonly found: Definition | null }>({
    max: 2_000,
    // A webhook's name and producer and a channel's settings may be this old. What would make an event dead is read again.
    ttlMs: 5_000,
    load: async (id) => ({ found: await store.get(id) }),
  });

export function createDefinitionCache({ webhooks, channels }: DefinitionCacheDeps) {
  const webhookCache = createStoreCache(webhooks);
  const channelCache = createStoreCache(channels);
  return {
    webhook: async (id: string) => (await webhookCache.get(id)).found,
    channel: async (id: string) => (await channelCache.get(id)).found,
    /** What the events need is read from the store when it is needed next. */
    forget(events: readonly Pick<EventRecord, 'webhookId' | 'channelId'>[]): void {
      const ids = new Set(events.flatMap(({ webhookId, channelId }) => [webhookId, channelId]));
      webhookCache.invalidate((_webhook, id) => ids.has(id));
      channelCache.invalidate((_channel, id) => ids.has(id));
    },
  };
}
