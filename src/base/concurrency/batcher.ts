/**
 * Group commit without a timer. Items that arrive while a flush is in flight form the next batch. Under light
 * load a batch has one item and starts at once; under heavy load batches grow.
 *
 * Promises: each item is settled with its own result. A flush that throws fails only its own batch. Groups take
 * turns, so a group never waits for another to be empty. At most `maxPending` items are in memory; beyond that
 * `add` rejects with `overloaded`. An item that waits longer than `maxWaitMs` is rejected with `overloaded` and
 * is never flushed.
 */
import { sleep } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createFairShare } from './fair-share.ts';
import { createKeyedCounter } from './keyed-counter.ts';

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly group: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
};

const retryAfterMs = 1_000;

export type BatcherOptions<Item, Result> = {
  readonly maxBatch: number;
  /**
   * Maximum number of items in a batch while a short line waits beside others, or one item of each line if there are more
   * lines. A line is short when it would be taken whole into a full batch. Small batches end soon. Default: `maxBatch`.
   */
  readonly maxMixedBatch?: number;
  readonly maxPending: number;
  /** Whether one group may take all of `maxPending` or only a fair share of it. Default: all. */
  readonly isShared?: boolean;
  /** How long an item may wait before it is rejected. Default: no limit. */
  readonly maxWaitMs?: number;
  readonly nowMs?: () => number;
  /** Maximum number of flushes in flight. Default: 1. */
  readonly concurrency?: number;
  /** Maximum number of flushes in flight with items of one group. Fewer than `concurrency` leave a flush to other groups. */
  readonly maxFlushesPerGroup?: number;
  /**
   * Whether a flush starts when the event loop has handled what is ready, with all items that this brings. Default: at once,
   * with the first item.
   */
  readonly startsNextTurn?: boolean;
  /** Returns for how long a lane rests after a flush of this duration, whose items are settled. Default: 0. */
  readonly restMs?: (flushMs: number) => number;
  readonly pause?: (ms: number) => Promise<unknown>;
  /** The group of an item. Groups take turns, one item each. Default: one group for all items. */
  readonly groupOf?: (item: Item) => string;
  /** Returns one result for each item, in order. An `Error` as a result rejects that item only. */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
};

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { maxBatch, maxPending, maxWaitMs = Infinity, concurrency = 1 } = options;
  const { groupOf = () => '', nowMs = () => performance.now(), pause = sleep } = options;
  const shares = options.isShared ? createFairShare(maxPending) : null;
  const lines = createLines<Waiting<Item, Result>>();
  const { maxFlushesPerGroup = Infinity } = options;
  /** The flushes in flight of each group. */
  const flushes = createKeyedCounter();
  const isFull = (group: string): boolean => flushes.count(group) >= maxFlushesPerGroup;
  let inFlight = 0;
  /** Flushes in progress, and those that start with the next turn. */
  let activeFlushes = 0;

  const fits = (group: string): boolean =>
    shares ? shares.fits(group, 1) : lines.size + inFlight < maxPending;

  const release = (items: readonly { readonly group: string }[]): void => {
    for (const { group } of items) shares?.add(group, -1);
  };

  function rejectLate(): void {
    const late = lines.takeBefore(nowMs() - maxWaitMs);
    release(late);
    for (const { reject } of late) reject(new AppError('overloaded', { retryAfterMs }));
  }

  function startDraining(): void {
    activeFlushes += 1;
    if (options.startsNextTurn) setImmediate(() => void drain());
    else void drain();
  }

  async function drain(): Promise<void> {
    for (;;) {
      rejectLate();
      const batch = lines.take({ max: maxBatch, maxMixed: options.maxMixedBatch }, isFull);
      if (batch.length === 0) break;
      inFlight += batch.length;
      const groups = new Set(batch.map(({ group }) => group));
      for (const group of groups) flushes.add(group, 1);
      const startedMs = nowMs();
      await flushBatch(batch, options.flush);
      for (const group of groups) flushes.add(group, -1);
      inFlight -= batch.length;
      release(batch);
      const restMs = options.restMs?.(nowMs() - startedMs) ?? 0;
      if (restMs > 0) await pause(restMs);
    }
    activeFlushes -= 1;
  }

  return {
    add: (item: Item): Promise<Result> =>
      new Promise((resolve, reject) => {
        const group = groupOf(item);
        if (!fits(group)) {
          reject(new AppError('overloaded', { retryAfterMs }));
          return;
        }
        shares?.add(group, 1);
        lines.push({ item, group, resolve, reject, sinceMs: nowMs() });
        if (activeFlushes < concurrency && !isFull(group)) startDraining();
      }),
    /** Removes all items that are not in flight, resolves each with `result`, and returns them. */
    drainPending(result: Result): Item[] {
      const left = lines.take({ max: lines.size });
      release(left);
      for (const { resolve } of left) resolve(result);
      return left.map(({ item }) => item);
    },
    get pending(): number {
      return lines.size + inFlight;
    },
  };
}

type BatchLimits = { readonly max: number; readonly maxMixed?: number | undefined };

/** Items that wait, in a line for each group, in order of arrival. */
function createLines<Item extends { readonly group: string; readonly sinceMs: number }>() {
  const groups = new Map<string, Item[]>();
  let size = 0;
  return {
    push(item: Item): void {
      const line = groups.get(item.group) ?? [];
      line.push(item);
      groups.set(item.group, line);
      size += 1;
    },
    /** Takes items, one from each group in turn. A single group gives all items at once. */
    take({ max, maxMixed = max }: BatchLimits, isExcluded = (_group: string) => false): Item[] {
      const taken: Item[] = [];
      const eligible = [...groups].filter(([name]) => !isExcluded(name));
      let left = eligible.length;
      const hasShort = left > 1 && eligible.some(([, line]) => line.length < max / left);
      const most = hasShort ? Math.min(max, Math.max(maxMixed, left)) : max;
      for (const [name, line] of groups) {
        if (taken.length === most || left === 0) break;
        if (isExcluded(name)) continue;
        groups.delete(name);
        taken.push(...line.splice(0, left === 1 ? most - taken.length : 1));
        if (line.length > 0) groups.set(name, line);
        else left -= 1;
      }
      size -= taken.length;
      return taken;
    },
    /** Takes the items that arrived before that time. */
    takeBefore(timeMs: number): Item[] {
      const taken: Item[] = [];
      for (const [name, line] of groups) {
        const kept = line.findIndex(({ sinceMs }) => sinceMs >= timeMs);
        taken.push(...line.splice(0, kept === -1 ? line.length : kept));
        if (line.length === 0) groups.delete(name);
      }
      size -= taken.length;
      return taken;
    },
    get size() {
      return size;
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
