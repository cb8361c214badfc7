/** The audit log: rows are only ever added. */
import { newId } from '../base/ids.ts';
import type { AuditEntry, AuditRow } from '../domain/audit.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { modelOf, sayingUnavailable } from './model.ts';
import type { Session } from './model.ts';

export const auditIndexes: readonly IndexSpec[] = [
  { collection: 'audit', name: 'by_time', key: { at: -1, _id: -1 } },
  { collection: 'audit', name: 'by_target', key: { 'target.type': 1, 'target.id': 1, at: -1 } },
];

const definition = {
  _id: String,
  at: Date,
  actor: { tokenId: String, name: String },
  action: String,
  // Declared as an object, because a bare `type` would declare the field's own type.
  target: { type: { type: String }, id: String },
  before: Object,
  after: Object,
};

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(connection: Connection) {
  const rows = modelOf<AuditRow>(connection, 'audit', definition);
  return sayingUnavailable({
    /** Within a session the row stands or falls with the change it tells of. */
    async add(entry: AuditEntry, session?: Session): Promise<void> {
      // A caller is an actor with scopes, which are no part of a row.
      const { tokenId, name } = entry.actor;
      const row = { ...entry, actor: { tokenId, name }, _id: newId(), at: new Date() };
      await rows.create([row], { session });
    },
  });
}
