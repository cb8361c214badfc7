/**
 * What every process of ours does alike: end in order when it is told to, and speak with the supervisor if there is one.
 *
 * Promises: the first signal drains and closes, within 25 s; a second one more than a second later ends at once (npm and a terminal
 * deliver doubles); a supervisor that vanished is a signal too.
 */
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { Shutdown } from './shutdown.ts';
import type { Logger } from '../observability/logger.ts';

const doubleSignalMs = 1_000;
/** Whoever sent the signal usually kills after thirty seconds. */
const drainMs = 25_000;

export const exitCodes = { failed: 1, blocked: 65, stuck: 70, configuration: 78 } as const;

/** By which people find the process again: the machine, or the container, and its number there. */
export const processName = `${hostname().slice(0, 100)}:${process.pid}`;

export type ReadyMessage = {
  readonly type: 'ready';
  readonly role: 'server' | 'worker';
  readonly url?: string;
  readonly opsUrl: string;
  readonly adminToken?: string;
};

/** Tells the supervisor; false when there is none. */
export function notifySupervisor(message: ReadyMessage): boolean {
  return process.send?.(message) ?? false;
}

/** Answers the supervisor's questions for this process's series. */
export function serveMetricsToSupervisor(registry: Registry): void {
  process.on('message', (message: { type?: unknown; id?: unknown }) => {
    if (message?.type !== 'metrics') return;
    void registry.getMetricsAsJSON().then((metrics) => {
      process.send?.({ type: 'metrics', id: message.id, metrics });
    });
  });
}

/** Drains, once, and ends the process with this code; instead of 0 with 1 when something did not close. */
export type StopProcess = (reason: string, exitCode?: number) => void;

/** Leaves on the first signal. */
export function shutDownOnSignal(closing: Shutdown, logger: Logger): StopProcess {
  let signalledAt: number | undefined;
  let isLeaving = false;

  async function drain(reason: string, exitCode: number): Promise<void> {
    logger.info({ reason }, 'process.draining');
    setTimeout(() => {
      logger.warn('process.drain_timed_out');
      process.exit(exitCode === 0 ? exitCodes.failed : exitCode);
    }, drainMs);
    const failures = await closing.closeAll();
    for (const { name, error } of failures)
      logger.warn({ err: error, name }, 'process.close_failed');
    logger.info('process.stopped');
    process.exit(failures.length > 0 && exitCode === 0 ? exitCodes.failed : exitCode);
  }

  function leave(reason: string, exitCode = 0): void {
    if (isLeaving) return;
    isLeaving = true;
    void drain(reason, exitCode);
  }

  function onSignal(signal: string): void {
    const now = performance.now();
    if (signalledAt !== undefined && now - signalledAt > doubleSignalMs) {
      process.exit(exitCodes.failed);
    }
    signalledAt ??= now;
    leave(signal);
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  process.on('disconnect', () => onSignal('disconnect'));
  return leave;
}
