/**
 * Shows people which processes are alive, and a migration which releases run.
 *
 * Must never: be relied on for what an event becomes. A process may live on without a heartbeat while MongoDB does not answer.
 */
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import type { ProcessStore } from '../store/maintenance/processes.ts';

type HeartbeatDeps = {
  readonly processes: Pick<ProcessStore, 'heartbeat' | 'remove'>;
  readonly role: 'server' | 'worker';
  /** The version of Inlet. */
  readonly release: string;
  readonly logger: Logger;
};

const beatMs = 10_000;

export function startHeartbeat({ processes, role, release, logger }: HeartbeatDeps) {
  const id = newId();
  async function beat(): Promise<number> {
    await processes
      .heartbeat(id, { role, release })
      .catch((err: unknown) => logger.debug({ err }, 'process.heartbeat_failed'));
    return beatMs;
  }
  const ticker = startTicker(beat, { firstMs: 0 });
  return {
    async close(): Promise<void> {
      await ticker.close();
      await processes.remove(id).catch(() => undefined);
    },
  };
}
