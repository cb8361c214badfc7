/** Connects to MongoDB, creates the indexes and checks them. */
import type { Logger } from '../base/observability/logger.ts';
import type { ReadinessFailure } from '../base/process/readiness.ts';
import { StartupError } from '../base/process/startup.ts';
import { type Connection, connectMongo, isWritable } from '../store/db/connection.ts';
import { isAuthenticationFailure, isUnavailable } from '../store/db/errors.ts';
import { collectionNames, missingIndexes } from '../store/db/indexes.ts';
import { migrate } from '../store/db/migrate.ts';
import { contract, expand, requireMigrated, requireReadable } from '../store/db/migrations.ts';
import { allIndexes } from '../store/stores.ts';

const connectPauseMs = 2_000;

/** Repeats the work every two seconds while MongoDB is unavailable. */
async function retryWhileUnavailable<Done>(
  logger: Logger,
  work: () => Promise<Done>,
): Promise<Done> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // The error object is not logged: it contains the whole topology, and the message repeats every two seconds.
      logger.warn({ reason: (error as Error).message }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

/** Retries until the server answers. Throws `StartupError` for a wrong user or password, and other errors that a retry cannot resolve. */
export const connect = (url: string, logger: Logger): Promise<Connection> =>
  retryWhileUnavailable(logger, () =>
    connectMongo(url).catch((error: unknown) => {
      if (!isAuthenticationFailure(error)) throw error;
      throw new StartupError('MongoDB refused the user or the password of MONGODB_URL.');
    }),
  );

// The timer is not unref'ed: without a connection, nothing else keeps the process alive.
const sleepAwake = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Preparation = {
  readonly logger: Logger;
  readonly release: string;
  /** `verify`: changes nothing. `contract`: also removes what only earlier releases need. */
  readonly phase: 'verify' | 'expand' | 'contract';
};

/**
 * Creates the indexes and runs the migrations of a phase, or verifies that they are there; retries every two seconds while
 * MongoDB is unavailable. Throws `StartupError` when documents violate a unique index, when something is missing, or when
 * the database has been contracted by a newer release.
 */
export const prepareDatabase = (connection: Connection, preparation: Preparation): Promise<void> =>
  retryWhileUnavailable(preparation.logger, async () => {
    await requireReadable(connection);
    if (preparation.phase === 'verify') return requireMigrated(connection, allIndexes);
    await changeDatabase(connection, preparation);
    // A newer release may have contracted it while this process waited for its turn.
    return requireReadable(connection);
  });

async function changeDatabase(
  connection: Connection,
  { logger, release, phase }: Preparation,
): Promise<void> {
  const onWait = () => logger.info('indexes.waiting');
  const { created, replaced, dropped } = await migrate(connection, allIndexes, onWait);
  if (created.length + replaced.length + dropped.length > 0)
    logger.info({ created: namesOrCount(created), replaced, dropped }, 'indexes.changed');
  const ran = await expand(connection, { release, onWait });
  if (ran.length > 0) logger.info({ migrations: ran }, 'migrations.expanded');
  if (phase === 'expand') return;
  const contracted = await contract(connection, { release, onWait });
  if (contracted.length > 0) logger.info({ migrations: contracted }, 'migrations.contracted');
}

/** Returns the names, or only their number above ten: a new database gets a hundred indexes. */
const namesOrCount = (names: readonly string[]): readonly string[] | number =>
  names.length > 10 ? names.length : names;

const checkEveryMs = 5_000;
const receivingCollection = 'events';
/** The promises rest on these alone. Without another index a query is slow or fails, and a later release may have dropped it. */
const uniqueIndexes = allIndexes.filter(({ unique }) => unique);

/**
 * Checks unique indexes every five seconds: those of the events, on which receiving depends, and those of one other collection
 * in turn. After a failed check, the result of the previous check stays.
 */
export function watchIndexes(connection: Connection, logger: Logger) {
  const others = collectionNames(uniqueIndexes).filter((name) => name !== receivingCollection);
  let lost: readonly string[] = [];
  let isChecking = false;
  let turn = 0;
  async function checkIndexes(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      const checked = [receivingCollection, others[turn % others.length]];
      turn += 1;
      const isChecked = (name: string) => checked.some((one) => name.startsWith(`${one}.`));
      const missing = await missingIndexes(
        connection,
        uniqueIndexes.filter(({ collection }) => checked.includes(collection)),
      );
      const known = lost.filter(isChecked);
      if (missing.length > known.length) logger.error({ missing }, 'indexes.missing');
      lost = [...lost.filter((name) => !isChecked(name)), ...missing];
      if (lost.length === 0 && known.length > 0) logger.info('indexes.restored');
    } catch (error) {
      logger.debug({ err: error }, 'indexes.check_failed');
    } finally {
      isChecking = false;
    }
  }
  const timer = setInterval(() => void checkIndexes(), checkEveryMs);
  return { lost: () => lost, close: () => clearInterval(timer) };
}

/** Returns an unwritable MongoDB or missing unique indexes. Empty when there is no problem. */
export async function storeFailures(connection: Connection): Promise<ReadinessFailure[]> {
  if (!(await isWritable(connection)))
    return [{ check: 'mongodb', reason: 'MongoDB has no primary that answers' }];
  const missing = await missingIndexes(connection, uniqueIndexes);
  return missing.map((name) => ({
    check: 'indexes',
    reason: `the unique index ${name} is missing or different`,
  }));
}
