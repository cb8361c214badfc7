/** Entry point of the HTTP process: the receiver, the administration, the other APIs and the operations port. */
import { loadConfig, type Config } from '../config/config.ts';
import type { Admin } from './admin/admin.ts';
import { createWebhookMetrics } from './admin/webhook-metrics.ts';
import { provideFirstToken } from './assemble/first-token.ts';
import { openBase, openResources } from './assemble/resources.ts';
import { assembleServer } from './assemble/server.ts';
import { sleep } from './base/clock.ts';
import { notifySupervisor } from './base/process/process.ts';
import { createReadiness, type Readiness } from './base/process/readiness.ts';
import { reportReadiness } from './base/observability/report-readiness.ts';
import { runMain } from './base/process/startup.ts';
import { listen, type Listening } from './http/server/listen.ts';
import { listenOps } from './http/server/ops.ts';

/** Notifies the supervisor, which prints the start message once. Without a supervisor, prints where the new admin token is. */
async function announce(
  admin: Admin,
  config: Config,
  urls: { url: string; opsUrl: string },
): Promise<void> {
  const first = await provideFirstToken(admin, config);
  if (notifySupervisor({ type: 'ready', role: 'server', ...urls, ...first })) return;
  const { adminToken, adminTokenFile } = first;
  if (adminToken) process.stdout.write(`Admin token (shown once): ${adminToken}\n`);
  if (adminTokenFile) process.stdout.write(`Admin token: in ${adminTokenFile}\n`);
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

async function main(): Promise<void> {
  const config = loadConfig();
  const { leave: _leave, ...base } = openBase(config, 'server');
  const { logger, metrics, closing } = base;
  const readiness = createReadiness({ startingReason: 'the public port is not open yet' });
  reportReadiness(metrics.ready, readiness, ['self', 'mongodb', 'indexes']);
  let readWebhookMetrics: () => Promise<string> | null = () => null;
  const ops = await listenOps({
    ...config,
    registry: metrics.registry,
    readiness,
    ...(config.webhooksWithMetrics > 0 && { webhookMetrics: () => readWebhookMetrics() }),
  });
  closing.add('operations', () => ops.close());
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
  await announce(admin, config, { url: api.url, opsUrl: ops.url });
  logger.info({ url: api.url, opsUrl: ops.url }, 'server.ready');
}

runMain(main);
