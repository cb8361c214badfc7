/**
 * The connections of a process, opened in order and closed in reverse.
 *
 * Promises: waits for a MongoDB that is not there yet, saying so; the indexes on which the promises rest are there before
 * anything is accepted or processed, and readiness says whether they still are.
 */
import type { Config } from '../config/config.ts';
import { startSyncedClock, type Clock } from './base/clock.ts';
import { createClosing, type Closing } from './base/closing.ts';
import { createLogger, type Logger } from './base/logger.ts';
import { createMetrics, type Metrics } from './base/metrics.ts';
import { answerSupervisor, closeOnSignal, type Leave } from './base/process.ts';
import { createEventQueue, type EventQueue } from './queue/process-events.ts';
import { allIndexes, createStores, type Stores } from './store/stores.ts';
import { connectMongo, databaseTime, isWritable, type Connection } from './store/connection.ts';
import { createIndexes, missingIndexes } from './store/indexes.ts';
import { isUnavailable } from './store/model.ts';

/** What a process has before it is connected to anything. */
export type Base = {
  readonly role: 'server' | 'worker';
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closing: Closing;
  readonly leave: Leave;
};

export type Resources = {
  readonly stores: Stores;
  readonly queue: EventQueue;
  /** Shows the database's time. */
  readonly clock: Clock;
  /** What keeps MongoDB from being relied on now; empty when it can be. */
  readonly storeTroubles: () => Promise<string[]>;
};

const connectPauseMs = 2_000;
const indexPauseMs = 500;
const serverFirstMs = 10_000;

export function openBase(config: Config, role: Base['role']): Base {
  const logger = createLogger({ level: config.logLevel, role, pretty: config.prettyLogs });
  const metrics = createMetrics();
  const closing = createClosing();
  answerSupervisor(metrics.registry);
  return { role, logger, metrics, closing, leave: closeOnSignal(closing, logger) };
}

/** Rejects at once for what waiting does not mend, such as a wrong password. */
async function connect(url: string, logger: Logger): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongo(url);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Without the error itself: it carries the whole topology, every two seconds.
      logger.warn({ reason: (error as Error).message }, 'mongodb.away');
      await sleepAwake(connectPauseMs);
    }
  }
}

// A plain timer: while there is no connection, nothing else keeps the process alive.
const sleepAwake = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A worker leaves the indexes of a new database to a server, because processes that make the same collection at once
 * get in each other's way. When none comes, it makes them itself; several workers do not wait equally long.
 */
async function awaitIndexes(connection: Connection, logger: Logger): Promise<void> {
  const deadlineMs = performance.now() + serverFirstMs * (1 + Math.random());
  for (let isTold = false; performance.now() < deadlineMs; isTold = true) {
    const missing = await missingIndexes(connection, allIndexes);
    if (missing.length === 0) return;
    if (!isTold) logger.info({ missing: missing.length }, 'indexes.awaited');
    await sleepAwake(indexPauseMs);
  }
  await createIndexes(connection, allIndexes);
}

export async function openResources(config: Config, base: Base): Promise<Resources> {
  const { role, logger, metrics, closing } = base;
  const connection = await connect(config.mongodbUrl, logger);
  closing.add('mongodb', () => connection.close());
  const clock = await startSyncedClock(() => databaseTime(connection));
  closing.add('clock', () => clock.close());
  if (role === 'server') await createIndexes(connection, allIndexes);
  else await awaitIndexes(connection, logger);
  const queue = createEventQueue({
    redisUrl: config.redisUrl,
    prefix: config.queuePrefix,
    logger,
    metrics,
  });
  closing.add('queue', () => queue.close());
  return {
    stores: createStores(connection, clock),
    queue,
    clock,
    async storeTroubles() {
      if (!(await isWritable(connection))) return ['MongoDB has no primary that answers'];
      const missing = await missingIndexes(connection, allIndexes);
      return missing.map((name) => `the unique index ${name} is missing or different`);
    },
  };
}
