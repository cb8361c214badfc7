/** Composes the HTTP process: the receiver, the administration and the other APIs. It may be one of several on one port. */
import cluster from 'node:cluster';
import type { Config } from '../../config/config.ts';
import { createWebhookMetrics } from '../admin/webhook-metrics.ts';
import { sleep } from '../base/clock.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { notifySupervisor } from '../base/process/process.ts';
import { handleIpcRequests } from '../base/process/ipc.ts';
import { createReadiness, reportReadiness, type Readiness } from '../base/process/readiness.ts';
import { listen, type Listening } from '../http/server/listen.ts';
import { listenOps } from '../http/server/ops.ts';
import { notifyReady, openBase } from './base.ts';
import { provideFirstToken } from './first-token.ts';
import { openResources } from './resources.ts';
import { assembleServer } from './server.ts';

/** What the operations port shows of this process. */
type Shown = {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** Returns null while the process starts. */
  readonly webhookMetrics: () => Promise<string> | null;
};

/** Opens the operations port, or answers the primary, which has it. Resolves to null in that case. */
async function openOps(config: Config, shown: Shown): Promise<Listening | null> {
  const { metrics, readiness, webhookMetrics } = shown;
  handleIpcRequests({
    metrics: () => metrics.registry.getMetricsAsJSON(),
    failures: () => readiness.failures(),
    webhookMetrics,
  });
  if (!cluster.worker) {
    const hasWebhookMetrics = config.webhooksWithMetrics > 0;
    const readRegistry = () => metrics.registry;
    const more = hasWebhookMetrics && { webhookMetrics };
    return listenOps({ ...config, readRegistry, readiness, ...more });
  }
  // Otherwise Node ends this process at once when its primary is gone, with requests in progress.
  cluster.worker.exitedAfterDisconnect = true;
  return null;
}

/** Turns the process unready, and serves on for the time that balancers take to notice it. */
async function leaveBalancers(
  readiness: Readiness,
  api: Listening,
  drainDelayMs: number,
): Promise<void> {
  readiness.drain();
  notifySupervisor({ type: 'draining' });
  api.announceClose();
  if (drainDelayMs > 0) await sleep(drainDelayMs);
}

/** Starts the process. Resolves once it accepts requests. */
export async function runReceiver(config: Config): Promise<void> {
  const { leave: _leave, ...base } = openBase(config, 'server');
  const { logger, metrics, closing } = base;
  const readiness = createReadiness({ startingReason: 'the public port is not open yet' });
  reportReadiness(metrics.ready, readiness, ['self', 'mongodb', 'indexes']);
  let readWebhookMetrics: () => Promise<string> | null = () => null;
  const webhookMetrics = () => readWebhookMetrics();
  const ops = await openOps(config, { metrics, readiness, webhookMetrics });
  closing.add('operations', () => ops?.close());
  const { resources, findStoreFailures } = await openResources(config, base);
  const { stats } = resources.stores;
  const { webhooksWithMetrics: limit } = config;
  readWebhookMetrics = createWebhookMetrics({ stats, limit, clock: resources.clock });
  const { app, admin, streams } = assembleServer(config, resources);
  const api = await listen(app, { ...config, logger, metrics });
  closing.add('public port', () => api.close(), 10_000);
  closing.add('streams', () => streams.close());
  const { drainDelayMs } = config;
  // Closed first: balancers leave before the port closes.
  closing.add(
    'balancers',
    () => leaveBalancers(readiness, api, drainDelayMs),
    drainDelayMs + 2_000,
  );
  readiness.begin(findStoreFailures);
  const urls = { url: api.url, ...(ops && { opsUrl: ops.url }) };
  notifyReady({
    type: 'ready',
    role: 'server',
    ...urls,
    ...(await provideFirstToken(admin, config)),
  });
  logger.info(urls, 'server.ready');
}
