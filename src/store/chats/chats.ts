/**
 * Chats. Collection `chats`.
 *
 * Promises: the unique partial index on (contact, channel) allows one open chat. The opening with the
 * smallest stamp is kept. Labels are only added. The time of the last message decreases only when a message is removed.
 */
import type { ChatRecord, Opening } from '../../domain/messages/chat.ts';
import { collectionOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { collectDuplicates, runIdempotentUpdate } from '../db/errors.ts';
import { valueById } from '../db/queries.ts';

const collection = 'chats';

export const chatIndexes: readonly IndexSpec[] = [
  {
    collection,
    name: 'one_open',
    key: { contactId: 1, channelId: 1 },
    unique: true,
    where: { open: true },
  },
];

export type ChatChange = {
  readonly chatId: string;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
};

export type ChatStore = ReturnType<typeof createChatStore>;

export function createChatStore(connection: Connection) {
  const chats = collectionOf<ChatRecord>(connection, collection);
  return {
    getMany: (ids: readonly string[]): Promise<ChatRecord[]> =>
      chats.find({ _id: { $in: [...ids] } }).toArray(),

    findOpen: (contactIds: readonly string[]): Promise<ChatRecord[]> =>
      chats.find({ contactId: { $in: [...contactIds] }, open: true }).toArray(),

    /** Inserts new chats and updates existing ones. Returns the ids of contacts whose chat another worker opened first. */
    async applyChanges(
      opened: readonly ChatRecord[],
      changes: readonly ChatChange[],
    ): Promise<Set<string>> {
      const positions = await collectDuplicates(() =>
        chats.bulkWrite(
          [
            ...opened.map((chat) => ({ insertOne: { document: chat } })),
            ...changes.map(({ chatId, opening, labelIds }) => ({
              updateOne: {
                filter: { _id: chatId },
                update: [
                  {
                    $set: {
                      opening: {
                        $cond: [
                          { $lt: [opening.stamp, '$opening.stamp'] },
                          { $literal: opening },
                          '$opening',
                        ],
                      },
                      labelIds: { $setUnion: ['$labelIds', [...labelIds]] },
                    },
                  },
                ],
              },
            })),
          ],
          { ordered: false },
        ),
      );
      return new Set(positions.flatMap((position) => opened[position]?.contactId ?? []));
    },

    /** Lowers `lastMessageAt` after the last message is removed. With null the chat has no message and is not listed. */
    async lowerLastMessageAt(left: readonly { chatId: string; at: Date | null }[]): Promise<void> {
      if (left.length === 0) return;
      await chats.bulkWrite(
        left.map(({ chatId, at }) => ({
          updateOne: {
            filter: { _id: chatId, lastMessageAt: at ? { $gt: at } : { $ne: null } },
            update: { $set: { lastMessageAt: at } },
          },
        })),
        { ordered: false },
      );
    },

    /** Raises `lastMessageAt` after a message is stored. */
    async raiseLastMessageAt(touches: readonly { chatId: string; at: Date }[]): Promise<void> {
      if (touches.length === 0) return;
      const dates = new Map(touches.map(({ chatId, at }) => [chatId, at]));
      await runIdempotentUpdate(() =>
        chats.updateMany({ _id: { $in: [...dates.keys()] } }, [
          { $set: { lastMessageAt: { $max: ['$lastMessageAt', valueById(dates)] } } },
        ]),
      );
    },
  };
}
