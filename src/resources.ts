/**
 * The connections of a process, opened in order and closed in reverse.
 *
 * Promises: waits for a MongoDB that is not there yet, saying so; creates the indexes on which the promises rest before
 * anything is accepted, and says at readiness whether they are still there.
 */
import type { Config } from '../config/config.ts';
import { createClosing, type Closing } from './base/closing.ts';
import { createLogger, type Logger } from './base/logger.ts';
import { createMetrics, type Metrics } from './base/metrics.ts';
import { createEventQueue, type EventQueue } from './queue/process-events.ts';
import { allIndexes, createStores, type Stores } from './store/stores.ts';
import { connectMongo, isWritable, type Connection } from './store/connection.ts';
import { createIndexes, missingIndexes } from './store/indexes.ts';

export type Resources = {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closing: Closing;
  readonly connection: Connection;
  readonly stores: Stores;
  readonly queue: EventQueue;
  /** What keeps MongoDB from being relied on now; empty when it can be. */
  readonly storeTroubles: () => Promise<string[]>;
};

const connectPauseMs = 2_000;

async function connect(url: string, logger: Logger): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongo(url);
    } catch (error) {
      logger.warn({ err: error }, 'mongodb.away');
      await sleepAwake(connectPauseMs);
    }
  }
}

// A plain timer: while there is no connection, nothing else keeps the process alive.
const sleepAwake = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function openResources(config: Config, role: 'server' | 'worker'): Promise<Resources> {
  const logger = createLogger({ level: config.logLevel, role, pretty: config.prettyLogs });
  const metrics = createMetrics();
  const closing = createClosing();
  const connection = await connect(config.mongodbUrl, logger);
  closing.add('mongodb', () => connection.close());
  await createIndexes(connection, allIndexes);
  const queue = createEventQueue({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    logger,
    metrics,
  });
  closing.add('queue', () => queue.close());
  return {
    config,
    logger,
    metrics,
    closing,
    connection,
    stores: createStores(connection),
    queue,
    async storeTroubles() {
      if (!(await isWritable(connection))) return ['MongoDB has no primary that answers'];
      const missing = await missingIndexes(connection, allIndexes);
      return missing.map((name) => `the unique index ${name} is missing or different`);
    },
  };
}
