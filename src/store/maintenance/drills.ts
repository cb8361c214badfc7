/**
 * Drills: faults that an administrator causes on purpose. Collection `locks` holds the lease that lets one run at a time.
 *
 * Promises: the audit row is stored before the fault. Must never: step down a primary that serves other databases.
 */
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DrillFault, DrillRefusal } from '../../domain/drill.ts';
import { databaseOf, type Db } from '../db/connection.ts';
import { mapUnavailable } from '../db/errors.ts';
import { createLock } from '../db/lease.ts';
import { recordInAudit } from '../audit/audit.ts';

/** The next fault is caused after this time at the earliest. */
const leaseMs = 60_000;
const stepDownSeconds = 20;
const catchUpSeconds = 10;

const lockOf = (db: Db) => createLock(db.connection, 'drill', leaseMs);

/** Returns the token of the lease, or null while another drill has it. */
export async function claimDrill(db: Db): Promise<string | null> {
  const lock = lockOf(db);
  await lock.prepare();
  const token = newId();
  return (await lock.claim(token)) ? token : null;
}

export const releaseDrill = (db: Db, token: string): Promise<void> => lockOf(db).release(token);

export const recordDrill = (db: Db, fault: DrillFault, actor: Actor): Promise<void> =>
  recordInAudit(db, {
    actor,
    action: 'drill.start',
    target: { type: 'drill', id: fault },
    after: { fault },
  });

/** Returns why the primary may not step down; null when it may. */
export const findStepDownRefusal = (db: Db): Promise<DrillRefusal | null> =>
  mapUnavailable(() => readStepDownRefusal(db).catch(refusalOfError));

/** Returns null once another member can be elected. */
export const stepDownPrimary = (db: Db): Promise<DrillRefusal | null> =>
  mapUnavailable(() =>
    admin(db)
      .command({
        replSetStepDown: stepDownSeconds,
        secondaryCatchUpPeriodSecs: catchUpSeconds,
      })
      .then(() => null, refusalOfError),
  );

const admin = (db: Db) => databaseOf(db.connection).admin();

async function readStepDownRefusal(db: Db): Promise<DrillRefusal | null> {
  const { setName, hosts = [] } = await admin(db).command({ hello: 1 });
  if (setName === undefined || (hosts as string[]).length < 2) return 'one_member';
  const { databases } = await admin(db).listDatabases({
    nameOnly: true,
    authorizedDatabases: false,
  });
  const own = new Set(['admin', 'config', 'local', db.connection.name]);
  return databases.every(({ name }) => own.has(name)) ? null : 'other_databases';
}

/** Codes of MongoDB: 13 Unauthorized, 8000 the same of Atlas, 262 ExceededTimeLimit. */
function refusalOfError(error: unknown): DrillRefusal {
  const { code } = error as { code?: unknown };
  if (code === 13 || code === 8000) return 'no_privilege';
  if (code === 262) return 'no_secondary';
  throw error;
}
