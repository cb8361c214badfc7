/**
 * The sweeper: the guarantee behind the queue's hints. Whatever was lost of Redis, it finds every open event whose time
 * has come, and offers it again. It runs in every process, so that no one of them has to be there.
 *
 * Promises: cheap when idle (one indexed read a tick, one more a minute); bounded a tick; one webhook's events keep
 * another's waiting for no more than a tick or two, as long as half a second is enough to look past them. It pushes an
 * event on before it tells anybody; while the queue is away it does nothing, and while it is deep it offers of what a
 * webhook has received a hundred a tick, since most of it is in the queue already.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { startTicker } from '../base/process/ticker.ts';
import { hintEvents, type EventQueue } from '../queue/process-events.ts';
import type { EventStore } from '../store/events/events.ts';

export type SweepDeps = {
  readonly events: Pick<EventStore, 'takeDueEvents' | 'oldestOpenAt'>;
  readonly queue: Pick<EventQueue, 'hint' | 'isReady' | 'depth'>;
  readonly intervalMs: number;
  readonly random?: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
};

export type Sweeper = { tick(): Promise<void>; close(): Promise<void> };

/** Jobs of up to a hundred events each. */
const maxQueueDepth = 500;
/** What is not looked at in each tick. */
const choresEveryMs = 60_000;

/** Ticks every interval, give or take a fifth; soon after the start, for what was left by whoever ran before. */
export function startSweeper(deps: SweepDeps): Sweeper {
  const { events, queue, intervalMs, random = Math.random, logger, metrics, clock } = deps;
  let measuredMs = -Infinity;

  const isLongAgo = (ms: number) => clock.elapsedMs() - ms >= choresEveryMs;

  async function sweep(): Promise<void> {
    if (isLongAgo(measuredMs)) await measure();
    if (!queue.isReady) return;
    const depth = await queue.depth();
    metrics.queueDepth.set(depth);
    const due = await events.takeDueEvents({ thinned: depth > maxQueueDepth });
    hintEvents(queue, due);
    if (due.length > 0) logger.info({ events: due.length }, 'sweep.hinted');
  }

  async function measure(): Promise<void> {
    const oldest = await events.oldestOpenAt();
    metrics.oldestOpenSeconds.set(oldest ? Math.max(0, (+clock.now() - +oldest) / 1_000) : 0);
    measuredMs = clock.elapsedMs();
  }

  async function tick(): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      logger.warn({ err: error }, 'sweep.failed');
    }
  }

  const ticker = startTicker(() => tick().then(() => intervalMs), {
    firstMs: intervalMs / 10,
    random,
  });
  return { tick, close: ticker.close };
}
