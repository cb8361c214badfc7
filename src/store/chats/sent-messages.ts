/**
 * The messages that people send. Collection `messages`.
 *
 * Promises: a message is stored only in an open chat of its channel and its contact: sending conflicts with closing, with a transfer
 * to another channel, with an unmerge, and with the deletion of either, and one of them sees the other. A message with an id that
 * exists is stored once.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import { inTransaction, type Connection } from '../db/connection.ts';
import { retryAfterDuplicate } from '../db/errors.ts';
import { peopleCollections } from '../people/records.ts';
import { markFilesUsed } from './files.ts';
import { markOneUsed } from './use-marks.ts';

/** `moved`: the chat is in another channel than the message, or has become that of another contact. */
type NotSent = Failure<'closed' | 'moved' | 'no_channel'>;

/** The message, and the contact of its chat as it was read. */
type Sent = { readonly message: MessageRecord; readonly chatContactId: string };

export function createSend(connection: Connection) {
  const { chats, messages } = peopleCollections(connection);

  const once = ({ message, chatContactId: contactId }: Sent) =>
    inTransaction(connection, async (session): Promise<Result<MessageRecord, NotSent>> => {
      const { _id, chatId, channelId, date, delivery, content } = message;
      const stored = await messages.findOne({ _id }, { session });
      if (stored) return success(stored);
      const { matchedCount } = await chats.updateOne(
        { _id: chatId, open: true, channelId, contactId, forwardsTo: { $exists: false } },
        // A statement that changes nothing does not conflict, so it has a new value also for an earlier date.
        { $max: { lastMessageAt: date }, $set: { lastSentId: _id } },
        { session },
      );
      if (matchedCount === 0) {
        const chat = await chats.findOne({ _id: chatId }, { session });
        return failure(chat?.open ? 'moved' : 'closed');
      }
      if (
        delivery &&
        !(await markOneUsed(connection, { name: 'channels', id: channelId }, session))
      ) {
        await session.abortTransaction();
        return failure('no_channel');
      }
      await messages.insertOne(message, { session });
      const files = content.files?.map(({ fileId }) => fileId) ?? [];
      if (files.length > 0) await markFilesUsed(connection, files, session);
      return success(message);
    });

  /** Stores a message; returns the stored one when its id exists. */
  return (sent: Sent) => retryAfterDuplicate(() => once(sent));
}
