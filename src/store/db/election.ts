/**
 * Elects one process for periodic work: a lease on a document of the collection `locks`.
 *
 * Promises: at most one process is elected at a time, give or take one that stalls for longer than its lease. When the elected
 * process ends, another one is elected at its next turn, and when it crashes, after the lease.
 */
import { newId } from '../../base/ids.ts';
import { collectionOf, type Connection } from './connection.ts';
import { isDuplicateKey } from './errors.ts';
import { createLease } from './lease.ts';

type ElectionRecord = { _id: string; token: string | null; until: Date };

type ElectionOptions = {
  /** What the process is elected for. */
  readonly name: string;
  readonly leaseMs: number;
};

export type Election = ReturnType<typeof createElection>;

export function createElection(connection: Connection, { name: _id, leaseMs }: ElectionOptions) {
  const locks = collectionOf<ElectionRecord>(connection, 'locks');
  const lease = createLease(locks, { until: 'until', token: 'token', leaseMs });
  const token = newId();
  let isPrepared = false;

  async function prepare(): Promise<void> {
    const first = { $setOnInsert: { token: null, until: new Date(0) } };
    await locks.updateOne({ _id }, first, { upsert: true }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    isPrepared = true;
  }

  return {
    /** Resolves to whether this process is elected from now on for the length of the lease. */
    async isElected(): Promise<boolean> {
      if (!isPrepared) await prepare();
      if (await lease.renew({ _id, token })) return true;
      return (await lease.claim({ _id }, { token })) !== null;
    },
    /** Ends the election, so that another process is elected at its next turn. */
    resign: (): Promise<void> => lease.release({ _id, token }),
  };
}
