/** Messages. The id follows from the event, so a second insert of the same message is refused by its id. */
import type { MessageRecord } from '../domain/message.ts';
import type { Connection } from './connection.ts';
import { collectionOf, decisive, durable } from './connection.ts';
import { settleBulk } from './errors.ts';

const collection = 'messages';

type Move = Pick<MessageRecord, 'chatId' | 'contactId' | 'channelId'> & {
  readonly messageId: string;
};

export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(connection: Connection) {
  const messages = collectionOf<MessageRecord>(connection, collection);
  return {
    getMany: (ids: readonly string[]): Promise<MessageRecord[]> =>
      messages.find({ _id: { $in: [...ids] } }, { ...decisive }).toArray(),

    /** Stores what is not stored yet; a message that is there already is as good as stored. */
    async insert(records: readonly MessageRecord[]): Promise<void> {
      const refusals = await settleBulk(() =>
        messages.insertMany([...records], { ordered: false, ...durable }),
      );
      for (const refusal of refusals.values()) {
        if (refusal.kind === 'failed') throw refusal.error;
      }
    },

    /** Moves messages whose chat was closed before their event was done. */
    async move(moves: readonly Move[]) {
      await messages.bulkWrite(
        moves.map(({ messageId, ...to }) => ({
          updateOne: { filter: { _id: messageId }, update: { $set: to } },
        })),
        { ordered: false, ...durable },
      );
    },
  };
}
