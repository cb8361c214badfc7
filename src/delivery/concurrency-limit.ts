/** Limits the deliveries in flight, in all and for each channel, so that a slow destination does not delay the others. */
import { createKeyedCounter } from '../base/concurrency/keyed-counter.ts';

/** In one process; each holds a connection and a message. */
export const maxInFlight = 256;
const maxPerChannel = 8;

export function createConcurrencyLimit() {
  const inFlight = new Set<Promise<void>>();
  const perChannel = createKeyedCounter();

  return {
    /** Returns how many more deliveries may begin. */
    free: () => maxInFlight - inFlight.size,
    /** Returns the ids of the channels for which no more may begin. */
    fullChannels: (): string[] => perChannel.keysWithAtLeast(maxPerChannel),

    /** Returns the deliveries that the limits of their channels allow to begin, in the order given. */
    fit<Due extends { readonly channelId: string }>(due: readonly Due[]): Due[] {
      const chosen = createKeyedCounter();
      return due.filter(({ channelId }) => {
        const count = perChannel.count(channelId) + chosen.count(channelId);
        if (count >= maxPerChannel) return false;
        chosen.add(channelId, 1);
        return true;
      });
    },

    /** Resolves when the work ends. `work` must not reject. */
    begin(channelId: string, work: () => Promise<void>): Promise<void> {
      perChannel.add(channelId, 1);
      const begun = work().finally(() => {
        perChannel.add(channelId, -1);
        inFlight.delete(begun);
      });
      inFlight.add(begun);
      return begun;
    },

    /** Resolves when everything in flight has ended. */
    ended: async (): Promise<void> => void (await Promise.all(inFlight)),
  };
}
