/** Finds disabled channels, whose messages wait. */
import { createCache } from '../base/concurrency/cache.ts';
import type { DeliveryGate } from './channel-gate.ts';

type ChannelsById = {
  get(id: string): Promise<{ readonly enabled: boolean } | null>;
};

/** An attempt reads its channel again, so this may be old. */
const cachedMs = 5_000;

/** Admits the deliveries of enabled channels, without rates and health. */
export function createDisabledGate(channels: ChannelsById): DeliveryGate {
  const known = createCache<{ readonly isDisabled: boolean }>({
    max: 2_000,
    ttlMs: cachedMs,
    load: async (id) => ({ isDisabled: (await channels.get(id))?.enabled === false }),
  });
  return {
    async admit(due) {
      const ids = [...new Set(due.map(({ channelId }) => channelId))];
      const found = await Promise.all(ids.map((id) => known.get(id)));
      const disabled = ids.filter((_id, index) => found[index]?.isDisabled);
      const admitted = due.filter(({ channelId }) => !disabled.includes(channelId));
      return { admitted, disabled, failing: [], paused: [] };
    },
    grant: (due) => Promise.resolve({ granted: due, spent: [], late: new Map() }),
  };
}
