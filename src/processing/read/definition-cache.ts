/** The webhooks, channels and compiled mappings that processing needs, cached so that a set costs no round trip for them. */
import { createCache } from '../../base/concurrency/cache.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { createVersionCache, type StoredMappings } from '../../mapping/evaluation/version-cache.ts';

export type DefinitionCacheDeps = {
  readonly webhooks: { get(id: string): Promise<Webhook | null> };
  readonly channels: { get(id: string): Promise<ChannelRecord | null> };
  readonly mappings: StoredMappings;
};

export type DefinitionCache = ReturnType<typeof createDefinitionCache>;

/** A webhook's name and a channel's settings may be this old; versions of mappings never change. */
const ttlMs = 5_000;
const max = 2_000;

export function createDefinitionCache({ webhooks, channels, mappings }: DefinitionCacheDeps) {
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
    mapping: createVersionCache(mappings),
  };
}
