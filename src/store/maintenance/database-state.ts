/** What the database server says of itself: the disk that it has left, and the unique indexes that it lacks. */
import { databaseOf, type Connection, type IndexSpec } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';
import { missingIndexes } from '../db/indexes.ts';

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
  });
