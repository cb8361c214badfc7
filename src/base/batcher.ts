/**
 * Group commit without a timer: while a flush is in flight, the next items gather; when it ends they leave together.
 * Under light load a batch is one item and starts at once; under heavy load batches form by themselves.
 *
 * Promises: each item is settled by its own result; a flush that throws fails its own batch only;
 * memory is bounded by `maxPending`, beyond which `add` rejects with `overloaded` before anything is kept; an item whose
 * turn does not come within `maxWaitMs` is rejected likewise, and never flushed.
 */
import { AppError } from './errors.ts';

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
};

const retryAfterMs = 1_000;

export type BatcherOptions<Item, Result> = {
  readonly maxBatch: number;
  readonly maxPending: number;
  /** How long an item may wait for its turn; for ever unless told. */
  readonly maxWaitMs?: number;
  readonly nowMs?: () => number;
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
  const { maxBatch, maxPending, maxWaitMs = Infinity, lanes = 1 } = options;
  const { nowMs = () => performance.now() } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let busyLanes = 0;

  async function drain(): Promise<void> {
    busyLanes += 1;
    for (dropLate(); waiting.length > 0; dropLate()) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      inFlight += batch.length;
      await flushBatch(batch);
      inFlight -= batch.length;
    }
    busyLanes -= 1;
  }

  /** They came in this order, so those that have waited too long stand in front. */
  function dropLate(): void {
    const oldestMs = nowMs() - maxWaitMs;
    const kept = waiting.findIndex(({ sinceMs }) => sinceMs >= oldestMs);
    const late = waiting.splice(0, kept === -1 ? waiting.length : kept);
    for (const { reject } of late) reject(new AppError('overloaded', { retryAfterMs }));
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
          reject(new AppError('overloaded', { retryAfterMs }));
          return;
        }
        waiting.push({ item, resolve, reject, sinceMs: nowMs() });
        if (busyLanes < lanes) void drain();
      }),
    get pending() {
      return waiting.length + inFlight;
    },
  };
}
