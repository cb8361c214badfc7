/**
 * Numbered changes of stored documents, each in two phases. `expand` runs before processes of the release start, while those of
 * the release before go on: it only adds. `contract` runs once no process of an earlier format version is left: it removes
 * what only they needed. What has run is in the collection `migrations`.
 *
 * Promises: one process migrates at a time; a phase runs in the order of numbers, and again when the process died before its end
 * was recorded, so each must be repeatable. Before `contract` the format version of the database grows, so that releases of an
 * earlier one do not start.
 */
import { exitCodes } from '../../base/process/process.ts';
import { StartupError } from '../../base/process/startup.ts';
import { formatVersion } from '../../domain/format-version.ts';
import { oldestFormatVersion } from '../maintenance/processes.ts';
import { collectionOf } from './collection.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { raiseFormat } from './format.ts';
import { missingIndexes } from './indexes.ts';
import { withLock } from './lock.ts';

export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly expand: (connection: Connection) => Promise<void>;
  readonly contract?: (connection: Connection) => Promise<void>;
};

type Phase = 'expand' | 'contract';
type MigrationRecord = Pick<Migration, 'number' | 'name'> & {
  readonly _id: string;
  readonly phase: Phase;
  readonly release: string;
  readonly at: Date;
};

const migrations: readonly Migration[] = [];

const recordsOf = (connection: Connection) =>
  collectionOf<MigrationRecord>(connection, 'migrations');

const idOf = (number: number, phase: Phase): string => `${number}:${phase}`;
const labelOf = ({ number, name }: Migration): string => `${number} (${name})`;

type MigrateOptions = {
  readonly release: string;
  /** Default: all. */
  readonly all?: readonly Migration[];
  readonly onWait?: () => void;
};

async function findPending(connection: Connection, phase: Phase, all: readonly Migration[]) {
  const found = await recordsOf(connection).find({ phase }).toArray();
  const done = new Set(found.map(({ _id }) => _id));
  return all.filter((one) => one[phase] && !done.has(idOf(one.number, phase)));
}

async function runPending(
  connection: Connection,
  phase: Phase,
  { all = migrations, release, onWait = () => undefined }: MigrateOptions,
): Promise<string[]> {
  if ((await findPending(connection, phase, all)).length === 0) return [];
  return withLock(connection, { name: 'migration', onWait }, async () => {
    const pending = await findPending(connection, phase, all);
    for (const one of pending) {
      await one[phase]?.(connection);
      await recordsOf(connection).updateOne(
        { _id: idOf(one.number, phase) },
        {
          $set: { number: one.number, name: one.name, phase, release },
          $currentDate: { at: true },
        },
        { upsert: true },
      );
    }
    return pending.map(labelOf);
  });
}

export const expand = (connection: Connection, options: MigrateOptions): Promise<string[]> =>
  runPending(connection, 'expand', options);

/**
 * Raises the format version of the database, runs the pending `contract` phases, and returns their names. Throws StartupError while a
 * process of an earlier format version is alive. One that has checked the format and has no heartbeat yet is not seen, so the
 * first release with such a phase must wait for it.
 */
export async function contract(connection: Connection, options: MigrateOptions): Promise<string[]> {
  await requireNoEarlier(connection);
  await raiseFormat(connection, options.release);
  return runPending(connection, 'contract', options);
}

async function requireNoEarlier(connection: Connection): Promise<void> {
  const oldest = await oldestFormatVersion(connection);
  if (oldest === null || oldest >= formatVersion) return;
  throw new StartupError(
    `A process with format version ${oldest} may run, and this release has ${formatVersion}. Replace it, and run npm run migrate -- --contract again ` +
      'when processes of this release have run for a minute. Without them, the record of a killed process counts for an hour.',
    { exitCode: exitCodes.blocked },
  );
}

/** Throws StartupError that names the indexes and migrations which are missing. An index with another shape counts only if it is unique. */
export async function requireMigrated(
  connection: Connection,
  specs: readonly IndexSpec[],
  all: readonly Migration[] = migrations,
): Promise<void> {
  const [indexes, pending] = await Promise.all([
    missingIndexes(connection, specs),
    findPending(connection, 'expand', all),
  ]);
  const missing = [
    ...indexes.map((name) => `index ${name}`),
    ...pending.map((one) => `migration ${labelOf(one)}`),
  ];
  if (missing.length === 0) return;
  throw new StartupError(
    `The database lacks ${missing.length} change(s) of this release, and INLET_MIGRATE is never:\n` +
      `${listed(missing)}\n` +
      'Run npm run migrate of this release first.',
  );
}

const maxListed = 10;

const listed = (lines: readonly string[]): string =>
  [
    ...lines.slice(0, maxListed).map((one) => `  ${one}`),
    ...(lines.length > maxListed ? [`  and ${lines.length - maxListed} more`] : []),
  ].join('\n');
