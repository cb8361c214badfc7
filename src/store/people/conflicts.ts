/** Conflicts: the identities of one event belong to two contacts. A user merges them or dismisses the conflict. */
import type { Actor } from '../../domain/audit/audit.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { changeAudited, type ChangeResult } from '../audit/audited-change.ts';
import { anyOf, readList } from '../db/queries.ts';
import { peopleCollections, type ConflictRecord } from './records.ts';
import type { Db } from '../db/connection.ts';

export type ConflictFilter = {
  readonly state: 'open' | 'resolved';
  readonly channelId?: readonly string[];
  readonly contactId?: readonly string[];
};

export function createConflictStore(context: Db) {
  const { connection, clock } = context;
  const { conflicts } = peopleCollections(connection);
  return {
    listConflicts(filter: ConflictFilter, page: Page): Promise<Paged<ConflictRecord>> {
      const { state, channelId, contactId } = filter;
      const where = {
        resolvedAt: state === 'open' ? null : { $ne: null },
        ...anyOf({ channelId, contactIds: contactId }),
      };
      return readList(conflicts, { where, page });
    },

    getConflict: (id: string): Promise<ConflictRecord | null> => conflicts.findOne({ _id: id }),

    /** Fails with `not_found` when the conflict is not open. */
    dismissConflict: (id: string, actor: Actor): Promise<ChangeResult<ConflictRecord>> =>
      changeAudited<ConflictRecord>(context, {
        actor,
        action: 'conflict.dismiss',
        target: { type: 'conflict', id },
        read: (session) => conflicts.findOne({ _id: id, resolvedAt: null }, { session }),
        write: (session) =>
          conflicts.findOneAndUpdate(
            { _id: id, resolvedAt: null },
            { $set: { resolvedAt: clock.now(), resolution: 'dismissed' } },
            { session, returnDocument: 'after' },
          ),
        factsOf: ({ resolution = null }) => ({ resolution }),
      }),
  };
}
