/** Composes the HTTP process: the receiver, the administration and the other APIs. */
import type { Config } from '../../config/config.ts';
import { createWebhookMetrics } from '../api/stats/webhook-metrics.ts';
import { sleep } from '../base/clock.ts';
import type { Metrics } from '../base/observability/metrics.ts';
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

function openOps(config: Config, shown: Shown): Promise<Listening> {
  const { metrics, readiness, webhookMetrics } = shown;
  const { registry } = metrics;
  handleIpcRequests({ metrics: () => registry.getMetricsAsJSON() });
  const hasWebhookMetrics = config.webhooksWithMetrics > 0;
  const more = hasWebhookMetrics && { webhookMetrics };
  return listenOps({ ...config, registry, readiness, ...more });
}

/** Turns the process unready, and serves on for the time that balancers take to notice it. */
async function leaveBalancers(
  readiness: Readiness,
  api: Listening,
  drainDelayMs: number,
): Promise<void> {
  readiness.drain();
  api.announceClose();
  if (drainDelayMs > 0) await sleep(drainDelayMs);
}

/** Starts the process. Resolves once it accepts requests. */
export async function runReceiver(config: Config): Promise<void> {
  const { leave: _leave, ...base } = openBase(config, 'server');
  const { logger, metrics, closing } = base;
  const readiness = createReadiness({ startingReason: () => 'the public port is not open yet' });
  reportReadiness(metrics.ready, readiness, ['self', 'mongodb', 'indexes']);
  let readWebhookMetrics: () => Promise<string> | null = () => null;
  const webhookMetrics = () => readWebhookMetrics();
  const ops = await openOps(config, { metrics, readiness, webhookMetrics });
  closing.add('operations', () => ops.close());
  const { resources, findStoreFailures } = await openResources(config, base);
  const { stats } = resources.stores;
  const { webhooksWithMetrics: limit } = config;
  readWebhookMetrics = createWebhookMetrics({ stats, limit, clock: resources.clock });
  const { app, context, streams } = assembleServer(config, resources);
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
  readiness.begin([{ name: 'mongodb', findFailures: findStoreFailures }]);
  const urls = { url: api.url, opsUrl: ops.url };
  notifyReady({
    type: 'ready',
    role: 'server',
    ...urls,
    ...(await provideFirstToken(context, config)),
  });
  logger.info(urls, 'server.ready');
}
