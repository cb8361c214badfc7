/**
 * A lock across processes: a lease on a document, renewed every 5 s.
 *
 * Promises: the lock of a crashed process is free after at most 20 s. When a holder stalls longer than its lease, a second
 * process may get the lock, so the work under the lock must be idempotent.
 */
import { newId } from '../../base/ids.ts';
import { collectionOf, concerns, databaseOf, type Connection } from './connection.ts';
import { isDuplicateKey } from './errors.ts';
import { createLease } from './lease.ts';

const collection = 'locks';
const leaseMs = 20_000;
const renewMs = 5_000;
const pauseMs = 250;

type Lock = { _id: string; token: string | null; until: Date };

/** Waits for the lock, runs `work` and returns its result. Calls `onWait` once when another process holds the lock. */
export async function withLock<Result>(
  connection: Connection,
  { name, onWait }: { readonly name: string; readonly onWait: () => void },
  work: () => Promise<Result>,
): Promise<Result> {
  await ensureCollection(connection);
  const locks = collectionOf<Lock>(connection, collection);
  const token = newId();
  const lease = createLease(locks, { until: 'until', token: 'token', leaseMs });
  const claim = () => lease.claim({ _id: name }, { token });

  await locks
    .updateOne(
      { _id: name },
      { $setOnInsert: { token: null, until: new Date(0) } },
      { upsert: true },
    )
    .catch(ignoreDuplicate);
  for (let isReported = false; (await claim()) === null; isReported = true) {
    if (!isReported) onWait();
    // The timer keeps the process alive.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const renewing = setInterval(
    () => void lease.renew({ _id: name, token }).catch(() => undefined),
    renewMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await lease.release({ _id: name, token });
  }
}

/** A duplicate means that another process inserted the document at the same time. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
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
