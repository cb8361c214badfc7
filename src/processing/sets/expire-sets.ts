/**
 * Ends the sets of workers that crashed or stalled.
 *
 * Promises: a set ends when this process has seen it unchanged for a lease, by its own monotonic clock and by reads that succeeded: an
 * outage of the database, in which no worker can show that it lives, ends no set.
 */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { startTicker } from '../../base/process/ticker.ts';
import { hintEvents, type EventQueue } from '../../queue/process-events.ts';
import type { Connection } from '../../store/db/connection.ts';
import { expireSet } from '../../store/sets/expired-sets.ts';
import { listSets, type SetRecord } from '../../store/sets/sets.ts';
import { reportSpent, type ReportDeps } from '../report.ts';

type ExpireSetsDeps = ReportDeps & {
  readonly connection: Connection;
  readonly queue: Pick<EventQueue, 'hint'>;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Ticks in a lease. */
const looksPerLease = 6;
const maxIntervalMs = 5_000;

type Seen = { readonly beat: number; readonly sinceMs: number };

export function startSetExpiry(deps: ExpireSetsDeps) {
  const { connection, leaseMs, clock, logger } = deps;
  const intervalMs = Math.min(maxIntervalMs, leaseMs / looksPerLease);
  let seen = new Map<string, Seen>();

  async function look(): Promise<void> {
    const nowMs = clock.elapsedMs();
    const live = await listSets(connection);
    seen = new Map(
      live.map(({ _id, beat }) => {
        const before = seen.get(_id);
        return [_id, before?.beat === beat ? before : { beat, sinceMs: nowMs }];
      }),
    );
    for (const set of live) {
      const { sinceMs = nowMs } = seen.get(set._id) ?? {};
      if (nowMs - sinceMs >= leaseMs) await expire(deps, set);
    }
  }

  /** Resolves to the time until the next tick, in milliseconds. */
  async function tick(): Promise<number> {
    try {
      await look();
    } catch (error) {
      seen = new Map();
      logger.warn({ err: error }, 'sets.expiry_failed');
    }
    return intervalMs;
  }
  return { tick, ...startTicker(tick, { firstMs: intervalMs }) };
}

async function expire(deps: ExpireSetsDeps, set: SetRecord): Promise<void> {
  const { connection, queue, logger, metrics } = deps;
  const expired = await expireSet(connection, set);
  if (!expired) return;
  metrics.leasesLost.inc(expired.length);
  logger.warn({ worker: set.worker, events: expired.map(({ _id }) => _id) }, 'set.expired');
  reportSpent(
    deps,
    expired.filter(({ state }) => state === 'dead'),
  );
  hintEvents(
    queue,
    expired.filter(({ open }) => open),
  );
}
