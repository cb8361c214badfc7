/** The running processes. Each writes a heartbeat with the database's time. Collection `processes`. */
import type { Connection, IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityWrite } from '../db/connection.ts';
import { mapStoreErrors } from '../db/model.ts';

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
};

/** Three heartbeat intervals. */
const aliveMs = 30_000;

export type ProcessStore = ReturnType<typeof createProcessStore>;

export function createProcessStore(connection: Connection) {
  const processes = collectionOf<ProcessRecord>(connection, collection);
  return mapStoreErrors({
    async heartbeat(_id: string, role: ProcessRecord['role']): Promise<void> {
      const startedAt = { $ifNull: ['$startedAt', '$$NOW'] };
      const seen = [{ $set: { role, startedAt, seenAt: '$$NOW' } }];
      await processes.updateOne({ _id }, seen, { upsert: true, ...majorityWrite });
    },
    async remove(_id: string): Promise<void> {
      await processes.deleteOne({ _id }, majorityWrite);
    },
    /** Returns the processes with a heartbeat in the last 30 s, the latest heartbeat first, at most 200. */
    listAlive: (): Promise<ProcessRecord[]> =>
      processes
        .find(
          {
            $expr: { $gte: ['$seenAt', { $subtract: ['$$NOW', aliveMs] }] },
          },
          { sort: { seenAt: -1 }, limit: 200 },
        )
        .toArray(),
  });
}
