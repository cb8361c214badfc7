/**
 * The sweeper: the guarantee behind the queue's hints. Whatever Redis loses, it finds every open event that is due and hints
 * it again. It runs in every process, so that none of them is needed for it.
 *
 * Promises: cheap when idle (one indexed read a tick); bounded in each tick; the events of one webhook
 * delay those of another by a tick or two, as long as half a second is enough to read past them. It postpones the next sweep
 * of an event before it hints it. While the queue is not ready it does nothing. While more events are due than one tick
 * takes, ticks follow each other at once until the queue is deep. While the queue is deep, a tick hints a hundred received
 * events of each webhook, since most of them are in the queue already.
 */
import { startTicker } from '../base/process/ticker.ts';
import type { ProcessContext } from '../context/process-context.ts';
import { hintEvents } from '../queue/process-events.ts';

type Options = { readonly intervalMs: number; readonly random?: (() => number) | undefined };

/** Jobs of up to a hundred events each. */
const maxQueueDepth = 500;

/** Ticks every interval, give or take a fifth, and first soon after the start, for what an earlier process left. */
export function startSweeper(ctx: ProcessContext, { intervalMs, random = Math.random }: Options) {
  const { events, queue, logger, metrics, clock } = ctx;

  async function sweep(): Promise<number> {
    if (!queue.isReady) {
      metrics.sweeps.inc({ result: 'skipped' });
      return intervalMs;
    }
    const depth = await measureQueue();
    const isDeep = depth > maxQueueDepth;
    const { due, hasMore } = await events.takeDueEvents({ thinned: isDeep });
    hintEvents(queue, due);
    metrics.sweptEvents.inc(due.length);
    if (due.length > 0) logger.info({ events: due.length }, 'sweep.hinted');
    metrics.sweeps.inc({ result: 'done' });
    return hasMore && !isDeep ? 0 : intervalMs;
  }

  async function measureQueue(): Promise<number> {
    const [depth, oldest] = await Promise.all([queue.depth(), queue.oldestJobs()]);
    metrics.queueDepth.set(depth);
    for (const band of ['front', 'behind'] as const) {
      metrics.oldestJob.set({ band }, +(oldest[band] ?? clock.now()) / 1_000);
    }
    return depth;
  }

  /** Resolves to the time until the next tick, in milliseconds. */
  async function tick(): Promise<number> {
    try {
      return await sweep();
    } catch (error) {
      metrics.sweeps.inc({ result: 'failed' });
      logger.warn({ err: error }, 'sweep.failed');
      return intervalMs;
    }
  }

  const ticker = startTicker(tick, { firstMs: intervalMs / 10, random });
  return { tick, close: ticker.close };
}
