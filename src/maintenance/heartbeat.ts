/**
 * Shows people which processes are alive, and a migration which releases run.
 *
 * Must never: be relied on for what an event becomes. A process may live on without a heartbeat while MongoDB does not answer.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import { recordHeartbeat, removeProcess } from '../store/maintenance/processes.ts';
import { allIndexes } from '../store/all-indexes.ts';
import { versionOfIndexes } from '../store/db/indexes.ts';
import type { Db } from '../store/db/connection.ts';

type HeartbeatDeps = Db & {
  readonly role: 'server' | 'worker';
  /** The version of Inlet. */
  readonly release: string;
  readonly allowsDrills: boolean;
  /** Follows the database's time. */
  readonly clock: Clock;
  /** Of the machine. Default: the system clock. */
  readonly ownClock?: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Ends the process at once, as a crash does. Default: SIGKILL. */
  readonly crash?: () => void;
};

const beatMs = 10_000;
/** Of the unique indexes that this process relies on. */
const indexes = versionOfIndexes(allIndexes);

const killItself = (): void => void process.kill(process.pid, 'SIGKILL');

export function startHeartbeat(deps: HeartbeatDeps) {
  const { role, release, allowsDrills, logger, crash = killItself } = deps;
  const { clock, ownClock = systemClock } = deps;
  const id = newId();
  async function beat(): Promise<number> {
    const aheadMs = +ownClock.now() - +clock.now();
    const mustEnd = await recordHeartbeat(deps, id, {
      role,
      release,
      allowsDrills,
      aheadMs,
      indexes,
    }).catch((err: unknown) => logger.debug({ err }, 'process.heartbeat_failed'));
    if (mustEnd && allowsDrills) crash();
    return beatMs;
  }
  const ticker = startTicker(beat, { firstMs: 0 });
  return {
    async close(): Promise<void> {
      await ticker.close();
      await removeProcess(deps, id).catch(() => undefined);
    },
  };
}
