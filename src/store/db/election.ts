/**
 * Elects one process for periodic work: a lease on a document of the collection `locks`.
 *
 * Promises: at most one process is elected at a time, give or take one that stalls for longer than its lease. When the elected
 * process ends, another one is elected at its next turn, and when it crashes, after the lease.
 */
import { newId } from '../../base/ids.ts';
import type { Connection } from './connection.ts';
import { createLock } from './lease.ts';

/** `name`: what the process is elected for. */
type ElectionOptions = { readonly name: string; readonly leaseMs: number };

export type Election = ReturnType<typeof createElection>;

export function createElection(connection: Connection, { name, leaseMs }: ElectionOptions) {
  const lock = createLock(connection, name, leaseMs);
  const token = newId();
  let isPrepared = false;

  return {
    /** Resolves to whether this process is elected from now on for the length of the lease. */
    async isElected(): Promise<boolean> {
      if (!isPrepared) await lock.prepare();
      isPrepared = true;
      return (await lock.renew(token)) || lock.claim(token);
    },
    resign: (): Promise<void> => lock.release(token),
  };
}
