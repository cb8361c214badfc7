/**
 * The format version of the database: a document in the collection `migrations`, written before any other collection exists.
 * A release that contracts the database raises it.
 *
 * Promises: a release starts only on a database whose format version it reads, or on an empty one. A process that dies after the
 * document leaves a database on which the next one goes on.
 */
import { StartupError } from '../../base/process/startup.ts';
import { earliestFormatVersion, formatVersion } from '../../domain/format-version.ts';
import { collectionOf } from './collection.ts';
import { databaseOf, type Connection } from './connection.ts';
import { withLock } from './lock.ts';

type FormatRecord = {
  readonly _id: 'format';
  readonly formatVersion: number;
  /** That wrote it last. */
  readonly release: string;
};

const _id = 'format';
const recordsOf = (connection: Connection) => collectionOf<FormatRecord>(connection, 'migrations');

/**
 * Throws StartupError when this release does not read the format of the database. `collections` are those that Inlet has; a database
 * with one of them is not empty.
 */
export async function requireReadable(
  connection: Connection,
  collections: readonly string[],
): Promise<void> {
  const where = { name: { $in: [...collections] } };
  // Before the format: a process that prepares the database writes it first.
  const found = await databaseOf(connection)
    .listCollections(where, { nameOnly: true, authorizedCollections: true })
    .next();
  // Right after a fail-over, a read with the concern majority may miss it.
  const format = await recordsOf(connection).findOne({ _id }, { readConcern: 'local' });
  if (format) requireVersion(format);
  else if (found) {
    throw new StartupError(
      `The database has the collection ${found.name} and no format version, so it is of a development version of Inlet or of other software: ` +
        'name an empty database in MONGODB_URL.',
    );
  }
}

function requireVersion({ formatVersion: stored, release }: FormatRecord): void {
  const known = `The database has format version ${stored} since Inlet ${release}, and this release reads none`;
  if (stored < earliestFormatVersion) {
    throw new StartupError(
      `${known} before ${earliestFormatVersion}: start a release that reads it, or name an empty database in MONGODB_URL.`,
    );
  }
  if (stored > formatVersion)
    throw new StartupError(`${known} after ${formatVersion}: start Inlet ${release} or newer.`);
}

type Writing = { readonly release: string; readonly onWait?: () => void };

/** Gives an empty database the format version of this release. Throws StartupError when another release was first. */
export async function recordFormat(
  connection: Connection,
  { release, onWait = () => undefined }: Writing,
): Promise<void> {
  const records = recordsOf(connection);
  if (await records.findOne({ _id })) return;
  // MongoDB under Wine crashes when two connections create the collection at once.
  const format = await withLock(connection, { name: 'migration', onWait }, () =>
    records.findOneAndUpdate(
      { _id },
      { $setOnInsert: { formatVersion, release } },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  if (format) requireVersion(format);
}

/** From here on releases of an earlier format version do not start. */
export async function raiseFormat(connection: Connection, release: string): Promise<void> {
  await recordsOf(connection).updateOne(
    { _id, formatVersion: { $lt: formatVersion } },
    { $set: { formatVersion, release } },
  );
}
