/**
 * The connections of a process, opened in order and closed in reverse.
 *
 * Promises: waits for a MongoDB that is not there yet, saying so; the indexes on which the promises rest are there before
 * anything is accepted or processed, and are looked at again while the process runs.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { startSyncedClock, type Clock } from './base/clock.ts';
import { createShutdown, type Shutdown } from './base/process/shutdown.ts';
import { localKeysFile, readLocalKeys } from './base/secrets/local-keys.ts';
import { createLogger, type Logger } from './base/observability/logger.ts';
import { createMetrics, type Metrics } from './base/observability/metrics.ts';
import {
  serveMetricsToSupervisor,
  shutDownOnSignal,
  type StopProcess,
} from './base/process/process.ts';
import { StartupError } from './base/process/startup.ts';
import { createVault, decodeKey, type Vault } from './base/secrets/vault.ts';
import { createEventQueue, type EventQueue } from './queue/process-events.ts';
import { allIndexes, createStores, type Stores } from './store/stores.ts';
import { connectMongo, databaseTime, isWritable, type Connection } from './store/db/connection.ts';
import { missingIndexes } from './store/db/indexes.ts';
import { migrate } from './store/db/migrate.ts';
import { isUnavailable } from './store/db/model.ts';

/** What a process has before it is connected to anything. */
export type Base = {
  readonly role: 'server' | 'worker';
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closing: Shutdown;
  readonly leave: StopProcess;
};

export type Resources = {
  readonly stores: Stores;
  readonly queue: EventQueue;
  /** Shows the database's time. */
  readonly clock: Clock;
  /** What keeps MongoDB from being relied on now; empty when it can be. */
  readonly storeTroubles: () => Promise<string[]>;
  /** The unique indexes that were missing when they were looked for last, a few seconds ago at most. */
  readonly lostIndexes: () => readonly string[];
};

const connectPauseMs = 2_000;

export function openBase(config: Config, role: Base['role']): Base {
  const logger = createLogger({ level: config.logLevel, role, pretty: config.prettyLogs });
  const metrics = createMetrics();
  const closing = createShutdown();
  serveMetricsToSupervisor(metrics.registry);
  return { role, logger, metrics, closing, leave: shutDownOnSignal(closing, logger) };
}

/** The folder with package.json, from which relative folders count: this runs as it is, or built in `dist`. */
const repository =
  ['..', '../..']
    .map((up) => join(import.meta.dirname, up))
    .find((folder) => existsSync(join(folder, 'package.json'))) ?? process.cwd();

/**
 * Where no keys are given, outside production, the one that is kept in the data folder, made if need be. Without any, nothing
 * can be sealed, and everything else works. Throws `StartupError`.
 */
export function openVault({ secretKeys, isProduction, dataFolder }: Config, logger: Logger): Vault {
  if (secretKeys.length > 0 || isProduction) return createVault(secretKeys);
  const folder = resolve(repository, dataFolder);
  const file = localKeysFile(folder);
  const hint = 'set INLET_SECRET_KEYS, alike for all processes, where they run on several machines';
  let kept: string[] = [];
  try {
    kept = readLocalKeys(folder);
    logger.warn({ file, hint }, 'secrets.local_key_used');
  } catch (err) {
    logger.warn({ err, file, hint }, 'secrets.no_key');
  }
  if (kept.every(decodeKey)) return createVault(kept);
  throw new StartupError(`${file} must hold keys of 32 bytes in base64, separated by commas.`);
}

/** Retries until the server answers. Rejects at once if a retry cannot help, such as for a wrong password. */
export async function connect(url: string, logger: Logger): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongo(url);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Without the error itself: it carries the whole topology, every two seconds.
      logger.warn({ reason: (error as Error).message }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

// A plain timer: while there is no connection, nothing else keeps the process alive.
const sleepAwake = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Creates the indexes; retries every two seconds while MongoDB is unavailable. Throws `StartupError` when
 * documents violate a unique index.
 */
export async function migrateIndexes(connection: Connection, logger: Logger): Promise<void> {
  const onWait = () => logger.info('indexes.waiting');
  for (;;) {
    try {
      const migrated = await migrate(connection, allIndexes, onWait);
      const { created, replaced } = migrated;
      if (created.length + replaced.length > 0) {
        logger.info({ created: told(created), replaced: told(replaced) }, 'indexes.changed');
      }
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      logger.warn({ reason: (error as Error).message }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

/** A fresh database gets a hundred indexes, so their names are not logged. */
const told = (names: readonly string[]): readonly string[] | number =>
  names.length > 10 ? names.length : names;

const watchEveryMs = 5_000;

/** A failed check says nothing about the indexes, so the last known state stays. */
function watchIndexes(connection: Connection, logger: Logger) {
  let lost: readonly string[] = [];
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const missing = await missingIndexes(connection, allIndexes);
      if (missing.length > lost.length) logger.error({ missing }, 'indexes.missing');
      else if (missing.length === 0 && lost.length > 0) logger.info('indexes.restored');
      lost = missing;
    } catch (error) {
      logger.debug({ err: error }, 'indexes.check_failed');
    } finally {
      isLooking = false;
    }
  }
  const timer = setInterval(() => void look(), watchEveryMs);
  return { lost: () => lost, close: () => clearInterval(timer) };
}

export async function openResources(config: Config, base: Base): Promise<Resources> {
  const { logger, metrics, closing } = base;
  const connection = await connect(config.mongodbUrl, logger);
  closing.add('mongodb', () => connection.close());
  const clock = await startSyncedClock(() => databaseTime(connection));
  closing.add('clock', () => clock.close());
  await migrateIndexes(connection, logger);
  const indexes = watchIndexes(connection, logger);
  closing.add('index watch', () => indexes.close());
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
    lostIndexes: indexes.lost,
    async storeTroubles() {
      if (!(await isWritable(connection))) return ['MongoDB has no primary that answers'];
      const missing = await missingIndexes(connection, allIndexes);
      return missing.map((name) => `the unique index ${name} is missing or different`);
    },
  };
}
