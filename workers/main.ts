/**
 * Composition root of a worker process: takes hints, processes events, sweeps. As many as wanted may run.
 */
import { exitCodes, tellSupervisor } from '../src/base/process.ts';
import { ConfigError, loadConfig } from '../config/config.ts';
import { listenOps } from '../src/http/ops.ts';
import { startGatherer } from '../src/processing/gather.ts';
import { createProcessing } from '../src/processing/processing.ts';
import { EvictingRedisError, requireNoEviction } from '../src/queue/consumer.ts';
import { startSweeper } from '../src/recovery/sweep.ts';
import { openBase, openResources } from '../src/resources.ts';
import { startProcessEvents } from './process-events.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const base = openBase(config, 'worker');
  const { logger, metrics, closing } = base;
  let troubles: () => Promise<string[]> = () =>
    Promise.resolve(['MongoDB and Redis have not answered yet']);
  const ops = await listenOps({
    ...config,
    registry: metrics.registry,
    troubles: () => troubles(),
  });
  closing.add('operations', () => ops.close());
  const { stores, queue, clock, storeTroubles } = await openResources(config, base);
  const opening = new AbortController();
  closing.add('opening', () => opening.abort());

  if (!(await requireNoEviction(config.redisUrl, opening.signal))) return;
  const gatherer = startGatherer({ ...stores, logger, clock });
  closing.add('gatherer', () => gatherer.close());
  const { observe } = gatherer;
  const processing = createProcessing({
    ...config,
    stores,
    queue,
    logger,
    metrics,
    clock,
    observe,
  });
  const sweeper = startSweeper({
    ...stores,
    queue,
    intervalMs: config.sweepIntervalMs,
    logger,
    metrics,
    clock,
  });
  closing.add('sweeper', () => sweeper.close());
  const consumer = startProcessEvents({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    concurrency: config.concurrency,
    ...processing,
    logger,
    metrics,
  });
  closing.add('consumer', () => processing.drain(consumer.close()));
  troubles = async () => [
    ...(await storeTroubles()),
    ...(consumer.isReady && queue.isReady ? [] : ['Redis does not answer']),
  ];
  tellSupervisor({ type: 'ready', role: 'worker', opsUrl: ops.url });
  logger.info({ opsUrl: ops.url }, 'worker.ready');
}

main().catch((error: unknown) => {
  const isTold = error instanceof ConfigError || error instanceof EvictingRedisError;
  process.stderr.write(`${isTold ? error.message : String((error as Error)?.stack ?? error)}\n`);
  process.exit(isTold ? exitCodes.configuration : exitCodes.failed);
});
