/** The running processes. Each writes a heartbeat with the database's time. Collection `processes`. */
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

/** `indexes`: the version of the unique indexes that this process relies on. */
export function createProcessStore(connection: Connection, indexes: string) {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  return mapStoreErrors({
    async heartbeat(_id: string, role: ProcessRecord['role']): Promise<void> {
      const startedAt = { $ifNull: ['$startedAt', '$$NOW'] };
      const seen = [{ $set: { role, indexes, startedAt, seenAt: '$$NOW' } }];
      await processes.updateOne({ _id }, seen, { upsert: true });
    },
    async remove(_id: string): Promise<void> {
      await processes.deleteOne({ _id });
    },
    /** Returns the processes with a heartbeat in the last 30 s, the latest heartbeat first, at most 200. */
    listAlive: (): Promise<ProcessRecord[]> =>
      processes.find(isAlive, { sort: { seenAt: -1 }, limit: 200 }).toArray(),
  });
}
