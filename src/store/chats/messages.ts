/**
 * The messages of events. Collection `messages`. The id is that of the event, so a second insert of the same message fails as a
 * duplicate.
 */
import type { EventMessage } from '../../domain/messages/message.ts';
import { collectionOf } from '../db/collection.ts';
import type { Db } from '../db/connection.ts';

const messagesOf = (db: Db) => collectionOf<EventMessage>(db.connection, 'messages');

export const getEventMessages = (db: Db, ids: readonly string[]) =>
  messagesOf(db)
    .find({ _id: { $in: [...ids] } })
    .toArray();
