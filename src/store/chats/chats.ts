/**
 * Chats. Collection `chats`.
 *
 * Promises: the unique partial index on (contact, channel) allows one open chat. The opening with the
 * smallest stamp is kept. Labels are only added, and never those that a person removed. The time of the last message decreases
 * only when a message is removed.
 */
import type { ChatRecord, Opening } from '../../domain/messages/chat.ts';
import { collectionOf, indexesOf, type Collection, type Connection } from '../db/connection.ts';
import { collectDuplicates, runIdempotentUpdate } from '../db/errors.ts';
import { valueById } from '../db/queries.ts';
import { opensBeforeStored } from '../people/stamp-order.ts';

const collection = 'chats';

export const chatIndexes = indexesOf(collection, {
  one_open: { key: { contactId: 1, channelId: 1 }, unique: true, where: { open: true } },
});

export type ChatChange = {
  readonly chatId: string;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
};

export type ChatTouch = {
  readonly chatId: string;
  readonly at: Date;
  /** The message belongs to the chat in any state, because its event was done before. */
  readonly mayBeClosed?: boolean;
  /** The contact that must have the chat. Absent: any. */
  readonly contactId?: string | undefined;
};

export type ChatStore = ReturnType<typeof createChatStore>;

export function createChatStore(connection: Connection) {
  const chats = collectionOf<ChatRecord>(connection, collection);
  return {
    getMany: (ids: readonly string[]) => chats.find({ _id: { $in: [...ids] } }).toArray(),

    /** Returns the open chats of the contacts, and the chats with these ids in any state. */
    findOpen(contactIds: readonly string[], ids: readonly string[] = []): Promise<ChatRecord[]> {
      const isOpen = { contactId: { $in: [...contactIds] }, open: true as const };
      const where = ids.length === 0 ? isOpen : { $or: [isOpen, { _id: { $in: [...ids] } }] };
      return chats.find(where).toArray();
    },

    /** Inserts chats whose messages are stored. Returns the ids of those that another worker or a person was faster with. */
    async open(records: readonly ChatRecord[]): Promise<Set<string>> {
      const positions = await collectDuplicates(() =>
        chats.insertMany([...records], { ordered: false }),
      );
      return new Set(positions.flatMap((position) => records[position]?._id ?? []));
    },

    /** Inserts new chats and updates existing ones. Returns the ids of contacts whose chat another worker opened first. */
    async applyChanges(opened: readonly ChatRecord[], changes: readonly ChatChange[]) {
      const positions = await collectDuplicates(() =>
        chats.bulkWrite(
          [...opened.map((chat) => ({ insertOne: { document: chat } })), ...changes.map(changeOf)],
          { ordered: false },
        ),
      );
      return new Set(positions.flatMap((position) => opened[position]?.contactId ?? []));
    },

    /** Null: the chat has no message left and is not listed, unless a person started or took it. */
    async lowerLastMessageAt(left: readonly { chatId: string; at: Date | null }[]): Promise<void> {
      if (left.length === 0) return;
      await chats.bulkWrite(
        left.map(({ chatId, at }) => ({
          updateOne: {
            filter: {
              _id: chatId,
              lastMessageAt: at ? { $gt: at } : { $ne: null },
              ...(at === null && { status: 'ura_webhook', isStarted: { $exists: false } }),
            },
            update: { $set: { lastMessageAt: at } },
          },
        })),
        { ordered: false },
      );
    },

    raiseLastMessageAt: raiseLastMessageAt(chats),
  };
}

/** Returns false when a chat that must be open is closed or missing, or one of a contact has become that of another. */
function raiseLastMessageAt(chats: Collection<ChatRecord>) {
  return async function raise(touches: readonly ChatTouch[]): Promise<boolean> {
    if (touches.length === 0) return true;
    const dates = new Map(touches.map(({ chatId, at }) => [chatId, at]));
    const idsOf = (some: readonly ChatTouch[]) => ({
      _id: { $in: some.map(({ chatId }) => chatId) },
    });
    const anyState = touches.filter(({ mayBeClosed }) => mayBeClosed);
    const open = touches.filter(({ mayBeClosed }) => !mayBeClosed);
    const owned = open.filter(({ contactId }) => contactId !== undefined);
    const others = open.filter(({ contactId }) => contactId === undefined);
    const contactIds = owned.flatMap(({ contactId }) => contactId ?? []);
    const conditions = [
      { ...idsOf(owned), open: true as const, contactId: { $in: contactIds } },
      { ...idsOf(others), open: true as const },
      idsOf(anyState),
    ].filter(({ _id }) => _id.$in.length > 0);
    const where = conditions.length === 1 ? (conditions[0] ?? {}) : { $or: conditions };
    const { matchedCount } = await runIdempotentUpdate(() =>
      chats.updateMany(where, [
        {
          $set: {
            lastMessageAt: { $max: ['$lastMessageAt', valueById(dates)] },
            // A message that is older than the last one changes the chat, too.
            messageStoredAt: '$$NOW',
          },
        },
      ]),
    );
    return matchedCount >= dates.size;
  };
}

/** Keeps the opening with the smallest stamp, and adds labels except those that a person removed. */
const changeOf = ({ chatId, opening, labelIds }: ChatChange) => ({
  updateOne: {
    filter: { _id: chatId },
    update: [
      {
        $set: {
          opening: {
            $cond: [
              opensBeforeStored(opening.stamp, '$opening.stamp'),
              { $literal: opening },
              '$opening',
            ],
          },
          labelIds: {
            $setUnion: [
              '$labelIds',
              { $setDifference: [[...labelIds], { $ifNull: ['$removedLabelIds', []] }] },
            ],
          },
        },
      },
    ],
  },
});
