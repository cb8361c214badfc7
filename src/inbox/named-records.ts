/** Labels and sectors: create, change and delete. */
import { AppError, orNotFound } from '../base/errors.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { NamedRecord } from '../domain/messages/named-record.ts';
import type { NamedRecordChange, NamedRecords } from '../store/chats/named-record-changes.ts';

type NewRecord = Parameters<NamedRecords['create']>[0];

/** Throws `conflict` for a name that another record has, in any case and with any spaces. */
function rejectChange(reason: string): never {
  if (reason === 'not_found') throw new AppError('not_found');
  if (reason === 'in_use') throw new AppError('in_use');
  throw new AppError('conflict', { details: { state: reason } });
}

export function createNamedRecordEditor(records: NamedRecords) {
  return {
    get: async (id: string): Promise<NamedRecord> => orNotFound(await records.get(id)),
    list: records.list,
    /** Returns the active records, by name. */
    listActive: records.listActive,

    async create(given: NewRecord, actor: Actor): Promise<NamedRecord> {
      const created = await records.create(given, actor);
      return created.ok ? created.value : rejectChange(created.reason);
    },

    async change(id: string, change: NamedRecordChange, actor: Actor): Promise<NamedRecord> {
      const changed = await records.change(id, change, actor);
      return changed.ok ? changed.value : rejectChange(changed.reason);
    },

    /** Throws `in_use` while an open chat or an agent uses it. */
    async remove(id: string, actor: Actor): Promise<void> {
      const removed = await records.remove(id, actor);
      if (!removed.ok) rejectChange(removed.reason);
    },
  };
}
