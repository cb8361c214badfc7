/**
 * Composition root of a worker process: processes events, delivers messages and sweeps. Any number may run.
 */
import { exitCodes, notifySupervisor } from '../src/base/process/process.ts';
import { runMain } from '../src/base/process/startup.ts';
import { loadConfig } from '../config/config.ts';
import { listenOps } from '../src/http/server/ops.ts';
import { startOutcomeCounter } from '../src/maintenance/outcome-counter.ts';
import { startDriftSampler } from '../src/maintenance/drift-sampler.ts';
import { startDelivery } from '../src/delivery/delivery.ts';
import { createProcessing } from '../src/processing/processing.ts';
import { requireNoEviction } from '../src/queue/connection.ts';
import { startLiveness } from './liveness.ts';
import { startRuns } from '../src/recovery/runs.ts';
import { startSweeper } from '../src/recovery/sweep.ts';
import { openBase, openResources, openVault, type Base, type Resources } from '../src/resources.ts';
import { startMaintenance } from '../src/maintenance/maintenance.ts';
import { startProcessEvents } from './process-events.ts';

/** Longer than a drain takes. */
const drainMs = 16_000;

type CounterDeps = Pick<Base, 'logger' | 'closing'> & Pick<Resources, 'stores' | 'clock'>;

/** Counts the shapes of bodies for drift detection, and the outcomes of each mapping version. */
function startCounters({ stores, logger, clock, closing }: CounterDeps) {
  const sampler = startDriftSampler({ ...stores, logger, clock });
  closing.add('drift sampler', () => sampler.close());
  const outcomes = startOutcomeCounter({ ...stores, logger, clock });
  closing.add('outcome counter', () => outcomes.close());
  return { observe: sampler.observe, recordOutcome: outcomes.record };
}

async function main(): Promise<void> {
  const config = loadConfig();
  const base = openBase(config, 'worker');
  const { logger, metrics, closing, leave } = base;
  let readinessFailures: () => Promise<string[]> = () =>
    Promise.resolve(['MongoDB and Redis have not answered yet']);
  let livenessFailures: () => readonly string[] = () => [];
  const ops = await listenOps({
    ...config,
    registry: metrics.registry,
    readinessFailures: () => readinessFailures(),
    livenessFailures: () => livenessFailures(),
  });
  closing.add('operations', () => ops.close());
  const { stores, queue, clock, storeTroubles } = await openResources(config, base);
  const opening = new AbortController();
  closing.add('opening', () => opening.abort());

  // Outbound delivery does not wait for Redis.
  const vault = openVault(config, logger);
  const delivery = startDelivery({ ...config, stores, vault, logger, metrics, clock });
  closing.add('delivery', () => delivery.close());

  if (!(await requireNoEviction(config.redisUrl, opening.signal))) return;
  const { observe, recordOutcome } = startCounters({ ...base, stores, clock });
  const { countEvent } = startMaintenance({ ...config, ...base, stores, clock });
  const processing = createProcessing({
    ...config,
    stores,
    queue,
    logger,
    metrics,
    clock,
    observe,
    countEvent,
    recordOutcome,
    wakeDelivery: delivery.wake,
  });
  const liveness = startLiveness({
    ...stores,
    queue,
    limitMs: config.livenessMs,
    clock,
    logger,
    onStuck: () => leave('stuck', exitCodes.stuck),
  });
  livenessFailures = () => liveness.failures();
  closing.add('liveness', () => liveness.close());
  const sweeper = startSweeper({
    ...stores,
    queue,
    intervalMs: config.sweepIntervalMs,
    logger,
    metrics,
    clock,
  });
  closing.add('sweeper', () => sweeper.close(), 6_000);
  const { sweepIntervalMs: intervalMs } = config;
  const runs = startRuns({ ...stores, queue, intervalMs, logger, metrics, clock });
  closing.add('runs', () => runs.close(), 5_000);
  const consumer = startProcessEvents({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    concurrency: config.concurrency,
    processEvents: liveness.watch(processing.processEvents),
    queue,
    logger,
    metrics,
  });
  const drain = () => Promise.all([processing.drain(consumer.close()), delivery.close()]);
  closing.add('consumer', drain, drainMs);
  readinessFailures = async () => [
    ...(await storeTroubles()),
    ...(consumer.isReady ? await queue.readinessFailures() : ['Redis does not answer']),
  ];
  notifySupervisor({ type: 'ready', role: 'worker', opsUrl: ops.url });
  logger.info({ opsUrl: ops.url }, 'worker.ready');
}

runMain(main);
