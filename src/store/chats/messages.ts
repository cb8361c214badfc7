/**
 * The messages of events. Collection `messages`. The id is that of the event, so a second insert of the same message fails as a
 * duplicate.
 */
import type { EventMessage } from '../../domain/messages/message.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection } from '../db/connection.ts';

export function createMessageStore(connection: Connection) {
  const messages = collectionOf<EventMessage>(connection, 'messages');
  return {
    getMany: (ids: readonly string[]) => messages.find({ _id: { $in: [...ids] } }).toArray(),
  };
}
