/** Which channels are switched off, so that what goes to them is left to wait. */
import { createCache } from '../base/concurrency/cache.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { DueDelivery } from '../store/chats/deliveries.ts';

export type ChannelsById = { get(id: string): Promise<ChannelRecord | null> };

/** This old at most; whoever claims a delivery reads its channel again. */
const rememberedForMs = 5_000;

/** Their channels that are switched off. */
export function createDisabledAmong(channels: ChannelsById) {
  const known = createCache<{ readonly isDisabled: boolean }>({
    max: 2_000,
    ttlMs: rememberedForMs,
    load: async (id) => ({ isDisabled: (await channels.get(id))?.enabled === false }),
  });
  return async function disabledAmong(due: readonly DueDelivery[]): Promise<string[]> {
    const ids = [...new Set(due.map(({ channelId }) => channelId))];
    const found = await Promise.all(ids.map((id) => known.get(id)));
    return ids.filter((_id, index) => found[index]?.isDisabled);
  };
}
