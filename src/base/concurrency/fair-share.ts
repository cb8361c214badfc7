/**
 * Divides a capacity among groups. A group may hold at most as much as stays free (a dynamic threshold, as switches
 * use for buffers that their ports share).
 *
 * Promises: a single group gets half of the capacity, and n busy groups get n / (n + 1) of it, an equal part each. So
 * a group that holds nothing finds room, however much the others ask for. Groups that hold nothing take no memory.
 */
type FairShare = {
  /** Whether the group may hold this much more. A group that holds nothing may take all that is free. */
  fits(group: string, amount: number): boolean;
  /** Adds to what the group holds, without a check. A negative amount gives back. */
  add(group: string, amount: number): void;
  heldBy(group: string): number;
  /** The sum over all groups. */
  readonly used: number;
};

export function createFairShare(capacity: number): FairShare {
  const held = new Map<string, number>();
  let used = 0;
  return {
    fits(group, amount) {
      const free = capacity - used - amount;
      const before = held.get(group) ?? 0;
      return before === 0 ? free >= 0 : before + amount <= free;
    },
    add(group, amount) {
      used += amount;
      const now = (held.get(group) ?? 0) + amount;
      if (now > 0) held.set(group, now);
      else held.delete(group);
    },
    heldBy: (group) => held.get(group) ?? 0,
    get used() {
      return used;
    },
  };
}
