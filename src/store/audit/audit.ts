/**
 * The audit log: a hash chain to which every change adds a row. Collections `audit` and `audit_chain`.
 *
 * Promises: a row is written in the transaction of the change that it describes. `chain.ts` describes how rows are linked.
 * Must never: change a row, except by redaction, or delete one, except the oldest.
 */
import type { Clock } from '../../base/clock.ts';
import type { AuditEntry, AuditRow, AuditTargetType, ChainLink } from '../../domain/audit/audit.ts';
import type { ChainAnchor } from '../../domain/audit/audit-chain.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import {
  appendRow,
  type AuditDatabase,
  chainCollection,
  readAnchor,
  readHead,
  auditRows,
} from './chain.ts';
import { deleteRowsBefore, redactRows, type RowDeletion, type Redaction } from './redaction.ts';
import { indexesOf, inTransaction, type Connection, type Session } from '../db/connection.ts';
import { idIndexOf } from '../db/indexes.ts';
import { mapStoreErrors } from '../db/errors.ts';
import { anyOf, exists, inDateRange, readList, totalOrder } from '../db/queries.ts';

const collection = 'audit';
const latest = { at: -1, _id: -1 } as const;

export const auditIndexes = [
  ...indexesOf(collection, {
    // A row without a number is outside the chain; the verification reports it.
    by_seq: { key: { seq: 1 }, unique: true, where: { seq: { $gt: 0 } } },
    by_time: { key: latest },
    by_target: { key: { 'target.id': 1, ...latest } },
    by_type: { key: { 'target.type': 1, ...latest } },
    by_action: { key: { action: 1, ...latest } },
    by_token: { key: { 'actor.tokenId': 1, ...latest } },
    by_name: { key: { 'actor.name': 1, ...latest } },
    by_address: { key: { address: 1, ...latest } },
  }),
  idIndexOf(chainCollection),
];

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

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(connection: Connection, clock: Clock) {
  return {
    /** Call it last: every later change conflicts until the transaction ends. Its errors are MongoDB's own, for their retry labels. */
    add: (entry: AuditEntry, session: Session) => appendRow({ connection, clock }, entry, session),
    ...mapStoreErrors({ ...createReading(connection), ...createKeeping({ connection, clock }) }),
  };
}

function createReading(connection: Connection) {
  const rows = auditRows(connection);
  return {
    get: (id: string): Promise<AuditRow | null> => rows.findOne({ _id: id }),
    getBySeq: (seqs: readonly number[]) => rows.find({ seq: { $in: [...seqs] } }).toArray(),

    list: (filter: AuditFilter, page: Page): Promise<Paged<AuditRow>> =>
      readList(rows, { where: conditionsOf(filter), page }),

    stream: async (filter: AuditFilter, sort: Page['sort']): Promise<AsyncIterable<AuditRow>> =>
      rows.find(conditionsOf(filter), { sort: totalOrder(sort), batchSize }),

    rowsAfter: (seq: number): Promise<AuditRow[]> =>
      rows.find({ seq: { $gt: seq } }, { sort: { seq: 1 }, limit: batchSize }).toArray(),

    /** Returns whether a row is outside the chain that begins after `seq`. Reads all rows: no index has rows without a number. */
    hasUnchainedRow: (seq: number) => exists(rows, { seq: { $not: { $gt: seq } } }),

    head: (): Promise<ChainLink | null> => readHead(connection),
    anchor: (): Promise<ChainAnchor | null> => readAnchor(connection),
  };
}

const createKeeping = (database: AuditDatabase) => ({
  /** Adds a row in a transaction of its own. */
  note: async (entry: AuditEntry): Promise<void> =>
    void (await inTransaction(database.connection, (session) =>
      appendRow(database, entry, session),
    )),
  /** Erases `before`, `after` and `address` of rows about a person. Returns how many rows this call redacted. */
  redact: (redaction: Redaction): Promise<number> => redactRows(database, redaction),
  /** Deletes one batch of the oldest rows, only whole days (UTC) before the date. */
  deleteBefore: (date: Date): Promise<RowDeletion> => deleteRowsBefore(database, date),
});
