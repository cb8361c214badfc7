/**
 * Group commit without a timer. Items that arrive while a flush is in flight form the next batch. Under light
 * load a batch has one item and starts at once; under heavy load batches grow.
 *
 * Promises: each item is settled with its own result. A flush that throws fails only its own batch. Groups take
 * turns, so a group never waits for another to be empty. At most `maxPending` items are in memory; beyond that
 * `add` rejects with `overloaded`. An item that waits longer than `maxWaitMs` is rejected with `overloaded` and
 * is never flushed.
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
  /** How long an item may wait before it is rejected. Default: no limit. */
  readonly maxWaitMs?: number;
  readonly nowMs?: () => number;
  /** Maximum number of flushes in flight. Default: 1. */
  readonly concurrency?: number;
  /** The group of an item. Groups take turns, one item each. Default: one group for all items. */
  readonly groupOf?: (item: Item) => string;
  /** Returns one result for each item, in order. An `Error` as a result rejects that item only. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
};

type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Removes all items that are not in flight, resolves each with `result`, and returns them. */
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
  const groups = new Map<string, Waiting<Item, Result>[]>();
  let waiting = 0;
  let inFlight = 0;
  let activeFlushes = 0;

  /** Takes up to `max` items, one from each group in turn. A single group gives all items at once. */
  function take(max: number): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    for (const [name, line] of groups) {
      groups.delete(name);
      batch.push(...line.splice(0, groups.size === 0 ? max - batch.length : 1));
      if (line.length > 0) groups.set(name, line);
      if (batch.length === max) break;
    }
    waiting -= batch.length;
    return batch;
  }

  async function drain(): Promise<void> {
    activeFlushes += 1;
    for (rejectLate(); waiting > 0; rejectLate()) {
      const batch = take(maxBatch);
      inFlight += batch.length;
      await flushBatch(batch, options.flush);
      inFlight -= batch.length;
    }
    activeFlushes -= 1;
  }

  /**
   * Rejects items that waited too long. The items of a group are in order of arrival, so the oldest are first.
   */
  function rejectLate(): void {
    const oldestMs = nowMs() - maxWaitMs;
    for (const [name, line] of groups) {
      const kept = line.findIndex(({ sinceMs }) => sinceMs >= oldestMs);
      const late = line.splice(0, kept === -1 ? line.length : kept);
      if (line.length === 0) groups.delete(name);
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
        const line = groups.get(groupOf(item)) ?? [];
        line.push({ item, resolve, reject, sinceMs: nowMs() });
        groups.set(groupOf(item), line);
        waiting += 1;
        if (activeFlushes < concurrency) void drain();
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
