/**
 * Erases a person's own records: messages, chats, identities, and the contact, which becomes a tombstone.
 *
 * Promises: the last batch of identities and chats is deleted in the transaction that writes the tombstone. A worker relies on each of
 * them that it writes to, so that its transaction and this one conflict, and the second of them sees the first.
 */
import { identityChannelOf, type ContactRecord } from '../../domain/people/contact.ts';
import type { ErasureSubject, SoughtIdentity } from '../../domain/people/erasure.ts';
import type { Collection } from '../db/collection.ts';
import type { Connection, Session } from '../db/connection.ts';
import { exists } from '../db/queries.ts';
import { deleteFiles, deleteFilesOfChats } from '../chats/files.ts';
import { peopleCollections, type StoredIdentity } from '../people/records.ts';

type Filter = Readonly<Record<string, unknown>>;

type IdentityErasure = Pick<Tombstones, 'erasureId' | 'block' | 'now'> & {
  readonly where: Filter;
  readonly further?: readonly SoughtIdentity[];
};

type Tombstones = {
  readonly erasureId: string;
  readonly block: boolean;
  readonly sought: ErasureSubject;
  readonly now: Date;
};

export function createPersonErasure(connection: Connection) {
  const { contacts, chats, messages, conflicts, merges } = peopleCollections(connection);

  const dropIdentities = createIdentityErasure(connection);

  async function resolveConflicts(
    where: Filter,
    { session, now }: { session: Session; now: Date },
  ) {
    const { modifiedCount } = await conflicts.updateMany(
      { ...where, resolvedAt: null },
      { $set: { resolvedAt: now, resolution: 'erased' } },
      { session },
    );
    return modifiedCount;
  }

  return {
    async dropMessages(ids: readonly string[], session: Session) {
      const { deletedCount } = await messages.deleteMany({ _id: { $in: [...ids] } }, { session });
      return { messages: deletedCount };
    },

    dropIdentities,
    resolveConflicts,

    dropFiles: (ids: readonly string[], session: Session) => deleteFiles(connection, ids, session),

    /**
     * Deletes the chats with their files, after their messages, and the forwarding chats. Returns the number without the latter; null,
     * without a change, when a chat has a message again: a worker stored it since the last were deleted.
     */
    async dropChats(where: Filter, session: Session): Promise<number | null> {
      const real = { ...where, forwardsTo: { $exists: false } };
      const found = await chats.find(real, { session, projection: { _id: 1 } }).toArray();
      const ids = found.map(({ _id }) => _id);
      if (await exists(messages, { chatId: { $in: ids } }, { session })) return null;
      await chats.deleteMany(where, { session });
      await deleteFilesOfChats(connection, ids, session);
      return found.length;
    },

    /** Returns null when one of the contacts was merged into another since they were read: the caller must then abort. */
    async insertTombstones({ erasureId, block, sought, now }: Tombstones, session: Session) {
      const ids = [...sought.contactIds];
      const merged = { _id: { $in: ids }, mergedInto: { $exists: true, $nin: ids } };
      if (await exists(contacts, merged, { session })) return null;
      const owned = await dropIdentities(
        { erasureId, block, now, where: { contactId: { $in: ids } }, further: sought.identities },
        session,
      );
      const changed = await insertTombstoneRecords(
        contacts,
        { ids, channelId: sought.channelIds[0] ?? '', now },
        session,
      );
      await merges.updateMany({ mergedId: { $in: ids } }, { $set: { chat: null } }, { session });
      const settled = await resolveConflicts({ contactIds: { $in: ids } }, { session, now });
      return { contacts: changed, identities: owned, conflicts: settled };
    },
  };
}

function createIdentityErasure(connection: Connection) {
  const { contacts, identities } = peopleCollections(connection);

  /** Returns the rows with the channels of their contacts. */
  async function withChannels(
    rows: readonly StoredIdentity[],
    session: Session,
  ): Promise<SoughtIdentity[]> {
    const ids = [...new Set(rows.map(({ contactId }) => contactId))];
    const found = await contacts
      .find({ _id: { $in: ids } }, { session, projection: { channelId: 1 } })
      .toArray();
    const channelOf = new Map(found.map(({ _id, channelId }) => [_id, channelId]));
    return rows.map(({ contactId, ...row }) => ({
      ...row,
      channelId: identityChannelOf(channelOf.get(contactId) ?? '', row.test),
    }));
  }

  /** Deletes the identities, or blocks them and the `further` ones. Returns the number of the former. */
  return async function dropIdentities(
    { erasureId, block, now, where, further = [] }: IdentityErasure,
    session: Session,
  ): Promise<number> {
    const owned = await identities.find(where, { session }).toArray();
    await identities.deleteMany(where, { session });
    if (!block) return owned.length;
    const all = [...(await withChannels(owned, session)), ...further];
    const blocked = new Map(all.map((one) => [one._id, one]));
    if (blocked.size === 0) return owned.length;
    await identities.bulkWrite(
      [...blocked.values()].map(({ _id, channelId, kind }) => {
        // It has no value and no owner. A later claim finds it and is blocked.
        const row = { channelId, kind, blocked: true, blockedAt: now, erasureId };
        return { replaceOne: { filter: { _id }, replacement: row as never, upsert: true } };
      }),
      { session, ordered: false },
    );
    return owned.length;
  };
}

type TombstoneRecords = {
  readonly ids: readonly string[];
  readonly channelId: string;
  readonly now: Date;
};

/** Writes the tombstones and returns their number. A concurrent transaction that inserts the contact conflicts. */
async function insertTombstoneRecords(
  contacts: Collection<ContactRecord>,
  { ids, channelId, now }: TombstoneRecords,
  session: Session,
): Promise<number> {
  const shell = { registers: {}, erased: true, gone: true, updatedAt: now } as const;
  const hidden = { beneath: '', pins: '', members: '', mergedInto: '', mergeId: '' } as const;
  const found = await contacts
    .find({ _id: { $in: [...ids] } }, { session, projection: { erased: 1 } })
    .toArray();
  const erasedOf = new Map(found.map(({ _id, erased }) => [_id, erased === true]));
  const open = ids.filter((id) => erasedOf.get(id) !== true);
  if (open.length === 0) return 0;
  await contacts.bulkWrite(
    open.map((_id) =>
      erasedOf.has(_id)
        ? { updateOne: { filter: { _id }, update: { $set: shell, $unset: hidden } } }
        : { insertOne: { document: { _id, channelId, createdAt: now, ...shell } } },
    ),
    { session },
  );
  return open.length;
}
