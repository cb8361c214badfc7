/**
 * The messages of events. Collection `messages`. The id is that of the event, so a second insert of the same message fails as a
 * duplicate.
 */
import type { MessageDelivery } from '../../domain/messages/delivery.ts';
import type { EventMessage, MessageRecord } from '../../domain/messages/message.ts';
import { collectionOf, type Connection } from '../db/connection.ts';
import { collectDuplicates, mapStoreErrors } from '../db/errors.ts';

const collection = 'messages';

export type MessageMove = Pick<MessageRecord, 'chatId' | 'contactId' | 'channelId'> & {
  readonly messageId: string;
  readonly from: string;
  readonly generation: number;
  readonly isOtherPerson: boolean;
  /** Delivery for the new channel. Null: the new channel has no destination. Absent: the channel stays the same. */
  readonly delivery?: MessageDelivery | null;
};

type MessageRewrite = Pick<MessageRecord, 'content' | 'date'> & {
  readonly messageId: string;
  readonly generation: number;
};

/** Matches messages that no destination may have received. The inverse of `mayBeKnownOutside`. */
const unknownOutside = { $or: [{ delivery: { $exists: false } }, { 'delivery.fence': 0 }] };

export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(connection: Connection) {
  const messages = collectionOf<EventMessage>(connection, collection);
  return {
    ...mapStoreErrors({
      getMany: (ids: readonly string[]) => messages.find({ _id: { $in: [...ids] } }).toArray(),
    }),

    /** Inserts messages. Returns the ids that already existed, possibly in another chat. */
    async insert(records: readonly EventMessage[]): Promise<readonly string[]> {
      const positions = await collectDuplicates(() =>
        messages.insertMany([...records], { ordered: false }),
      );
      return positions.flatMap((position) => records[position]?._id ?? []);
    },

    /** Moves messages out of the chat in which they were read. A message that was moved since the read stays unchanged. */
    async move(moves: readonly MessageMove[]): Promise<void> {
      if (moves.length === 0) return;
      await messages.bulkWrite(
        moves.map(({ messageId, from, generation, isOtherPerson, delivery, ...to }) => ({
          updateOne: {
            filter: {
              _id: messageId,
              chatId: from,
              generation: { $not: { $gt: generation } },
              ...(isOtherPerson && unknownOutside),
            },
            update: {
              $set: { ...to, ...(delivery && { delivery }) },
              ...(delivery === null && { $unset: { delivery: '' } }),
            },
          },
        })),
        { ordered: false },
      );
    },

    /** Replaces the text with that of a later generation, unless a destination may have received the earlier text. */
    async rewrite(rewrites: readonly MessageRewrite[]): Promise<void> {
      if (rewrites.length === 0) return;
      await messages.bulkWrite(
        rewrites.map(({ messageId, ...written }) => ({
          updateOne: {
            filter: {
              _id: messageId,
              generation: { $not: { $gte: written.generation } },
              ...unknownOutside,
            },
            update: { $set: written },
          },
        })),
        { ordered: false },
      );
    },

    async newestDates(chatIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
      const found = await messages
        .aggregate<{ _id: string; at: Date }>([
          { $match: { chatId: { $in: [...chatIds] } } },
          { $group: { _id: '$chatId', at: { $max: '$date' } } },
        ])
        .toArray();
      return new Map(found.map(({ _id, at }) => [_id, at]));
    },
  };
}
