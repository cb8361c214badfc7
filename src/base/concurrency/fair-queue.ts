/**
 * Runs one piece of work at a time. The groups that wait take turns, so a group with many pieces does not delay one with few.
 *
 * Promises: pieces of one group run in order. What waits is bounded: beyond the bound of a group a piece is rejected with
 * `rate_limited`, beyond that of all groups with `overloaded`.
 */
import { AppError } from '../errors.ts';

type Bounds = { readonly maxWaiting: number; readonly maxWaitingOfGroup: number };

const retryAfterMs = 1_000;

export function createFairQueue({ maxWaiting, maxWaitingOfGroup }: Bounds) {
  /** By group, the group whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let isBusy = false;

  function startNext(): void {
    const [next] = waiting;
    isBusy = next !== undefined;
    if (!next) return;
    const [group, starts] = next;
    const start = starts.shift();
    waiting.delete(group);
    if (starts.length > 0) waiting.set(group, starts);
    count -= 1;
    start?.();
  }

  function turnOf(group: string): Promise<void> {
    const starts = waiting.get(group) ?? [];
    if (starts.length >= maxWaitingOfGroup) throw new AppError('rate_limited', { retryAfterMs });
    if (count >= maxWaiting) throw new AppError('overloaded', { retryAfterMs });
    return new Promise((resolve) => {
      starts.push(resolve);
      waiting.set(group, starts);
      count += 1;
    });
  }

  return async function run<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
    if (isBusy) await turnOf(group);
    isBusy = true;
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
