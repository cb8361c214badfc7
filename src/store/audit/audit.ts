/**
 * The audit log. Collection `audit`.
 *
 * Promises: a row is written in the transaction of the change that it describes. Rows are ordered by time and id, which is stable
 * for rows of one time. Must never: change a row, except by redaction, or delete one, except the oldest.
 */
import type { AuditEntry, AuditRow, AuditTargetType } from '../../domain/audit/audit.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import { indexesOf, type Session, type Db } from '../db/connection.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { anyOf, inDateRange, readList, totalOrder } from '../db/queries.ts';
import { deleteRowsBefore, redactRows, type RowDeletion, type Redaction } from './redaction.ts';
import { auditCollection, auditRows, insertRow } from './rows.ts';

const latest = { at: -1, _id: -1 } as const;

export const auditIndexes = indexesOf(auditCollection, {
  by_time: { key: latest },
  by_target: { key: { 'target.id': 1, ...latest } },
  by_type: { key: { 'target.type': 1, ...latest } },
  by_action: { key: { action: 1, ...latest } },
  by_token: { key: { 'actor.tokenId': 1, ...latest } },
  by_name: { key: { 'actor.name': 1, ...latest } },
  by_address: { key: { address: 1, ...latest } },
});

type AuditFilter = DateRange & {
  /** Token ids or names. */
  readonly actor?: readonly string[];
  readonly action?: readonly string[];
  readonly targetType?: readonly AuditTargetType[];
  readonly targetId?: readonly string[];
  readonly address?: readonly string[];
};

const earliest = new Date(0);

/** Always contains a condition on the time, so that an index also answers a count of all rows. */
function conditionsOf({ actor, action, targetType, targetId, address, ...range }: AuditFilter) {
  const { from = earliest, to } = range;
  return {
    ...anyOf({ action, 'target.type': targetType, 'target.id': targetId, address }),
    ...(actor && {
      $or: [{ 'actor.tokenId': { $in: [...actor] } }, { 'actor.name': { $in: [...actor] } }],
    }),
    ...inDateRange('at', { from, to }),
  };
}

const batchSize = 500;

/** Its errors are MongoDB's own, for their retry labels. */
export const addAuditRow = (db: Db, entry: AuditEntry, session: Session) =>
  insertRow(db, entry, { session });

export const getAuditRow = (db: Db, id: string): Promise<AuditRow | null> =>
  auditRows(db.connection).findOne({ _id: id });

export const listAuditRows = (db: Db, filter: AuditFilter, page: Page): Promise<Paged<AuditRow>> =>
  readList(auditRows(db.connection), { where: conditionsOf(filter), page });

export const streamAuditRows = async (
  db: Db,
  filter: AuditFilter,
  sort: Page['sort'],
): Promise<AsyncIterable<AuditRow>> =>
  auditRows(db.connection).find(conditionsOf(filter), { sort: totalOrder(sort), batchSize });

/** Adds a row about something that changes no document. */
export const recordInAudit = async (db: Db, entry: AuditEntry): Promise<void> =>
  void (await insertRow(db, entry));

/** Adds a row about something that happens once. `id` names it. Does nothing when the row exists. */
export async function recordOnceInAudit(db: Db, id: string, entry: AuditEntry): Promise<void> {
  await insertRow(db, entry, { _id: id }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

/** Erases `before`, `after` and `address` of rows about a person. Returns how many rows this call redacted. */
export const redactAuditRows = (db: Db, redaction: Redaction): Promise<number> =>
  redactRows(db, redaction);

/** Deletes one batch of the oldest rows, only whole days (UTC) before the date. */
export const deleteAuditRowsBefore = (db: Db, date: Date): Promise<RowDeletion> =>
  deleteRowsBefore(db, date);
