/** What the database is asked about itself: the disk that it has left, the unique indexes that it lacks, and effects of events. */
import type { EventEffects } from '../../domain/events/event.ts';
import { collectionOf, databaseOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';
import { missingIndexes } from '../db/indexes.ts';
import { listIds } from '../db/queries.ts';

type Disk = { readonly usedBytes: number; readonly totalBytes: number };

export const createDatabaseState = (connection: Connection, indexes: readonly IndexSpec[]) =>
  mapStoreErrors({
    /** Of the primary. Null when the server does not tell. */
    async disk(): Promise<Disk | null> {
      const { fsUsedSize, fsTotalSize } = await databaseOf(connection).command({ dbStats: 1 });
      if (typeof fsTotalSize !== 'number' || fsTotalSize <= 0) return null;
      return { usedBytes: Number(fsUsedSize), totalBytes: fsTotalSize };
    },

    /** Those that are missing or different, as `collection.index`. */
    missingIndexes: (): Promise<string[]> => missingIndexes(connection, indexes),

    /** Returns the number of those effects whose contact, chat and message are stored. */
    async countStored(effects: readonly EventEffects[]): Promise<number> {
      const [contacts, chats, messages] = await Promise.all([
        idsIn(
          connection,
          'contacts',
          effects.map(({ contactId }) => contactId),
        ),
        idsIn(
          connection,
          'chats',
          effects.map(({ chatId }) => chatId),
        ),
        idsIn(
          connection,
          'messages',
          effects.map(({ messageId }) => messageId),
        ),
      ]);
      const isStored = ({ contactId, chatId, messageId }: EventEffects) =>
        contacts.has(contactId) && chats.has(chatId) && messages.has(messageId);
      return effects.filter(isStored).length;
    },
  });

/** Returns those of the ids that are stored. */
const idsIn = async (
  connection: Connection,
  name: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(await listIds(collectionOf(connection, name), { _id: { $in: [...ids] } }));
