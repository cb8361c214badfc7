/**
 * Divides a capacity among groups. A group may hold at most as much as stays free (a dynamic threshold, as switches
 * use for buffers that their ports share).
 *
 * Promises: a single group gets half of the capacity, and n busy groups get n / (n + 1) of it, an equal part each. So
 * a group that holds nothing finds room, however much the others ask for. Groups that hold nothing take no memory.
 */
import { createKeyedCounter } from './keyed-counter.ts';

export function createFairShare(capacity: number) {
  const held = createKeyedCounter();
  return {
    /** Whether the group may hold this much more. A group that holds nothing may take all that is free. */
    fits(group: string, amount: number): boolean {
      const free = capacity - held.total - amount;
      const before = held.count(group);
      return before === 0 ? free >= 0 : before + amount <= free;
    },
    /** Adds to what the group holds, without a check. A negative amount gives back. */
    add: held.add,
    heldBy: held.count,
    /** The sum over all groups. */
    get used(): number {
      return held.total;
    },
  };
}
