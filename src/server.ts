/** Composition root of the HTTP process: the receiver, the administration, the other APIs and the operations port. */
import { loadConfig, type Config } from '../config/config.ts';
import type { Admin } from './admin/admin.ts';
import { assembleApi } from './assemble.ts';
import { notifySupervisor } from './base/process/process.ts';
import { runMain } from './base/process/startup.ts';
import { startMaintenance } from './maintenance/maintenance.ts';
import { listen } from './http/server/listen.ts';
import { listenOps } from './http/server/ops.ts';
import { createStoredBodies } from './producers/stored-body.ts';
import { listenForChanges } from './queue/webhook-changes.ts';
import { startErasure } from './erasure/erasure.ts';
import { startRuns } from './recovery/runs.ts';
import { startSweeper } from './recovery/sweep.ts';
import { openBase, openResources, openVault, type Base, type Resources } from './resources.ts';

/** Composes the application and the background work of this process. */
function assemble(config: Config, parts: Base & Resources) {
  const { stores, logger, closing } = parts;
  const { countEvent } = startMaintenance({ ...config, ...parts });
  const each = { ...stores, ...parts, intervalMs: config.sweepIntervalMs, countEvent };
  const runs = startRuns(each);
  closing.add('runs', () => runs.close(), 5_000);
  const bodies = createStoredBodies(stores);
  const erasure = startErasure({ ...each, ...config, bodies });
  closing.add('erasure', () => erasure.close(), 5_000);
  const api = assembleApi(config, {
    ...parts,
    bodies,
    vault: openVault(config, logger),
    countEvent,
    wakeRuns: () => runs.wake(),
    wakeErasure: () => erasure.wake(),
  });
  const listener = listenForChanges({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    onChange: api.webhookCache.invalidate,
    onGap: () => void api.webhookCache.poll(),
  });
  closing.add('change listener', () => listener.close());
  const schedules = api.admin.schedules.start();
  closing.add('schedules', () => schedules.close(), 5_000);
  return api;
}

/** Notifies the supervisor, which prints the start message once. Without a supervisor, prints a new admin token. */
async function announce(admin: Admin, urls: { url: string; opsUrl: string }): Promise<void> {
  const adminToken = await admin.tokens.ensureFirst();
  const isNotified = notifySupervisor({
    type: 'ready',
    role: 'server',
    ...urls,
    ...(adminToken !== null && { adminToken }),
  });
  if (!isNotified && adminToken !== null) {
    process.stdout.write(`Admin token (shown once): ${adminToken}\n`);
  }
}

async function main(): Promise<void> {
  const config = loadConfig();
  const base = openBase(config, 'server');
  const { logger, metrics, closing } = base;
  let troubles: () => Promise<string[]> = () =>
    Promise.resolve(['the public port is not open yet']);
  const ops = await listenOps({
    ...config,
    registry: metrics.registry,
    readinessFailures: () => troubles(),
  });
  closing.add('operations', () => ops.close());
  const resources = await openResources(config, base);
  const { app, admin, streams } = assemble(config, { ...base, ...resources });
  const sweeper = startSweeper({
    ...resources,
    ...resources.stores,
    intervalMs: config.sweepIntervalMs,
    logger,
    metrics,
  });
  closing.add('sweeper', () => sweeper.close(), 6_000);
  const api = await listen(app, config);
  closing.add('public port', () => api.close(), 10_000);
  closing.add('streams', () => streams.close());
  troubles = resources.storeTroubles;
  await announce(admin, { url: api.url, opsUrl: ops.url });
  logger.info({ url: api.url, opsUrl: ops.url }, 'server.ready');
}

runMain(main);
