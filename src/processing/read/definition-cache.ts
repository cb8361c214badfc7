/** What a set needs to know of its webhooks, channels and mappings, remembered so that a set costs no round trip. */
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
const rememberedForMs = 5_000;

export function createDefinitionCache({ webhooks, channels, mappings }: DefinitionCacheDeps) {
  const knownWebhooks = createCache<{ readonly webhook: Webhook | null }>({
    max: 2_000,
    ttlMs: rememberedForMs,
    load: async (id) => ({ webhook: await webhooks.get(id) }),
  });
  const knownChannels = createCache<{ readonly channel: ChannelRecord | null }>({
    max: 2_000,
    ttlMs: rememberedForMs,
    load: async (id) => ({ channel: await channels.get(id) }),
  });
  return {
    webhook: async (id: string) => (await knownWebhooks.get(id)).webhook,
    channel: async (id: string) => (await knownChannels.get(id)).channel,
    mapping: createVersionCache(mappings),
  };
}
