/**
 * When a backup of this installation was last found whole, on the installation it was restored to. Collection
 * `backup_verifications` has one document. Each report has its audit row.
 */
import type { Actor } from '../../domain/audit/audit.ts';
import { collectionOf } from '../db/collection.ts';
import { inTransaction, type IndexSpec, type Db } from '../db/connection.ts';
import { idIndexOf } from '../db/indexes.ts';
import { addAuditRow } from '../audit/audit.ts';

const collection = 'backup_verifications';
const _id = 'last';
const maxTimeMS = 5_000;

type Verification = { readonly _id: string; readonly verifiedAt: Date };

export const backupVerificationIndexes: readonly IndexSpec[] = [idIndexOf(collection)];

const verificationsOf = (db: Db) => collectionOf<Verification>(db.connection, collection);

/** Null when none was ever reported. */
export async function lastBackupVerificationAt(db: Db): Promise<Date | null> {
  return (await verificationsOf(db).findOne({ _id }, { maxTimeMS }))?.verifiedAt ?? null;
}

/** Records that a backup was found whole now. */
export const recordBackupVerification = (db: Db, actor: Actor): Promise<Date> =>
  inTransaction(db.connection, async (session) => {
    const verifiedAt = db.clock.now();
    const change = { $set: { verifiedAt } };
    await verificationsOf(db).updateOne({ _id }, change, { session, upsert: true });
    const target = { type: 'backup', id: _id } as const;
    await addAuditRow(
      db,
      { actor, action: 'backup.verify', target, after: { verifiedAt } },
      session,
    );
    return verifiedAt;
  });
