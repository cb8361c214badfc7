/**
 * Process lifecycle: graceful shutdown on a signal, and messages to the supervisor.
 *
 * Promises: the first signal drains and closes within 25 s, and the time in which balancers leave. A second signal more than a second later exits at
 * once; earlier repeats are ignored, because npm and a terminal deliver a signal twice. A disconnect of the
 * supervisor counts as a signal.
 */
import { hostname } from 'node:os';
import type { Shutdown } from './shutdown.ts';
import type { Logger } from '../observability/logger.ts';

const doubleSignalMs = 1_000;
/** Process managers usually kill 30 s after the signal. */
const drainMs = 25_000;

export const exitCodes = { failed: 1, blocked: 65, stuck: 70, configuration: 78 } as const;

/** Identifies the process for people: host or container name, and process id. */
export const processName = `${hostname().slice(0, 100)}:${process.pid}`;

export type ReadyMessage = {
  readonly type: 'ready';
  readonly role: 'server' | 'worker';
  readonly url?: string;
  readonly opsUrl: string;
  readonly adminToken?: string;
  readonly adminTokenFile?: string;
};

/** Sends the message to the supervisor. Returns false if there is none. */
export function notifySupervisor(message: ReadyMessage): boolean {
  return process.connected ? (process.send?.(message) ?? false) : false;
}

/** Shuts down once and exits with `exitCode`. Exits with 1 instead of 0 if something did not close. */
export type StopProcess = (reason: string, exitCode?: number) => void;

/** Starts the shutdown on the first signal. `drainDelayMs` is part of closing and comes on top of its limit. Returns a function that starts it for another reason. */
export function shutDownOnSignal(
  closing: Shutdown,
  { logger, drainDelayMs }: { readonly logger: Logger; readonly drainDelayMs: number },
): StopProcess {
  let signalledAt: number | undefined;
  let isStopping = false;

  async function drain(reason: string, exitCode: number): Promise<void> {
    logger.info({ reason }, 'process.draining');
    setTimeout(() => {
      logger.warn('process.drain_timed_out');
      process.exit(exitCode === 0 ? exitCodes.failed : exitCode);
    }, drainMs + drainDelayMs);
    const failures = await closing.closeAll();
    for (const { name, error } of failures)
      logger.warn({ err: error, name }, 'process.close_failed');
    logger.info('process.stopped');
    process.exit(failures.length > 0 && exitCode === 0 ? exitCodes.failed : exitCode);
  }

  function stop(reason: string, exitCode = 0): void {
    if (isStopping) return;
    isStopping = true;
    void drain(reason, exitCode);
  }

  function onSignal(signal: string): void {
    const now = performance.now();
    if (signalledAt !== undefined && now - signalledAt > doubleSignalMs) {
      process.exit(exitCodes.failed);
    }
    signalledAt ??= now;
    stop(signal);
  }

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  process.on('disconnect', () => onSignal('disconnect'));
  return stop;
}
