/** What every process has before it opens a connection: logger, metrics, shutdown sequence and watchdog. */
import type { Config } from '../../config/config.ts';
import { findUnsafeSettings } from '../../config/unsafe-settings.ts';
import { createLogDestination } from '../base/observability/log-destination.ts';
import { createLogger } from '../base/observability/logger.ts';
import { createMetrics } from '../base/observability/metrics.ts';
import {
  notifySupervisor,
  shutDownOnSignal,
  type ReadyMessage,
  type StopProcess,
} from '../base/process/process.ts';
import { createShutdown } from '../base/process/shutdown.ts';
import { startWatchdog } from '../base/process/watchdog.ts';
import type { BaseContext } from '../context/process-context.ts';
import { metricLabels } from '../domain/metric-labels.ts';
import { revision, versionOfPackage } from './folders.ts';

export function openBase(
  config: Config,
  role: BaseContext['role'],
): BaseContext & { readonly leave: StopProcess } {
  const out = createLogDestination();
  const logger = createLogger({ level: config.logLevel, role, pretty: config.prettyLogs, out });
  for (const unsafe of findUnsafeSettings(config)) logger.warn(unsafe, 'configuration.unsafe');
  const metrics = createMetrics({ role, ...metricLabels });
  const release = versionOfPackage();
  const { node } = process.versions;
  metrics.buildInfo.set({ version: release, revision, node, role }, 1);
  out.onDropped((lines) => {
    metrics.logLinesDropped.inc(lines);
    logger.warn({ lines }, 'log.dropped');
  });
  const closing = createShutdown();
  // Closed last: a drain may hang too.
  const watchdog = startWatchdog({ limitMs: config.hangMs, role });
  closing.add('watchdog', () => watchdog.close());
  return {
    role,
    release,
    logger,
    metrics,
    closing,
    leave: shutDownOnSignal(closing, { ...config, logger }),
  };
}

/** Notifies the supervisor, which prints the start message once. Without a supervisor, prints where the new admin token is. */
export function notifyReady(message: ReadyMessage): void {
  if (notifySupervisor(message)) return;
  const { adminToken, adminTokenFile } = message;
  if (adminToken) process.stdout.write(`Admin token (shown once): ${adminToken}\n`);
  if (adminTokenFile) process.stdout.write(`Admin token: in ${adminTokenFile}\n`);
}
