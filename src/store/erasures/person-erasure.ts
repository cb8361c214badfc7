/**
 * Erases a person's own records: messages, chats, identities, and the contact, which becomes a tombstone.
 *
 * Promises: identities are deleted or blocked in the transaction that writes the tombstone. A worker that read them
 * earlier finds the tombstone and reads again.
 */
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { ErasureSubject } from '../../domain/people/erasure.ts';
import { firstChatIdOf } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Collection, Connection, Session } from '../db/connection.ts';
import { anyOf, exists, listIds } from '../db/queries.ts';
import { deleteFilesOfChats } from '../chats/files.ts';
import { peopleCollections } from '../people/records.ts';

const atOnce = 100;

type Tombstones = {
  readonly erasureId: string;
  readonly block: boolean;
  readonly sought: ErasureSubject;
  readonly now: Date;
};

export function createPersonErasure(connection: Connection) {
  const { contacts, identities, chats, messages, conflicts, events, merges } =
    peopleCollections(connection);

  return {
    nextMessages: async (sought: ErasureSubject): Promise<MessageRecord[]> => {
      const { contactIds, channelIds, chatIds = [] } = sought;
      const opened = await listIds(chats, anyOf({ contactId: contactIds }));
      // A message whose event failed may have no chat yet.
      const first = contactIds.flatMap((id) => channelIds.map((one) => firstChatIdOf(id, one)));
      const all = [...new Set([...chatIds, ...opened, ...first])];
      if (all.length === 0) return [];
      return messages
        .find({ chatId: { $in: all } }, { limit: atOnce })
        .project<MessageRecord>({ eventId: 1 })
        .toArray();
    },

    async dropMessages(ids: readonly string[], session: Session) {
      const { deletedCount } = await messages.deleteMany({ _id: { $in: [...ids] } }, { session });
      return { messages: deletedCount };
    },

    /** Deletes the chats with their files, after their messages, and the forwarding chats. Returns the ids without the latter. */
    async dropChats(contactIds: readonly string[], session: Session) {
      const mine = { contactId: { $in: [...contactIds] } };
      const real = await listIds(chats, { ...mine, forwardsTo: { $exists: false } }, { session });
      await chats.deleteMany(mine, { session });
      await deleteFilesOfChats(connection, real, session);
      return real;
    },

    /** Returns null when one of the contacts was merged into another since they were read: the caller must then abort. */
    async insertTombstones({ erasureId, block, sought, now }: Tombstones, session: Session) {
      const ids = [...sought.contactIds];
      const merged = { _id: { $in: ids }, mergedInto: { $exists: true, $nin: ids } };
      if (await exists(contacts, merged, { session })) return null;
      const owned = await identities.find({ contactId: { $in: ids } }, { session }).toArray();
      await identities.deleteMany({ contactId: { $in: ids } }, { session });
      const blocked = block ? [...owned, ...sought.identities] : [];
      for (const { _id, channelId, kind } of new Map(
        blocked.map((one) => [one._id, one]),
      ).values()) {
        // It has no value and no owner. A later claim finds it and is blocked.
        const row = { channelId, kind, blocked: true, blockedAt: now, erasureId };
        await identities.replaceOne({ _id }, row as never, { session, upsert: true });
      }
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
      return { contacts: changed, identities: owned.length, conflicts: settled };
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
  let count = 0;
  for (const _id of ids) {
    const found = await contacts.findOne({ _id }, { session, projection: { erased: 1 } });
    if (found?.erased) continue;
    count += 1;
    if (found) await contacts.updateOne({ _id }, { $set: shell, $unset: hidden }, { session });
    else await contacts.insertOne({ _id, channelId, createdAt: now, ...shell }, { session });
  }
  return count;
}
