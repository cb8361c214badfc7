/**
 * A lock across processes, and the election of one process for periodic work: leases on documents of the collection `locks`.
 *
 * Promises: the lock of a crashed process is free after at most 20 s, and another process is elected after the lease. When a holder
 * stalls longer than its lease, a second process may get it, so the work under a lock must be idempotent.
 */
import { newId } from '../../base/ids.ts';
import { concerns, databaseOf, type Connection } from './connection.ts';
import { createLock } from './lease.ts';

const collection = 'locks';
const leaseMs = 20_000;
const renewMs = 5_000;
const pauseMs = 250;

/** Waits for the lock, runs `work` and returns its result. Calls `onWait` once when another process holds the lock. */
export async function withLock<Result>(
  connection: Connection,
  { name, onWait }: { readonly name: string; readonly onWait: () => void },
  work: () => Promise<Result>,
): Promise<Result> {
  await ensureCollection(connection);
  const lock = createLock(connection, name, leaseMs);
  const token = newId();
  await lock.prepare();
  for (let isReported = false; !(await lock.claim(token)); isReported = true) {
    if (!isReported) onWait();
    // The timer keeps the process alive.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const renewing = setInterval(() => void lock.renew(token).catch(() => undefined), renewMs);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lock.release(token);
  }
}

/**
 * Creates the first collection of a new database by a rename, which succeeds in one process only. MongoDB under Wine crashes
 * when two connections create the same collection at once.
 */
async function ensureCollection(connection: Connection): Promise<void> {
  const db = databaseOf(connection);
  if (await db.listCollections({ name: collection }).hasNext()) return;
  const own = `${collection}_${newId()}`;
  await db.createCollection(own);
  try {
    await db.renameCollection(own, collection, concerns);
  } catch (error) {
    const namespaceExists = 48;
    if ((error as { code?: number }).code !== namespaceExists) throw error;
    await db.dropCollection(own);
  }
}

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
