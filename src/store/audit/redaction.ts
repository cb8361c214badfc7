/**
 * Redacts the details of audit rows about a person, and deletes old rows.
 *
 * Promises: both add a row that records them, in the same transaction. After an interruption, the same call completes them.
 */
import {
  systemActor,
  type Actor,
  type AuditAction,
  type AuditRow,
  type AuditTarget,
} from '../../domain/audit/audit.ts';
import { inTransaction, type Connection, type Session, type Db } from '../db/connection.ts';
import { auditRows, insertRow } from './rows.ts';

/** Selects the rows about these targets, and the rows whose details contain one of these texts. */
export type Redaction = {
  readonly targets: readonly AuditTarget[];
  /** Compared without regard to case. Texts of less than four characters match too much and are skipped. */
  readonly mentions?: readonly string[];
  /** Target of the row that records the redaction. */
  readonly about: AuditTarget;
  readonly actor: Actor;
};

const maxRedacted = 200;
const maxIds = 500;
const minMention = 4;

const redactAction = 'audit.redact' satisfies AuditAction;
const forgetAction = 'audit.forget' satisfies AuditAction;
/** The rows that record redactions and deletions have only counts. */
const isOpen = { redactedAt: null, action: { $nin: [redactAction, forgetAction] } } as const;

/** Returns how many rows this call redacted. */
export async function redactRows(database: Db, redaction: Redaction): Promise<number> {
  let count = 0;
  for await (const ids of redactable(database.connection, redaction)) {
    count += await inTransaction(database.connection, (session) =>
      redactSome({ ...database, session }, ids, redaction),
    );
  }
  return count;
}

/** Returns how many rows all calls for this target redacted. */
export async function countRedacted(
  connection: Connection,
  { type, id }: AuditTarget,
  session: Session,
): Promise<number> {
  const redactionRows = await auditRows(connection)
    .find({ 'target.id': id, 'target.type': type, action: redactAction }, { session })
    .toArray();
  return redactionRows.reduce((sum, { after }) => sum + Number(after?.rows ?? 0), 0);
}

async function redactSome(
  { session, ...database }: Db & { readonly session: Session },
  ids: readonly string[],
  { about: target, actor }: Redaction,
): Promise<number> {
  const rows = auditRows(database.connection);
  const where = { _id: { $in: [...ids] }, ...isOpen };
  const found = await rows.find(where, { session, projection: { _id: 1 } }).toArray();
  if (found.length === 0) return 0;
  const entry = { actor, action: redactAction, target, after: { rows: found.length } } as const;
  const { at: redactedAt } = await insertRow(database, entry, { session });
  await rows.updateMany(
    { _id: { $in: found.map(({ _id }) => _id) } },
    { $set: { before: null, after: null, address: null, redactedAt } },
    { session },
  );
  return found.length;
}

/** Yields ids of rows to redact in batches. Targets are found by an index, mentions by reading the details of all rows. */
async function* redactable(
  connection: Connection,
  { targets, mentions = [] }: Redaction,
): AsyncGenerator<string[]> {
  const rows = auditRows(connection);
  for (let start = 0; start < targets.length; start += maxIds) {
    const wanted = targets.slice(start, start + maxIds);
    const where = { 'target.id': { $in: wanted.map(({ id }) => id) }, ...isOpen };
    const isWanted = ({ target }: Pick<AuditRow, 'target'>) =>
      wanted.some(({ type, id }) => type === target.type && id === target.id);
    const found = rows.find(where, { projection: { target: 1 } });
    yield* idsOf(found, isWanted);
  }
  const sought = mentions
    .map((text) => text.toLowerCase())
    .filter((text) => text.length >= minMention);
  if (sought.length === 0) return;
  const projection = { before: 1, after: 1 } as const;
  const isMentioned = (row: Pick<AuditRow, 'before' | 'after'>) => {
    const texts = textsOf([row.before, row.after]);
    return texts.some((text) => sought.some((mention) => text.includes(mention)));
  };
  yield* idsOf(rows.find(isOpen, { projection, hint: { _id: 1 } }), isMentioned);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name.toLowerCase(), ...textsOf(inner)]);
}

async function* idsOf<Row extends { _id: string }>(
  rows: AsyncIterable<Row>,
  isWanted: (row: Row) => boolean,
): AsyncGenerator<string[]> {
  let ids: string[] = [];
  for await (const row of rows) {
    if (isWanted(row)) ids.push(row._id);
    if (ids.length < maxRedacted) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

const maxDeleted = 1_000;
const dayMs = 86_400_000;

/** `isMore`: rows may be left. */
export type RowDeletion = { readonly count: number; readonly isMore: boolean };

/** Deletes at most a thousand of the oldest rows, by whole days (UTC): each deletion adds a row, which would need one later. */
export async function deleteRowsBefore(database: Db, date: Date): Promise<RowDeletion> {
  const { connection } = database;
  const limit = new Date(Math.floor(+date / dayMs) * dayMs);
  const rows = auditRows(connection);
  return inTransaction(connection, async (session) => {
    const options = { session, sort: { at: 1, _id: 1 }, limit: maxDeleted } as const;
    const old = await rows
      .find({ at: { $lt: limit } }, { ...options, projection: { _id: 1 } })
      .toArray();
    if (old.length === 0) return { count: 0, isMore: false };
    await rows.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, { session });
    const entry = {
      actor: systemActor('retention'),
      action: forgetAction,
      target: { type: 'audit', id: 'audit' },
      after: { rows: old.length, before: limit },
    } as const;
    await insertRow(database, entry, { session });
    return { count: old.length, isMore: old.length === maxDeleted };
  });
}
