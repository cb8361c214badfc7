/**
 * Bounded queue between a producer that must not wait and a consumer that may be slow.
 *
 * Promises: items leave in order. When the queue is full, it overflows: it accepts no further items, and
 * iteration ends after the items that it holds.
 */
export type BoundedQueue<Item> = ReturnType<typeof createBoundedQueue<Item>>;

export function createBoundedQueue<Item>(capacity: number) {
  const waiting: Item[] = [];
  let isOverrun = false;
  let isEnded = false;
  let wake: () => void = () => undefined;

  return {
    push(item: Item): void {
      if (isEnded || isOverrun) return;
      if (waiting.length >= capacity) isOverrun = true;
      else waiting.push(item);
      wake();
    },
    /** Yields items in order. Ends after `close`, or after an overflow when the queue is empty. */
    async *items(): AsyncGenerator<Item> {
      while (!isEnded) {
        while (waiting.length > 0) yield waiting.shift() as Item;
        if (isEnded || isOverrun) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    /** Drops all items and ends the iteration. */
    close(): void {
      isEnded = true;
      waiting.length = 0;
      wake();
    },
    get isOverflowed(): boolean {
      return isOverrun;
    },
  };
}
