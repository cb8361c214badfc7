/** Composition root of the HTTP process: the receiver, the administration, the other APIs and the operations port. */
import { join } from 'node:path';
import { loadConfig, type Config } from '../config/config.ts';
import { createAdmin, type Admin } from './admin/admin.ts';
import { notifySupervisor } from './base/process/process.ts';
import { runMain } from './base/process/startup.ts';
import { startMaintenance } from './maintenance/maintenance.ts';
import { createAdmission } from './http/receiving/admission.ts';
import { createApi } from './http/app.ts';
import { createAuthThrottle } from './http/auth/auth-throttle.ts';
import { createTokenRateLimit } from './http/auth/token-rate-limit.ts';
import { listen } from './http/server/listen.ts';
import { listenOps } from './http/server/ops.ts';
import { createReceiveHandler } from './http/receiving/handler.ts';
import { createStreams } from './http/routing/streams.ts';
import { createInbox } from './inbox/inbox.ts';
import { producerOf } from './producers/registry.ts';
import { createStoredBodies } from './producers/stored-body.ts';
import { createWebhookCache } from './receiving/webhook-cache.ts';
import { startKeyUsage } from './receiving/key-usage.ts';
import { createReceiving } from './receiving/receiving.ts';
import { recordSamples } from './receiving/samples.ts';
import { createEffectiveMappings } from './receiving/effective-mappings.ts';
import { createRecorder } from './receiving/recorder.ts';
import { listenForChanges } from './queue/webhook-changes.ts';
import { createRecovery } from './recovery/replay.ts';
import { startErasure } from './erasure/erasure.ts';
import { startRuns } from './recovery/runs.ts';
import { startSweeper } from './recovery/sweep.ts';
import { openBase, openResources, openVault, type Base, type Resources } from './resources.ts';

function assemble(config: Config, parts: Base & Resources) {
  const { stores, queue, clock, lostIndexes, logger, metrics, closing } = parts;
  const directory = createWebhookCache({ ...stores, logger, clock });
  closing.add('directory', () => directory.close());
  const listener = listenForChanges({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    onChange: directory.invalidate,
    onGap: () => void directory.poll(),
  });
  closing.add('change listener', () => listener.close());
  const meter = startKeyUsage({ ...stores, logger, clock });
  closing.add('key meter', () => meter.close());
  const vault = openVault(config, logger);
  const { countEvent } = startMaintenance({ ...config, ...parts });
  const authThrottle = createAuthThrottle({ clock, metrics });
  const receiving = createReceiving({
    ...stores,
    authThrottle,
    vault,
    countEvent,
    webhookCache: directory,
    mappings: createEffectiveMappings({ ...stores, clock }),
    recorder: createRecorder({ ...stores, queue, maxPending: config.maxInFlight }),
    producerOf,
    clock,
    countKeyUse: meter.count,
  });
  const recovery = createRecovery({ ...stores, queue, metrics, clock, countEvent });
  const { sweepIntervalMs: intervalMs } = config;
  const runs = startRuns({ ...stores, queue, intervalMs, logger, metrics, clock, countEvent });
  closing.add('runs', () => runs.close(), 5_000);
  const bodies = createStoredBodies(stores);
  const erasing = startErasure({ ...stores, ...config, intervalMs, logger, clock });
  closing.add('erasing', () => erasing.close(), 5_000);
  const admin = createAdmin({
    ...stores,
    ...config,
    bodies,
    queue,
    vault,
    forget: (webhookId) => {
      directory.invalidate(webhookId);
      queue.announceChange(webhookId);
    },
    ...recovery,
    wakeRuns: () => runs.wake(),
    wakeErasing: () => erasing.wake(),
    recordSamples: (samples, webhook) => recordSamples(receiving, samples, webhook),
    logger,
    clock,
  });
  const schedules = admin.schedules.start();
  closing.add('schedules', () => schedules.close(), 5_000);
  const admission = createAdmission(config, metrics);
  const limitToken = createTokenRateLimit({ ...config, clock, metrics });
  const receive = createReceiveHandler({
    ...config,
    receiving,
    admission,
    lostIndexes,
    logger,
    metrics,
  });
  const streams = createStreams();
  const inbox = createInbox(stores);
  const app = createApi({
    ...config,
    receive,
    admin,
    inbox,
    streams,
    failures: authThrottle,
    limitToken,
    logger,
    assetFolder: join(import.meta.dirname, '../assets'),
    consoleFolder: join(import.meta.dirname, '../web'),
  });
  return { app, admin, streams };
}

/** Printed once, by whoever people look at: the supervisor, or this process itself. */
async function announce(admin: Admin, urls: { url: string; opsUrl: string }): Promise<void> {
  const adminToken = await admin.tokens.ensureFirst();
  const told = notifySupervisor({
    type: 'ready',
    role: 'server',
    ...urls,
    ...(adminToken !== null && { adminToken }),
  });
  if (!told && adminToken !== null) {
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
