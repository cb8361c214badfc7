/**
 * Entry point of a worker process: processes events, delivers messages and sweeps. Any number may run.
 */
import { assembleDelivery, assembleWorker } from '../src/assemble/worker.ts';
import { openBase } from '../src/assemble/base.ts';
import { openResources } from '../src/assemble/resources.ts';
import { exitCodes, notifySupervisor } from '../src/base/process/process.ts';
import { handleIpcRequests } from '../src/base/process/ipc.ts';
import { createReadiness, reportReadiness } from '../src/base/process/readiness.ts';
import { runMain } from '../src/base/process/startup.ts';
import { loadConfig } from '../config/config.ts';
import { listenOps } from '../src/http/server/ops.ts';
import { maxInFlight } from '../src/delivery/concurrency-limit.ts';
import { reservedSlots } from '../src/queue/reserved-slots.ts';
import { requireUsableRedis } from '../src/queue/server-info.ts';
import { maxSets } from './process-events.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const { leave, ...base } = openBase(config, 'worker');
  const { logger, metrics, closing } = base;
  handleIpcRequests({ metrics: () => metrics.registry.getMetricsAsJSON() });
  let waitsFor = () => 'MongoDB has not answered yet';
  const readiness = createReadiness({ startingReason: () => waitsFor() });
  let livenessFailures: () => readonly string[] = () => [];
  reportReadiness(metrics.ready, readiness, ['self', 'mongodb', 'indexes', 'redis']);
  metrics.limit.set({ of: 'jobs' }, config.concurrency + reservedSlots);
  metrics.limit.set({ of: 'sets' }, maxSets);
  metrics.limit.set({ of: 'deliveries' }, maxInFlight);
  const ops = await listenOps({
    ...config,
    registry: metrics.registry,
    readiness,
    livenessFailures: () => livenessFailures(),
  });
  closing.add('operations', () => ops.close());
  const { resources, findStoreFailures } = await openResources(config, base);
  const opening = new AbortController();
  closing.add('opening', () => opening.abort());

  // Outbound delivery does not wait for Redis.
  const delivery = assembleDelivery(config, resources);
  closing.add('delivery', () => delivery.close());

  const { queue } = resources;
  waitsFor = () => queue.connectionFailure() ?? 'the worker is starting';
  if (!(await requireUsableRedis(config.redisUrl, opening.signal))) return;
  const onStuck = () => leave('stuck', exitCodes.stuck);
  const { consumer, liveness } = assembleWorker(config, resources, { delivery, onStuck });
  livenessFailures = () => liveness.failures();
  closing.add('readiness', () => readiness.drain());
  const findRedisFailures = async () => {
    const failure = consumer.failure();
    const reasons = failure === null ? await queue.readinessFailures() : [failure];
    return reasons.map((reason) => ({ check: 'redis' as const, reason }));
  };
  readiness.begin([
    { name: 'mongodb', findFailures: findStoreFailures },
    { name: 'redis', findFailures: findRedisFailures },
  ]);
  notifySupervisor({ type: 'ready', role: 'worker', opsUrl: ops.url });
  logger.info({ opsUrl: ops.url }, 'worker.ready');
}

runMain(main);
