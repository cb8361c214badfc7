/**
 * Redacts the details of audit rows about a person, and deletes old rows.
 *
 * Promises: both keep the chain valid and add a row that records them, in the same transaction. After an interruption, the
 * same call completes them.
 * Must never: delete a row other than from the beginning of the chain.
 */
import {
  systemActor,
  type Actor,
  type AuditRow,
  type AuditTarget,
} from '../../domain/audit/audit.ts';
import { chainStart, forgetAction, redactAction } from '../../domain/audit/audit-chain.ts';
import { inTransaction, type Connection, type Session } from '../db/connection.ts';
import { appendRow, type AuditDatabase, moveAnchor, readAnchor, auditRows } from './chain.ts';

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
const isOpen = { redactedAt: null, action: { $nin: [redactAction, forgetAction] } } as const;

/** Returns how many rows this call redacted. */
export async function redactRows(database: AuditDatabase, redaction: Redaction): Promise<number> {
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
  return redactionRows.reduce(
    (sum, { after }) => sum + ((after?.seqs as unknown[]) ?? []).length,
    0,
  );
}

async function redactSome(
  { session, ...database }: AuditDatabase & { readonly session: Session },
  ids: readonly string[],
  { about: target, actor }: Redaction,
): Promise<number> {
  const rows = auditRows(database.connection);
  const where = { _id: { $in: [...ids] }, ...isOpen };
  const found = await rows
    .find(where, { session, sort: { seq: 1 }, projection: { seq: 1 } })
    .toArray();
  if (found.length === 0) return 0;
  const after = { seqs: found.map(({ seq }) => seq) };
  const entry = { actor, action: redactAction, target, after } as const;
  const { at: redactedAt, seq: redactedBy } = await appendRow(database, entry, session);
  const nothing = { before: null, after: null, address: null, salt: null };
  await rows.updateMany(
    { _id: { $in: found.map(({ _id }) => _id) } },
    { $set: { ...nothing, redactedAt, redactedBy } },
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
  yield* idsOf(
    rows.find({ seq: { $gt: 0 }, ...isOpen }, { projection, sort: { seq: 1 } }),
    isMentioned,
  );
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

export type RowDeletion = { readonly deleted: number; readonly hasMore: boolean };

/** Deletes at most a thousand of the oldest rows, by whole days (UTC): each deletion adds a row, which would need one later. */
export async function deleteRowsBefore(database: AuditDatabase, date: Date): Promise<RowDeletion> {
  const { connection } = database;
  const limit = new Date(Math.floor(+date / dayMs) * dayMs);
  const rows = auditRows(connection);
  return inTransaction(connection, async (session) => {
    const anchor = (await readAnchor(connection, session)) ?? chainStart;
    const oldest = await rows
      .find({ seq: { $gt: anchor.seq } }, { session, sort: { seq: 1 }, limit: maxDeleted })
      .project<Pick<AuditRow, 'seq' | 'hash' | 'at'>>({ seq: 1, hash: 1, at: 1 })
      .toArray();
    // Rows are deleted only from the beginning. A row with an earlier time than its predecessors waits for them.
    const end = oldest.findIndex(({ at }) => at >= limit);
    const old = end === -1 ? oldest : oldest.slice(0, end);
    const last = old.at(-1);
    if (!last) return { deleted: 0, hasMore: false };
    await rows.deleteMany({ seq: { $gt: anchor.seq, $lte: last.seq } }, { session });
    const { seq: by } = await appendRow(
      database,
      {
        actor: systemActor('retention'),
        action: forgetAction,
        target: { type: 'audit', id: 'audit' },
        after: { rows: old.length, upTo: last.seq, hash: last.hash },
      },
      session,
    );
    await moveAnchor(connection, { seq: last.seq, hash: last.hash, by }, session);
    return { deleted: old.length, hasMore: end === -1 && old.length === maxDeleted };
  });
}
