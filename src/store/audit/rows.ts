/** Rows of the audit log as they are stored. */
import { newId } from '../../base/ids.ts';
import type { Actor, AuditEntry, AuditFacts, AuditRow } from '../../domain/audit/audit.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection, Session, Db } from '../db/connection.ts';

export const auditCollection = 'audit';

export const auditRows = (connection: Connection) =>
  collectionOf<AuditRow>(connection, auditCollection);

/** Returns facts that MongoDB can store: JSON values, well-formed text, and keys without NUL. */
const normalizeFacts = (facts: AuditFacts): AuditFacts =>
  facts && (normalize(JSON.parse(JSON.stringify(facts))) as AuditFacts);

function normalize(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.toWellFormed().replaceAll('\0', ''),
      normalize(inner),
    ]),
  );
}

const withExecutor = (after: AuditFacts, { agentId }: Actor): AuditFacts =>
  agentId === undefined ? after : { ...after, executorId: agentId };

/** Adds a row, and returns its id. Rows share nothing, so concurrent changes do not wait for each other. */
export async function insertRow(
  { connection, clock }: Db,
  { actor, action, target, before = null, after = null }: AuditEntry,
  { session, _id = newId() }: { readonly session?: Session; readonly _id?: string } = {},
): Promise<Pick<AuditRow, '_id' | 'at'>> {
  const row: AuditRow = {
    _id,
    at: clock.now(),
    // An actor may carry scopes. A row does not store them.
    actor: { tokenId: actor.tokenId.toWellFormed(), name: actor.name.toWellFormed() },
    action,
    target: { type: target.type, id: target.id.toWellFormed() },
    before: normalizeFacts(before),
    after: normalizeFacts(withExecutor(after, actor)),
    address: actor.address ?? null,
    redactedAt: null,
  };
  await auditRows(connection).insertOne(row, { ...(session && { session }) });
  return row;
}
