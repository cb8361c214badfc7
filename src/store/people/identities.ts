/**
 * Identities: one row per (channel, kind, value) with the contact it belongs to. Collection `identities`.
 *
 * Promises: the row claims the contact's id before the contact exists, so that two concurrent events of one new person claim
 * one row and create one contact. A row is read together with its contact in one round trip.
 */
import type { ContactRecord, Identity } from '../../domain/people/contact.ts';
import type { Connection, IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import { collectBulkFailures } from '../db/errors.ts';

const collection = 'identities';

export type IdentityRow = Identity & { readonly contactId: string };
/** Fields of a blocked row. It has no contact and no value. Its id identifies it. */
export type BlockedFields = {
  readonly blocked?: true;
  readonly blockedAt?: Date;
  readonly erasureId?: string;
};
export type StoredIdentity = IdentityRow & BlockedFields;
/** `contact` is null until the process that claimed the row creates it. It may be a tombstone. */
export type OwnedIdentity = StoredIdentity & { readonly contact: ContactRecord | null };

export const identityIndexes: readonly IndexSpec[] = [
  { collection, name: 'by_contact', key: { contactId: 1 } },
  { collection, name: 'by_value', key: { kind: 1, value: 1 } },
  {
    collection,
    name: 'blocked',
    key: { blockedAt: -1, _id: -1 },
    where: { blocked: true },
  },
];

export type IdentityStore = ReturnType<typeof createIdentityStore>;

export function createIdentityStore(connection: Connection) {
  const identities = collectionOf<IdentityRow>(connection, collection);
  return {
    findWithContacts: (ids: readonly string[]): Promise<OwnedIdentity[]> =>
      identities
        .aggregate<OwnedIdentity>(
          [
            { $match: { _id: { $in: [...ids] } } },
            {
              $lookup: {
                from: 'contacts',
                localField: 'contactId',
                foreignField: '_id',
                as: 'contact',
              },
            },
            { $set: { contact: { $ifNull: [{ $first: '$contact' }, null] } } },
          ],
          { ...majorityRead },
        )
        .toArray(),

    /** Inserts rows. Returns the ids of the rows that already existed. */
    async claim(rows: readonly IdentityRow[]): Promise<Set<string>> {
      const bulkFailures = await collectBulkFailures(() =>
        identities.insertMany([...rows], { ordered: false, ...majorityWrite }),
      );
      const lost = new Set<string>();
      for (const [index, bulkFailure] of bulkFailures) {
        if (bulkFailure.kind === 'failed') throw bulkFailure.error;
        const row = rows[index];
        if (row) lost.add(row._id);
      }
      return lost;
    },

    /** Changes the owner of rows from `from` to `to`. This saves later look-ups from following the tombstone. */
    async repoint(ids: readonly string[], { from, to }: { from: string; to: string }) {
      await identities.updateMany(
        { _id: { $in: [...ids] }, contactId: from },
        { $set: { contactId: to } },
        majorityWrite,
      );
    },
  };
}
