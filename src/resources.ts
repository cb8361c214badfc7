/**
 * The connections of a process, opened in order and closed in reverse.
 *
 * Promises: it waits for an unavailable MongoDB and logs a warning for each attempt. The unique indexes exist before the process
 * accepts or processes anything, and are checked every five seconds while it runs.
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

/** Parts of a process that need no connection. */
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
  /** Follows the database's time. */
  readonly clock: Clock;
  /** Returns messages about an unwritable MongoDB or missing unique indexes. Empty when there is no problem. */
  readonly storeTroubles: () => Promise<string[]>;
  /** Returns the names of the unique indexes that were missing at the last successful check. */
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

/** The folder with package.json, the base of relative paths. This file runs from `src` or, built, from `dist`. */
const repository =
  ['..', '../..']
    .map((up) => join(import.meta.dirname, up))
    .find((folder) => existsSync(join(folder, 'package.json'))) ?? process.cwd();

/**
 * Opens the vault with the configured keys. Without keys, outside production, it uses the key in the data folder and creates it
 * when it is missing. A vault without keys cannot seal secrets; everything else works. Throws `StartupError` for an invalid key.
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

/** Retries until the server answers. Rejects at once for errors that a retry cannot fix, such as a wrong password. */
export async function connect(url: string, logger: Logger): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongo(url);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The error object is not logged: it contains the whole topology, and the message repeats every two seconds.
      logger.warn({ reason: (error as Error).message }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

// The timer is not unref'ed: without a connection, nothing else keeps the process alive.
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
        logger.info(
          { created: namesOrCount(created), replaced: namesOrCount(replaced) },
          'indexes.changed',
        );
      }
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      logger.warn({ reason: (error as Error).message }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

/** Returns the names, or only their number above ten: a new database gets a hundred indexes. */
const namesOrCount = (names: readonly string[]): readonly string[] | number =>
  names.length > 10 ? names.length : names;

const checkEveryMs = 5_000;

/** Checks the indexes every five seconds. After a failed check, the result of the previous check stays. */
function watchIndexes(connection: Connection, logger: Logger) {
  let lost: readonly string[] = [];
  let isChecking = false;
  async function checkIndexes(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      const missing = await missingIndexes(connection, allIndexes);
      if (missing.length > lost.length) logger.error({ missing }, 'indexes.missing');
      else if (missing.length === 0 && lost.length > 0) logger.info('indexes.restored');
      lost = missing;
    } catch (error) {
      logger.debug({ err: error }, 'indexes.check_failed');
    } finally {
      isChecking = false;
    }
  }
  const timer = setInterval(() => void checkIndexes(), checkEveryMs);
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
