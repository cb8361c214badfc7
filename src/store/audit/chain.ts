/**
 * The two ends of the audit log's chain: the anchor, up to which rows were deleted, and the head, the last row.
 *
 * Promises: a row gets its number and its hash in the transaction of the change that it describes. All changes write the
 * head, so `withTransaction` retries one of two concurrent changes.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type {
  Actor,
  AuditEntry,
  AuditFacts,
  AuditRow,
  ChainLink,
} from '../../domain/audit/audit.ts';
import {
  chainStart,
  detailsHashOf,
  normalizeFacts,
  rowHashOf,
  type ChainAnchor,
} from '../../domain/audit/audit-chain.ts';
import { collectionOf, type Connection, type Session } from '../db/connection.ts';

export const chainCollection = 'audit_chain';

type End = ChainLink & { readonly _id: string; readonly by?: number };

export type AuditDatabase = { readonly connection: Connection; readonly clock: Clock };

export const auditRows = (connection: Connection) => collectionOf<AuditRow>(connection, 'audit');
const endsOf = (connection: Connection) => collectionOf<End>(connection, chainCollection);

const newSalt = (): string => randomBytes(16).toString('hex');
const linkOf = ({ seq, hash }: ChainLink): ChainLink => ({ seq, hash });

export async function readHead(connection: Connection): Promise<ChainLink | null> {
  const head = await endsOf(connection).findOne({ _id: 'head' });
  return head && head.seq > 0 ? linkOf(head) : null;
}

export async function readAnchor(connection: Connection, session?: Session) {
  const found = await endsOf(connection).findOne({ _id: 'anchor' }, { session });
  return found && { ...linkOf(found), by: found.by ?? 0 };
}

export async function moveAnchor(connection: Connection, anchor: ChainAnchor, session: Session) {
  await endsOf(connection).updateOne(
    { _id: 'anchor' },
    { $set: anchor },
    { session, upsert: true },
  );
}

/** Runs before any read, so that the second of two concurrent changes fails here. A missing head is derived from the last row. */
async function advanceHead(connection: Connection, session: Session): Promise<ChainLink> {
  const head = await endsOf(connection).findOneAndUpdate(
    { _id: 'head' },
    { $inc: { seq: 1 }, $setOnInsert: { hash: chainStart.hash } },
    { session, upsert: true, returnDocument: 'before' },
  );
  if (head) return linkOf(head);
  const last = await auditRows(connection).findOne(
    { seq: { $gt: 0 } },
    { session, sort: { seq: -1 }, projection: { seq: 1, hash: 1 } },
  );
  return last ? linkOf(last) : chainStart;
}

async function storeHead(connection: Connection, { seq, hash }: ChainLink, session: Session) {
  await endsOf(connection).updateOne({ _id: 'head' }, { $set: { seq, hash } }, { session });
}

type Unchained = Omit<AuditRow, 'seq' | 'hash' | 'salt' | 'detailsHash'>;

function chained(row: Unchained, previous: ChainLink): AuditRow {
  const salt = newSalt();
  const placed = { ...row, seq: previous.seq + 1, salt, detailsHash: detailsHashOf(row, salt) };
  return { ...placed, hash: rowHashOf(placed, previous.hash) };
}

const withExecutor = (after: AuditFacts, { agentId }: Actor): AuditFacts =>
  agentId === undefined ? after : { ...after, executorId: agentId };

const textOf = (value: string): string => value.toWellFormed();

function rowOf({ actor, action, target, before = null, after = null }: AuditEntry, at: Date) {
  return {
    _id: newId(),
    at,
    // An actor may carry scopes. A row does not store them.
    actor: { tokenId: textOf(actor.tokenId), name: textOf(actor.name) },
    action,
    target: { type: target.type, id: textOf(target.id) },
    before: normalizeFacts(before),
    after: normalizeFacts(withExecutor(after, actor)),
    address: actor.address ?? null,
    redactedAt: null,
    redactedBy: null,
  };
}

/** Appends a row and returns it. A certificate of the change can quote its number and hash. */
export async function appendRow(
  { connection, clock }: AuditDatabase,
  entry: AuditEntry,
  session: Session,
): Promise<AuditRow> {
  const row = chained(rowOf(entry, clock.now()), await advanceHead(connection, session));
  await auditRows(connection).insertOne(row, { session });
  await storeHead(connection, row, session);
  return row;
}
