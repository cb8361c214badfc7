/**
 * Shows people which processes are alive, and a migration which releases run.
 *
 * Must never: be relied on for what an event becomes. A process may live on without a heartbeat while MongoDB does not answer.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { BaseContext } from '../context/process-context.ts';
import { startTicker } from '../base/process/ticker.ts';
import { recordHeartbeat, removeProcess } from '../store/maintenance/processes.ts';
import { allIndexes } from '../store/all-indexes.ts';
import { versionOfIndexes } from '../store/db/indexes.ts';
import type { Db } from '../store/db/connection.ts';

export type HeartbeatOptions = {
  readonly allowsDrills: boolean;
  /** Of the machine. Default: the system clock. */
  readonly ownClock?: Pick<Clock, 'now'>;
  /** Ends the process at once, as a crash does. Default: SIGKILL. */
  readonly crash?: () => void;
};

const beatMs = 10_000;
/** Of the unique indexes that this process relies on. */
const indexes = versionOfIndexes(allIndexes);

const killItself = (): void => void process.kill(process.pid, 'SIGKILL');

export function startHeartbeat(
  ctx: Db & BaseContext,
  { allowsDrills, ownClock = systemClock, crash = killItself }: HeartbeatOptions,
) {
  const { role, release, logger, clock } = ctx;
  const id = newId();
  async function beat(): Promise<number> {
    const aheadMs = +ownClock.now() - +clock.now();
    const mustEnd = await recordHeartbeat(ctx, id, {
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
      await removeProcess(ctx, id).catch(() => undefined);
    },
  };
}
