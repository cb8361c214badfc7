/**
 * Rolls the counts of ended hours up into hours, days and lifetimes, in one elected worker.
 *
 * Promises: a turn is bounded; what it leaves is found by the next. A turn that dies, fails, or runs in two workers at once counts
 * nothing twice and leaves nothing out.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startElectedTicker } from '../base/process/ticker.ts';
import { bucketStartOf } from '../domain/stats.ts';
import type { StatsStore } from '../store/counters/stats.ts';
import type { Election } from '../store/db/lock.ts';

type StatsRollUpDeps = {
  readonly stats: Pick<StatsStore, 'rollUp'>;
  readonly election: Election;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 30_000;
/** Of up to 100 hours each: an hour of 10,000 webhooks is rolled up in 90 s. */
const maxBatches = 40;
/** Processes write their last counts of an hour within this time. Later counts open their hour again. */
const lateMs = 180_000;

export function startStatsRollUp(deps: StatsRollUpDeps) {
  const { stats, election, clock, logger, intervalMs = defaultIntervalMs } = deps;
  let isClosed = false;

  async function work(): Promise<void> {
    const before = bucketStartOf('hour', new Date(+clock.now() - lateMs));
    for (let batches = 0; batches < maxBatches && !isClosed; batches += 1) {
      if (!(await stats.rollUp({ before }))) return;
    }
  }

  const ticker = startElectedTicker({
    election,
    intervalMs,
    work,
    leave: () => {},
    onError: (err) => logger.warn({ err }, 'stats.not_rolled_up'),
  });
  return {
    tick: ticker.tick,
    close(): Promise<void> {
      isClosed = true;
      return ticker.close();
    },
  };
}
