/**
 * Numbered changes of stored documents, each in two phases. `expand` runs before processes of the release start, while those of
 * the release before go on: it only adds. `contract` runs once no process of an earlier format version is left: it removes
 * what only they needed. What has run is in the collection `migrations`.
 *
 * Promises: one process migrates at a time; a phase runs in the order of numbers, and again when the process died before its end
 * was recorded, so each must be repeatable. From the beginning of `contract` on, releases of an earlier format version do not
 * start. When it ends before its first phase, they start again: at once, or within minutes when the process was killed.
 */
import { exitCodes } from '../../base/process/process.ts';
import { StartupError } from '../../base/process/startup.ts';
import { formatVersion } from '../../domain/format-version.ts';
import { oldestFormatVersion } from '../maintenance/processes.ts';
import { collectionOf, indexesOf, type Connection, type IndexSpec } from './connection.ts';
import { missingIndexes } from './indexes.ts';
import { withLock } from './lock.ts';
import { literal, msFromNow } from './queries.ts';

export type Migration = {
  readonly number: number;
  readonly name: string;
  /** The format version of the first release that has it. */
  readonly formatVersion: number;
  readonly expand: (connection: Connection) => Promise<void>;
  readonly contract?: (connection: Connection) => Promise<void>;
};

type Phase = 'expand' | 'contract';
type MigrationRecord = Pick<Migration, 'number' | 'name' | 'formatVersion'> & {
  readonly _id: string;
  readonly phase: Phase;
  readonly release: string;
  readonly at: Date;
  /** Of an announcement, until the phase may begin. */
  readonly expiresAt?: Date;
};

export const migrationIndexes = indexesOf('migrations', {
  // Deletes the announcements of killed processes, for which earlier releases would not start.
  expiry: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
});

const migrations: readonly Migration[] = [
  // Only its record: that the database has been prepared by a release with numbered migrations.
  { number: 1, name: 'numbered migrations', formatVersion: 1, expand: () => Promise.resolve() },
];

const recordsOf = (connection: Connection) =>
  collectionOf<MigrationRecord>(connection, 'migrations');

const idOf = (number: number, phase: Phase): string => `${number}:${phase}`;
const recordOf = (
  { number, name, formatVersion: since }: Migration,
  phase: Phase,
  release: string,
) => ({ number, name, formatVersion: since, phase, release });
const labelOf = ({ number, name }: Migration): string => `${number} (${name})`;

type MigrateOptions = {
  readonly release: string;
  /** Default: all. */
  readonly all?: readonly Migration[];
  readonly onWait?: () => void;
  /** Of `contract`: resolves once processes that have checked their format version before have a heartbeat. Default: in 20 s. */
  readonly settle?: () => Promise<void>;
};

/** Longer than a process takes from that check to its first heartbeat. */
const startMs = 20_000;
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, startMs));

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
        { $set: recordOf(one, phase, release), $currentDate: { at: true } },
        { upsert: true },
      );
    }
    return pending.map(labelOf);
  });
}

export const expand = (connection: Connection, options: MigrateOptions): Promise<string[]> =>
  runPending(connection, 'expand', options);

/**
 * Runs the pending `contract` phases, and returns their names. Throws StartupError while a process of an earlier format version is
 * alive. A process that starts at the same time finds an announcement and ends, or has a heartbeat before the first phase.
 */
export async function contract(connection: Connection, options: MigrateOptions): Promise<string[]> {
  await requireNoEarlier(connection);
  const { all = migrations, settle = settled } = options;
  const pending = await findPending(connection, 'contract', all);
  if (pending.length === 0) return [];
  const announced = await announce(connection, pending, options.release);
  try {
    await settle();
    await requireNoEarlier(connection);
    await begin(connection, pending);
  } catch (error) {
    await recordsOf(connection).deleteMany({
      _id: { $in: announced },
      expiresAt: { $exists: true },
    });
    throw error;
  }
  return runPending(connection, 'contract', options);
}

/** How long an announcement stays when this process is killed. */
const announcedMs = 300_000;
const announcedId = ({ number }: Migration): string => `${number}:announced`;

/**
 * Records that the phases will begin, for `requireReadable` of processes that start from now on. Returns the ids of the records
 * that are new. A record of phases that have begun stays as it is.
 */
async function announce(connection: Connection, pending: readonly Migration[], release: string) {
  const records = recordsOf(connection);
  const announced: string[] = [];
  for (const one of pending) {
    const _id = announcedId(one);
    const record = recordOf(one, 'contract', release);
    const literals = Object.fromEntries(
      Object.entries(record).map(([field, value]) => [field, literal(value)]),
    );
    const hasBegun = {
      $and: [{ $ne: [{ $type: '$at' }, 'missing'] }, { $eq: [{ $type: '$expiresAt' }, 'missing'] }],
    };
    const expiresAt = { $cond: [hasBegun, '$$REMOVE', msFromNow(announcedMs)] };
    const { upsertedCount } = await records.updateOne(
      { _id },
      [{ $set: { ...literals, at: '$$NOW', expiresAt } }],
      { upsert: true },
    );
    if (upsertedCount > 0) announced.push(_id);
  }
  return announced;
}

/** Makes the announcements last: from here on a phase may have changed something. Throws StartupError when one is gone. */
async function begin(connection: Connection, pending: readonly Migration[]): Promise<void> {
  const isValid = {
    $or: [{ expiresAt: { $exists: false } }, { $expr: { $gt: ['$expiresAt', '$$NOW'] } }],
  };
  const { matchedCount } = await recordsOf(connection).updateMany(
    { _id: { $in: pending.map(announcedId) }, ...isValid },
    { $unset: { expiresAt: '' } },
  );
  if (matchedCount === pending.length) return;
  throw new StartupError(
    'The migration took too long, so that processes of an earlier release may have started. Run npm run migrate -- --contract again.',
    { exitCode: exitCodes.blocked },
  );
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

/** Throws StartupError when the database has been contracted by a release whose documents this one cannot read. */
export async function requireReadable(connection: Connection): Promise<void> {
  const [newest] = await recordsOf(connection)
    .find({ phase: 'contract' }, { sort: { formatVersion: -1 }, limit: 1 })
    .toArray();
  if (!newest || newest.formatVersion <= formatVersion) return;
  throw new StartupError(
    `The database needs format version ${newest.formatVersion} since Inlet ${newest.release} contracted it, and this release has ${formatVersion}. ` +
      `Start Inlet ${newest.release} or newer.`,
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
