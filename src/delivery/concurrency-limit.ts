/** What is under way: bounded in all and for each channel, so that a slow destination keeps no other waiting. */

/** Deliveries under way in one process; a connection and a message each. */
const maxUnderWay = 256;
/** Of them for one channel. */
const maxPerChannel = 8;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

export function createConcurrencyLimit() {
  const underWay = new Set<Promise<void>>();
  const perChannel = new Map<string, number>();
  const hold = (channelId: string, more: 1 | -1) => {
    const count = (perChannel.get(channelId) ?? 0) + more;
    if (count > 0) perChannel.set(channelId, count);
    else perChannel.delete(channelId);
  };

  return {
    /** How many more may be begun. */
    free: () => maxUnderWay - underWay.size,
    /** The channels for which nothing more may be begun. */
    fullChannels: (): string[] =>
      [...perChannel].flatMap(([id, count]) => (count < maxPerChannel ? [] : [id])),

    /** Of these, in their order, those for which there is room. */
    fit<Due extends { readonly channelId: string }>(due: readonly Due[]): Due[] {
      const taken = new Map(perChannel);
      return due.filter(({ channelId }) => {
        const count = taken.get(channelId) ?? 0;
        taken.set(channelId, Math.min(count + 1, maxPerChannel));
        return count < maxPerChannel;
      });
    },

    /** Resolves once there is room again. `work` must not reject. */
    begin(channelId: string, work: () => Promise<void>): Promise<void> {
      hold(channelId, 1);
      const begun = work().finally(() => {
        hold(channelId, -1);
        underWay.delete(begun);
      });
      underWay.add(begun);
      return begun;
    },

    ended: async (): Promise<void> => void (await Promise.all(underWay)),
  };
}
