/** The indexes of identities: one row for each (channel, kind, value), with the contact that it belongs to. Collection `identities`. */
import { indexesOf } from '../db/connection.ts';

export const identityIndexes = indexesOf('identities', {
  by_contact: { key: { contactId: 1, kind: 1, _id: 1 } },
  blocked: { key: { blockedAt: -1, _id: -1 }, where: { blocked: true } },
});
