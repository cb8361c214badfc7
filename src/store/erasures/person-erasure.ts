/**
 * Erases a person's own records: messages, chats, identities, and the contact, which becomes a tombstone.
 *
 * Promises: identities are deleted or blocked in the transaction that writes the tombstone. A worker that read them
 * earlier finds the tombstone and reads again.
 */
import type { ContactRecord, Identity } from '../../domain/people/contact.ts';
import type { ErasureSubject } from '../../domain/people/erasure.ts';
import { firstChatIdOf } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Collection, Connection, Session } from '../db/connection.ts';
import { anyOf, exists, listIds } from '../db/queries.ts';
import { deleteFilesOfChats } from '../chats/files.ts';
import { peopleCollections } from '../people/records.ts';

/** Of one transaction. An event of a message is read without its body. */
const atOnce = { messages: 500, identities: 500, chats: 100 } as const;

type Filter = Readonly<Record<string, unknown>>;

type IdentityErasure = Pick<Tombstones, 'erasureId' | 'block' | 'now'> & {
  readonly where: Filter;
  readonly further?: readonly Identity[];
};

type Tombstones = {
  readonly erasureId: string;
  readonly block: boolean;
  readonly sought: ErasureSubject;
  readonly now: Date;
};

export function createPersonErasure(connection: Connection) {
  const { contacts, identities, chats, messages, conflicts, events, merges } =
    peopleCollections(connection);

  const dropIdentities = createIdentityErasure(connection);

  return {
    nextMessages: async (sought: ErasureSubject): Promise<MessageRecord[]> => {
      const { contactIds, channelIds, chatIds = [] } = sought;
      const opened = await listIds(chats, anyOf({ contactId: contactIds }));
      // A message whose event failed may have no chat yet.
      const first = contactIds.flatMap((id) => channelIds.map((one) => firstChatIdOf(id, one)));
      const all = [...new Set([...chatIds, ...opened, ...first])];
      if (all.length === 0) return [];
      return messages
        .find({ chatId: { $in: all } }, { limit: atOnce.messages })
        .project<MessageRecord>({ eventId: 1 })
        .toArray();
    },

    async dropMessages(ids: readonly string[], session: Session) {
      const { deletedCount } = await messages.deleteMany({ _id: { $in: [...ids] } }, { session });
      return { messages: deletedCount };
    },

    /** Returns the ids to drop before the tombstones are written; none when one transaction takes the rest. */
    nextIdentities: (contactIds: readonly string[]) =>
      nextBatch(identities, contactIds, atOnce.identities),

    nextChats: (contactIds: readonly string[]) => nextBatch(chats, contactIds, atOnce.chats),

    dropIdentities,

    /** Deletes the chats with their files, after their messages, and the forwarding chats. Returns the ids without the latter. */
    async dropChats(where: Filter, session: Session) {
      const real = await listIds(chats, { ...where, forwardsTo: { $exists: false } }, { session });
      await chats.deleteMany(where, { session });
      await deleteFilesOfChats(connection, real, session);
      return real;
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
      const resolved = await conflicts.updateMany(
        { contactIds: { $in: ids }, resolvedAt: null },
        { $set: { resolvedAt: now, resolution: 'erased' } },
        { session },
      );
      const settled = resolved.modifiedCount;
      return { contacts: changed, identities: owned, conflicts: settled };
    },

    isProcessing: (channelIds: readonly string[], claimedBy: Date): Promise<boolean> => {
      const isLeased = { $gt: ['$dueAt', '$$NOW'] };
      const isClaimed = { $lte: [{ $last: '$timeline.at' }, claimedBy] };
      const where = {
        state: 'processing' as const,
        channelId: { $in: [...channelIds] },
        $expr: { $and: [isLeased, isClaimed] },
      };
      return exists(events, where);
    },
  };
}

function createIdentityErasure(connection: Connection) {
  const { identities } = peopleCollections(connection);

  /** Deletes the identities, or blocks them and the `further` ones. Returns the number of the former. */
  return async function dropIdentities(
    { erasureId, block, now, where, further = [] }: IdentityErasure,
    session: Session,
  ): Promise<number> {
    const owned = await identities.find(where, { session }).toArray();
    await identities.deleteMany(where, { session });
    const blocked = block ? new Map([...owned, ...further].map((one) => [one._id, one])) : null;
    if (!blocked || blocked.size === 0) return owned.length;
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

/** Returns the ids of a batch of what belongs to the contacts when there is more than one. */
async function nextBatch<Doc extends { _id: string }>(
  collection: Collection<Doc>,
  contactIds: readonly string[],
  size: number,
): Promise<string[]> {
  const ids = await listIds(collection, anyOf({ contactId: contactIds }), { limit: size + 1 });
  return ids.length > size ? ids.slice(0, size) : [];
}
