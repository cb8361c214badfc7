/**
 * A bounded line between one that must not wait and one that may be slow.
 *
 * Promises: what was put is taken in order; when more waits than there is room for, the line takes nothing more and ends
 * behind what is in it, and says so.
 */
export type BoundedQueue<Item> = {
  push(item: Item): void;
  /** Ends once the line has ended and what was in it is taken. */
  items(): AsyncGenerator<Item>;
  /** What is in it is dropped. */
  close(): void;
  readonly isOverflowed: boolean;
};

export function createBoundedQueue<Item>(room: number): BoundedQueue<Item> {
  const waiting: Item[] = [];
  let isOverrun = false;
  let isEnded = false;
  let wake: () => void = () => undefined;

  return {
    push(item) {
      if (isEnded || isOverrun) return;
      if (waiting.length >= room) isOverrun = true;
      else waiting.push(item);
      wake();
    },
    async *items() {
      while (!isEnded) {
        while (waiting.length > 0) yield waiting.shift() as Item;
        if (isEnded || isOverrun) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      isEnded = true;
      waiting.length = 0;
      wake();
    },
    get isOverflowed() {
      return isOverrun;
    },
  };
}
