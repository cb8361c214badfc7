/** How far workers are, read from their own counters, which does not load MongoDB. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredProcess } from '../processes.ts';
import { sumCounter } from './statistics.ts';

const doneWithinSeconds = 180;
const pollIntervalMs = 50;

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
  const seconds = () => (performance.now() - startedMs) / 1_000;
  while ((await countProcessed(workers)) < count) {
    if (seconds() > doneWithinSeconds) throw new Error(`Not done in ${doneWithinSeconds} s.`);
    await pause(pollIntervalMs);
  }
  return seconds();
}
