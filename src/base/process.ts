/**
 * What every process of ours does alike: end in order when it is told to, and speak with the supervisor if there is one.
 *
 * Promises: the first signal drains and closes; a second one more than a second later ends at once (npm and a terminal
 * deliver doubles); a supervisor that vanished is a signal too.
 */
import type { Registry } from 'prom-client';
import type { Closing } from './closing.ts';
import type { Logger } from './logger.ts';

const doubleSignalMs = 1_000;
const drainMs = 29_000;

export const exitCodes = { failed: 1, blocked: 65, configuration: 78 } as const;

export type ReadyMessage = {
  readonly type: 'ready';
  readonly role: 'server' | 'worker';
  readonly url?: string;
  readonly opsUrl: string;
  readonly adminToken?: string;
};

/** Tells the supervisor; false when there is none. */
export function tellSupervisor(message: ReadyMessage): boolean {
  return process.send?.(message) ?? false;
}

/** Answers the supervisor's questions for this process's series. */
export function answerSupervisor(registry: Registry): void {
  process.on('message', (message: { type?: unknown; id?: unknown }) => {
    if (message?.type !== 'metrics') return;
    void registry.getMetricsAsJSON().then((metrics) => {
      process.send?.({ type: 'metrics', id: message.id, metrics });
    });
  });
}

/** Closes everything on the first signal and then exits with 0, or with 1 when something did not close. */
export function closeOnSignal(closing: Closing, logger: Logger): void {
  let signalledAt: number | undefined;

  async function drain(reason: string): Promise<void> {
    logger.info({ reason }, 'process.draining');
    const deadline = setTimeout(() => {
      logger.warn('process.drain_timed_out');
      process.exit(exitCodes.failed);
    }, drainMs);
    deadline.unref();
    const failures = await closing.closeAll();
    for (const { name, error } of failures)
      logger.warn({ err: error, name }, 'process.close_failed');
    logger.info('process.stopped');
    process.exit(failures.length > 0 ? exitCodes.failed : 0);
  }

  function onSignal(signal: string): void {
    const now = performance.now();
    if (signalledAt === undefined) {
      signalledAt = now;
      void drain(signal);
    } else if (now - signalledAt > doubleSignalMs) {
      process.exit(exitCodes.failed);
    }
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  process.on('disconnect', () => onSignal('disconnect'));
}
