/** How far workers are, read from their own counters, which does not load MongoDB. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredProcess } from '../processes.ts';
import { sumCounter } from './statistics.ts';

const doneWithinMs = 180_000;
/** While nothing is known of the speed. */
const pollIntervalMs = 50;
/** A worker takes 2 ms of CPU time for its metrics, so it is asked less often while much is left. */
const pollBounds = { shortestMs: 20, longestMs: 500 } as const;

export async function countProcessed(workers: readonly MeasuredProcess[]): Promise<number> {
  const series = await Promise.all(workers.map((worker) => worker.series()));
  return sumCounter(series, 'inlet_events_processed_total');
}

/** Resolves with the seconds until the workers have processed `count` events since they started. */
export async function waitUntilProcessed(
  workers: readonly MeasuredProcess[],
  count: number,
): Promise<number> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const already = await countProcessed(workers);
  for (let done = already; done < count; done = await countProcessed(workers)) {
    if (elapsedMs() > doneWithinMs) throw new Error(`Not done in ${doneWithinMs} ms.`);
    const leftMs = (elapsedMs() * (count - done)) / (done - already);
    await pause(done === already ? pollIntervalMs : pollAfter(leftMs));
  }
  return elapsedMs() / 1_000;
}

const pollAfter = (leftMs: number): number =>
  Math.min(Math.max(leftMs / 2, pollBounds.shortestMs), pollBounds.longestMs);
