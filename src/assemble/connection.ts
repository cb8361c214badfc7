/** Connects to MongoDB, creates the indexes and checks them. */
import type { Logger } from '../base/observability/logger.ts';
import type { ReadinessFailure } from '../base/process/readiness.ts';
import { StartupError } from '../base/process/startup.ts';
import { type Connection, connectMongo, isWritable } from '../store/db/connection.ts';
import {
  isAuthenticationFailure,
  isUnavailable,
  unauthorizedCommandOf,
  urlProblemOf,
} from '../store/db/errors.ts';
import { collectionNames, missingIndexes } from '../store/db/indexes.ts';
import { migrate } from '../store/db/migrate.ts';
import { recordFormat, requireReadable } from '../store/db/format.ts';
import { contract, expand, requireMigrated } from '../store/db/migrations.ts';
import { explainNoPrimary, NotInitiated, requireReplicaSet } from '../store/db/topology.ts';
import { allIndexes } from '../store/all-indexes.ts';

const connectPauseMs = 2_000;

type Waiting = {
  readonly logger: Logger;
  /** Adds to the reason of the warning. Rejects with `StartupError` when no wait helps. */
  readonly explain?: (error: Error) => Promise<string>;
};

/**
 * Repeats the work every two seconds while MongoDB is unavailable. Throws `StartupError` for a wrong user or password, a missing
 * role and other mistakes that a retry cannot resolve.
 */
async function retryWhileUnavailable<Done>(
  { logger, explain = ({ message }) => Promise.resolve(message) }: Waiting,
  work: () => Promise<Done>,
): Promise<Done> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      throwMistake(error);
      if (!mayRecover(error)) throw error;
      // The error object is not logged: it contains the whole topology, and the message repeats every two seconds.
      logger.warn({ reason: await explain(error as Error) }, 'mongodb.unavailable');
      await sleepAwake(connectPauseMs);
    }
  }
}

const mayRecover = (error: unknown): boolean =>
  isUnavailable(error) || isNameFailure(error) || error instanceof NotInitiated;

/** Of the names of mongodb+srv. */
const isNameFailure = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('query');

function throwMistake(error: unknown): void {
  if (isAuthenticationFailure(error))
    throw new StartupError(
      'MongoDB refused the user or the password of MONGODB_URL; authSource names the database that the user is in.',
    );
  const command = unauthorizedCommandOf(error);
  if (command !== null)
    throw new StartupError(
      `The user of MONGODB_URL is not authorized to run ${command}; docs/databases.md#mongodb has the roles.`,
    );
}

/** Retries until a replica set answers. Throws `StartupError` for a standalone server, and what a retry cannot resolve. */
export const connect = (url: string, logger: Logger): Promise<Connection> =>
  retryWhileUnavailable({ logger, explain: (error) => explainFailure(url, error) }, async () => {
    const connection = await connectMongo(url).catch((error: unknown) => {
      const problem = urlProblemOf(error);
      throw problem === null ? error : new StartupError(`MONGODB_URL is not usable: ${problem}.`);
    });
    try {
      await requireReplicaSet(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  });

async function explainFailure(url: string, { message, name }: Error): Promise<string> {
  if (!name.startsWith('MongooseServerSelection')) return message;
  const servers = await explainNoPrimary(url);
  return servers === '' ? message : servers;
}

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
 * this release does not read the format of the database.
 */
export const prepareDatabase = (connection: Connection, preparation: Preparation): Promise<void> =>
  retryWhileUnavailable(preparation, async () => {
    const collections = collectionNames(allIndexes);
    await requireReadable(connection, collections);
    if (preparation.phase === 'verify') return requireMigrated(connection, allIndexes);
    await changeDatabase(connection, preparation);
    // A newer release may have contracted it while this process waited for its turn.
    return requireReadable(connection, collections);
  });

async function changeDatabase(
  connection: Connection,
  { logger, release, phase }: Preparation,
): Promise<void> {
  const onWait = () => logger.info('indexes.waiting');
  await recordFormat(connection, { release, onWait });
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

const checkEveryMs = 15_000;
const receivingCollection = 'events';
/** The promises rest on these alone. Without another index a query is slow or fails, and a later release may have dropped it. */
const uniqueIndexes = allIndexes.filter(({ unique }) => unique);
const collections = collectionNames(uniqueIndexes);
const others = collections.filter((name) => name !== receivingCollection);

/**
 * Checks unique indexes every 15 seconds: those of the events, on which receiving depends, and those of one other collection in
 * turn; all of them while one is missing. After a failed check, the result of the previous check stays.
 */
export function watchIndexes(connection: Connection, logger: Logger) {
  let lost: readonly string[] = [];
  let isChecking = false;
  let turn = 0;

  async function checkIndexes(): Promise<void> {
    const next = [receivingCollection, others[turn % others.length]];
    const checked = lost.length > 0 ? collections : next;
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
  }

  /** Never rejects. */
  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    await checkIndexes().catch((err: unknown) => logger.debug({ err }, 'indexes.check_failed'));
    isChecking = false;
  }

  const timer = setInterval(() => void check(), checkEveryMs);
  return { lost: () => lost, check, close: () => clearInterval(timer) };
}

/** Returns an unwritable MongoDB, or the unique indexes that `watchIndexes` found missing. Empty when there is no problem. */
export async function storeFailures(
  connection: Connection,
  lost: readonly string[],
): Promise<ReadinessFailure[]> {
  if (!(await isWritable(connection)))
    return [{ check: 'mongodb', reason: 'MongoDB has no primary that answers' }];
  return lost.map((name) => ({
    check: 'indexes',
    reason: `the unique index ${name} is missing or different`,
  }));
}
