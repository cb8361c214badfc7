/** The indexes of the conflicts between contacts. Collection `conflicts`. */
import { indexesOf } from '../db/connection.ts';

export const contactIndexes = indexesOf('conflicts', {
  by_contact: { key: { contactIds: 1 } },
  by_state: { key: { resolvedAt: 1, createdAt: -1, _id: -1 } },
});
