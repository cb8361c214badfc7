/**
 * Group commit without a timer: while a flush is in flight, the next items gather; when it ends they leave together.
 * Under light load a batch is one item and starts at once; under heavy load batches form by themselves.
 *
 * Promises: each item is settled by its own result; a flush that throws fails its own batch only;
 * memory is bounded by `maxPending`, beyond which `add` rejects with `overloaded` before anything is kept.
 */
import { AppError } from './errors.ts';

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export type BatcherOptions<Item, Result> = {
  readonly maxBatch: number;
  readonly maxPending: number;
  /** Flushes in flight at once; 1 unless told. */
  readonly lanes?: number;
  /** Returns one result for each item, in order. A result that is an Error rejects that item alone. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
};

export type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  readonly pending: number;
};

export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { maxBatch, maxPending, lanes = 1 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let busyLanes = 0;

  async function drain(): Promise<void> {
    busyLanes += 1;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      inFlight += batch.length;
      await flushBatch(batch);
      inFlight -= batch.length;
    }
    busyLanes -= 1;
  }

  async function flushBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('The flush gave no result for an item.'));
        else if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting.length + inFlight >= maxPending) {
          reject(new AppError('overloaded', { retryAfterMs: 1_000 }));
          return;
        }
        waiting.push({ item, resolve, reject });
        if (busyLanes < lanes) void drain();
      }),
    get pending() {
      return waiting.length + inFlight;
    },
  };
}
