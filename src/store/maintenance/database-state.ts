/** What the database is asked about itself: the disk that it has left, the unique indexes that it lacks, and effects of events. */
import type { EffectIds } from '../../domain/events/event.ts';
import { collectionOf } from '../db/collection.ts';
import { databaseOf, type Db } from '../db/connection.ts';
import { mapUnavailable } from '../db/errors.ts';
import { allIndexes } from '../all-indexes.ts';
import { missingIndexes } from '../db/indexes.ts';
import { listIds } from '../db/queries.ts';

const maxTimeMS = 5_000;

/** Of the primary, within 5 s. Null when the server does not tell. */
export async function readDisk(db: Db) {
  const { fsUsedSize, fsTotalSize } = await mapUnavailable(() =>
    databaseOf(db.connection).command({ dbStats: 1, maxTimeMS }),
  );
  if (typeof fsTotalSize !== 'number' || fsTotalSize <= 0) return null;
  return { usedBytes: Number(fsUsedSize), totalBytes: fsTotalSize };
}

/** Those that are missing or different, as `collection.index`. */
export const listMissingIndexes = (db: Db): Promise<string[]> =>
  missingIndexes(
    db.connection,
    allIndexes.filter(({ unique }) => unique),
  );

export async function countStoredEffects(db: Db, effects: readonly EffectIds[]): Promise<number> {
  const storedIds = async (name: string, key: 'contactId' | 'chatId' | 'messageId') => {
    const ids = effects.map((one) => one[key]);
    return new Set(await listIds(collectionOf(db.connection, name), { _id: { $in: ids } }));
  };
  const [contacts, chats, messages] = await Promise.all([
    storedIds('contacts', 'contactId'),
    storedIds('chats', 'chatId'),
    storedIds('messages', 'messageId'),
  ]);
  const isStored = ({ contactId, chatId, messageId }: EffectIds) =>
    contacts.has(contactId) && chats.has(chatId) && messages.has(messageId);
  return effects.filter(isStored).length;
}
