/**
 * Drills: faults that an administrator causes on purpose. Collection `locks` holds the lease that lets one run at a time.
 *
 * Promises: the audit row is stored before the fault. Must never: step down a primary that serves other databases.
 */
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { DrillFault, DrillRefusal } from '../../domain/drill.ts';
import type { StoreContext } from '../audit/store-context.ts';
import { collectionOf, databaseOf, inTransaction } from '../db/connection.ts';
import { isDuplicateKey, mapStoreErrors } from '../db/errors.ts';
import { createLease } from '../db/lease.ts';

type Lock = { _id: string; token: string | null; until: Date };

/** The next fault is caused after this time at the earliest. */
const leaseMs = 60_000;
const stepDownSeconds = 20;
const catchUpSeconds = 10;
const _id = 'drill';

export function createDrillStore({ connection, audit }: StoreContext) {
  const locks = collectionOf<Lock>(connection, 'locks');
  const lease = createLease(locks, { until: 'until', token: 'token', leaseMs });
  const admin = () => databaseOf(connection).admin();

  async function findStepDownRefusal(): Promise<DrillRefusal | null> {
    const { setName, hosts = [] } = await admin().command({ hello: 1 });
    if (setName === undefined || (hosts as string[]).length < 2) return 'one_member';
    const { databases } = await admin().listDatabases({
      nameOnly: true,
      authorizedDatabases: false,
    });
    const own = new Set(['admin', 'config', 'local', connection.name]);
    return databases.every(({ name }) => own.has(name)) ? null : 'other_databases';
  }

  return mapStoreErrors({
    /** Returns the token of the lease, or null while another drill has it. */
    async claim(): Promise<string | null> {
      const first = { $setOnInsert: { token: null, until: new Date(0) } };
      await locks.updateOne({ _id }, first, { upsert: true }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      const token = newId();
      return (await lease.claim({ _id }, { token })) && token;
    },

    release: (token: string): Promise<void> => lease.release({ _id, token }),

    record: (fault: DrillFault, actor: Actor): Promise<void> =>
      inTransaction(connection, async (session) => {
        const target = { type: 'drill', id: fault } as const;
        await audit.add({ actor, action: 'drill.start', target, after: { fault } }, session);
      }),

    /** Returns why the primary must not step down, or null. */
    stepDownRefusal: (): Promise<DrillRefusal | null> =>
      findStepDownRefusal().catch(refusalOfError),

    /** Returns null once another member can be elected. */
    stepDown: (): Promise<DrillRefusal | null> =>
      admin()
        .command({
          replSetStepDown: stepDownSeconds,
          secondaryCatchUpPeriodSecs: catchUpSeconds,
        })
        .then(() => null, refusalOfError),
  });
}

/** Codes of MongoDB: 13 Unauthorized, 8000 the same of Atlas, 262 ExceededTimeLimit. */
function refusalOfError(error: unknown): DrillRefusal {
  const { code } = error as { code?: unknown };
  if (code === 13 || code === 8000) return 'no_privilege';
  if (code === 262) return 'no_secondary';
  throw error;
}
