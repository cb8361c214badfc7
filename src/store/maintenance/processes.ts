/** The running processes. Each writes a heartbeat with the database's time. Collection `processes`. */
import { formatVersion } from '../../domain/format-version.ts';
import { collectionOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';

const collection = 'processes';

export const processIndexes: readonly IndexSpec[] = [
  // Deletes the records of crashed processes.
  { collection, name: 'expiry', key: { seenAt: 1 }, expireAfterSeconds: 3_600 },
];

export type ProcessRecord = {
  readonly _id: string;
  readonly role: 'server' | 'worker';
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Of the unique indexes that it relies on. */
  readonly indexes?: string;
  /** The version of Inlet. Absent: 0.1.0. */
  readonly release?: string;
  /** Of the documents that it reads and writes. Absent: 0. */
  readonly formatVersion?: number;
  /** How far its clock is ahead of the database's. */
  readonly aheadMs?: number;
  /** Whether it ends when a drill asks for it. */
  readonly allowsDrills?: boolean;
  /** A drill has asked it to end. */
  readonly mustEnd?: true;
};

/** Three heartbeat intervals. */
const aliveMs = 30_000;

export type ProcessStore = ReturnType<typeof createProcessStore>;

const isAlive = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', aliveMs] }] } };

/** Whether a process is alive that relies on other unique indexes. */
export async function isOtherVersionAlive(
  connection: Connection,
  version: string,
): Promise<boolean> {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  return (await processes.findOne({ ...isAlive, indexes: { $ne: version } })) !== null;
}

/** A process that reaches MongoDB and runs has a heartbeat newer than this. */
const recentMs = 60_000;

/** Returns the lowest format version of the processes with a heartbeat in the last minute; null when there is none. */
export async function oldestFormatVersion(connection: Connection): Promise<number | null> {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  const isRecent = { $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', recentMs] }] } };
  const found = await processes.find(isRecent, { projection: { formatVersion: 1 } }).toArray();
  if (found.length === 0) return null;
  return Math.min(...found.map((one) => one.formatVersion ?? 0));
}

/** What a process says of itself. */
type Heartbeat = Pick<ProcessRecord, 'role' | 'release' | 'allowsDrills'> & {
  readonly now: Date;
};

const drillable = {
  ...isAlive,
  role: 'worker',
  allowsDrills: true,
  mustEnd: { $exists: false },
} as const;

/** `indexes`: the version of the unique indexes that this process relies on. */
export function createProcessStore(connection: Connection, indexes: string) {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  return mapStoreErrors({
    /** Returns whether a drill has asked the process to end. */
    async heartbeat(_id: string, { now, ...reported }: Heartbeat): Promise<boolean> {
      const aheadMs = { $subtract: [now, '$$NOW'] };
      const startedAt = { $ifNull: ['$startedAt', '$$NOW'] };
      const seen = [
        { $set: { ...reported, formatVersion, indexes, aheadMs, startedAt, seenAt: '$$NOW' } },
      ];
      const found = await processes.findOneAndUpdate({ _id }, seen, {
        upsert: true,
        returnDocument: 'after',
        projection: { mustEnd: 1 },
      });
      return found?.mustEnd === true;
    },
    hasWorkerForDrill: async (): Promise<boolean> => (await processes.findOne(drillable)) !== null,
    /** Asks a worker to end at its next heartbeat. Returns its id; null without a worker that allows it. */
    async endWorker(): Promise<string | null> {
      const asked = await processes.findOneAndUpdate(drillable, { $set: { mustEnd: true } });
      return asked?._id ?? null;
    },
    async remove(_id: string): Promise<void> {
      await processes.deleteOne({ _id });
    },
    /** Returns the processes with a heartbeat in the last 30 s, the latest heartbeat first, at most 200. */
    listAlive: (): Promise<ProcessRecord[]> =>
      processes.find(isAlive, { sort: { seenAt: -1 }, limit: 200 }).toArray(),
  });
}
