/**
 * Group commit without a timer: while a flush is in flight, the next items gather; when it ends they leave together.
 * Under light load a batch is one item and starts at once; under heavy load batches form by themselves.
 *
 * Promises: each item is settled by its own result; a flush that throws fails its own batch only;
 * no line waits for the whole of another; memory is bounded by `maxPending`, beyond which `add` rejects with `overloaded`
 * before anything is kept; an item whose turn does not come within `maxWaitMs` is rejected likewise, and never flushed.
 */
import { AppError } from '../errors.ts';

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
  readonly concurrency?: number;
  /** Which line an item stands in; the lines take turns, one item each. One line for all unless told. */
  readonly groupOf?: (item: Item) => string;
  /** Returns one result for each item, in order. A result that is an Error rejects that item alone. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
};

export type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Takes back what has not left yet, and gives that result to whoever waits for it. */
  drainPending(result: Result): Item[];
  readonly pending: number;
};

export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const {
    maxBatch,
    maxPending,
    maxWaitMs = Infinity,
    concurrency = 1,
    groupOf = () => '',
  } = options;
  const { nowMs = () => performance.now() } = options;
  const lines = new Map<string, Waiting<Item, Result>[]>();
  let waiting = 0;
  let inFlight = 0;
  let busyLanes = 0;

  /** A line that has had its turn goes to the end; the only one gives all at once. */
  function take(max: number): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    for (const [name, line] of lines) {
      lines.delete(name);
      batch.push(...line.splice(0, lines.size === 0 ? max - batch.length : 1));
      if (line.length > 0) lines.set(name, line);
      if (batch.length === max) break;
    }
    waiting -= batch.length;
    return batch;
  }

  async function drain(): Promise<void> {
    busyLanes += 1;
    for (dropLate(); waiting > 0; dropLate()) {
      const batch = take(maxBatch);
      inFlight += batch.length;
      await flushBatch(batch, options.flush);
      inFlight -= batch.length;
    }
    busyLanes -= 1;
  }

  /** A line is in the order in which its items came, so those that have waited too long stand in front. */
  function dropLate(): void {
    const oldestMs = nowMs() - maxWaitMs;
    for (const [name, line] of lines) {
      const kept = line.findIndex(({ sinceMs }) => sinceMs >= oldestMs);
      const late = line.splice(0, kept === -1 ? line.length : kept);
      if (line.length === 0) lines.delete(name);
      waiting -= late.length;
      for (const { reject } of late) reject(new AppError('overloaded', { retryAfterMs }));
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        if (waiting + inFlight >= maxPending) {
          reject(new AppError('overloaded', { retryAfterMs }));
          return;
        }
        const line = lines.get(groupOf(item)) ?? [];
        line.push({ item, resolve, reject, sinceMs: nowMs() });
        lines.set(groupOf(item), line);
        waiting += 1;
        if (busyLanes < concurrency) void drain();
      }),
    drainPending(result) {
      const left = take(waiting);
      for (const { resolve } of left) resolve(result);
      return left.map(({ item }) => item);
    },
    get pending() {
      return waiting + inFlight;
    },
  };
}

async function flushBatch<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  flush: BatcherOptions<Item, Result>['flush'],
): Promise<void> {
  try {
    const results = await flush(batch.map(({ item }) => item));
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
