/** The running processes. Each writes a heartbeat with the database's time. Collection `processes`. */
import { formatVersion } from '../../domain/format-version.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Db } from '../db/connection.ts';

const collection = 'processes';

export const processIndexes = indexesOf(collection, {
  // Deletes the records of crashed processes.
  expiry: { key: { seenAt: 1 }, expireAfterSeconds: 3_600 },
});

export type ProcessRecord = {
  readonly _id: string;
  readonly role: 'server' | 'worker';
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Of the unique indexes that it relies on. */
  readonly indexes: string;
  /** The version of Inlet. */
  readonly release: string;
  /** Of the documents that it reads and writes. */
  readonly formatVersion: number;
  /** How far the clock of its machine is ahead of the database's. */
  readonly aheadMs: number;
  /** Whether it ends when a drill asks for it. */
  readonly allowsDrills?: boolean;
  /** A drill has asked it to end. */
  readonly mustEnd?: true;
};

/** Three heartbeat intervals. */
const aliveMs = 30_000;

const isAlive = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', aliveMs] }] } };

/**
 * Whether a process may run that relies on other unique indexes. After an outage of MongoDB a running process has an old
 * heartbeat, so any counts: one that ended removed it, and one that crashed has it for an hour.
 */
export async function mayOtherVersionRun(connection: Connection, version: string) {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  return (await processes.findOne({ indexes: { $ne: version } })) !== null;
}

/** Of two processes that run and reach MongoDB, the heartbeats are not further apart than this. */
const recentMs = 60_000;

/**
 * Returns the lowest format version of the processes with a heartbeat in the minute before the newest one; null when there is
 * none. After an outage of MongoDB the newest one is old, too.
 */
export async function oldestFormatVersion(connection: Connection): Promise<number | null> {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  const projection = { formatVersion: 1, seenAt: 1 } as const;
  const found = await processes.find({}, { projection, sort: { seenAt: -1 } }).toArray();
  const [newest] = found;
  if (!newest) return null;
  const recent = found.filter(({ seenAt }) => +newest.seenAt - +seenAt <= recentMs);
  return Math.min(...recent.map((one) => one.formatVersion));
}

type Heartbeat = Pick<ProcessRecord, 'role' | 'release' | 'allowsDrills' | 'aheadMs' | 'indexes'>;

const drillable = {
  ...isAlive,
  role: 'worker',
  allowsDrills: true,
  mustEnd: { $exists: false },
} as const;

const processesOf = (db: Db) => collectionOf<ProcessRecord>(db.connection, collection);

/** Returns whether a drill has asked the process to end. */
export async function recordHeartbeat(db: Db, _id: string, reported: Heartbeat): Promise<boolean> {
  const startedAt = { $ifNull: ['$startedAt', '$$NOW'] };
  const seen = [{ $set: { ...reported, formatVersion, startedAt, seenAt: '$$NOW' } }];
  const found = await processesOf(db).findOneAndUpdate({ _id }, seen, {
    upsert: true,
    returnDocument: 'after',
    projection: { mustEnd: 1 },
  });
  return found?.mustEnd === true;
}

export const hasWorkerForDrill = async (db: Db): Promise<boolean> =>
  (await processesOf(db).findOne(drillable)) !== null;

/** Asks a worker to end at its next heartbeat. Returns its id; null without a worker that allows it. */
export async function endWorkerForDrill(db: Db): Promise<string | null> {
  const asked = await processesOf(db).findOneAndUpdate(drillable, { $set: { mustEnd: true } });
  return asked?._id ?? null;
}

export async function removeProcess(db: Db, _id: string): Promise<void> {
  await processesOf(db).deleteOne({ _id });
}

export const listAliveProcesses = (db: Db) =>
  processesOf(db)
    .find(isAlive, { sort: { seenAt: -1 }, limit: 200 })
    .toArray();
