/**
 * Identities: one row per (channel, kind, value) with the contact it belongs to. Collection `identities`.
 *
 * Promises: the row claims the contact's id before the contact exists, so that two concurrent events of one new person claim
 * one row and create one contact.
 */
import { indexesOf, type Connection } from '../db/connection.ts';
import { collectDuplicates } from '../db/errors.ts';
import { peopleCollections, type IdentityOwner, type IdentityRow } from './records.ts';

const collection = 'identities';

export const identityIndexes = indexesOf(collection, {
  by_contact: { key: { contactId: 1, kind: 1, _id: 1 } },
  blocked: { key: { blockedAt: -1, _id: -1 }, where: { blocked: true } },
});

export type IdentityStore = ReturnType<typeof createIdentityStore>;

export function createIdentityStore(connection: Connection) {
  const { identities } = peopleCollections(connection);
  return {
    findOwners: (ids: readonly string[]): Promise<IdentityOwner[]> =>
      identities
        .find({ _id: { $in: [...ids] } }, { projection: { contactId: 1, blocked: 1 } })
        .toArray(),

    /** Counts the rows of each contact; absent: none. A contact has at most `maxIdentities`. */
    async countOwned(contactIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const found = await identities
        .aggregate<{ _id: string; count: number }>([
          { $match: { contactId: { $in: [...contactIds] } } },
          { $group: { _id: '$contactId', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(found.map(({ _id, count }) => [_id, count]));
    },

    /** Inserts rows. Returns the ids of the rows that already existed. */
    async claim(rows: readonly IdentityRow[]): Promise<Set<string>> {
      const positions = await collectDuplicates(() =>
        identities.insertMany([...rows], { ordered: false }),
      );
      return new Set(positions.flatMap((position) => rows[position]?._id ?? []));
    },

    /** Changes the owner of rows from `from` to `to`. This saves later look-ups from following the tombstone. */
    async repoint(ids: readonly string[], { from, to }: { from: string; to: string }) {
      await identities.updateMany(
        { _id: { $in: [...ids] }, contactId: from },
        { $set: { contactId: to } },
      );
    },
  };
}
