/** Reads the identities of contacts: a page of them, or one bounded group after another. */
import { identityKinds, type IdentityKind } from '../../domain/people/contact.ts';
import type { IdentityGroup } from '../../domain/people/erasure.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { Connection } from '../db/connection.ts';
import { readList } from '../db/queries.ts';
import { mergeTreeIds } from './merge-tree.ts';
import { peopleCollections, type StoredIdentity } from './records.ts';

/** Texts are searched for each phone, address and document; an external id costs one look-up in a set. */
const groupSize = (kind: IdentityKind): number => (kind === 'externalId' ? 10_000 : 1_000);

export function createOwnedIdentities(connection: Connection) {
  const { contacts, identities } = peopleCollections(connection);
  // For a range of ids MongoDB may otherwise read those of all contacts.
  const hint = 'by_contact';
  const ownedBy = (ids: readonly string[]) => ({ contactId: { $in: [...ids] } });

  return {
    /** Returns at most `limit` identities of the contacts, the external ids last. */
    async listIdentities(ids: readonly string[], limit: number): Promise<StoredIdentity[]> {
      const others = { ...ownedBy(ids), kind: { $ne: 'externalId' as const } };
      const found = await identities.find(others, { limit }).toArray();
      const left = limit - found.length;
      if (left === 0) return found;
      const external = { ...ownedBy(ids), kind: 'externalId' as const };
      return [...found, ...(await identities.find(external, { limit: left }).toArray())];
    },

    /** Of the contact and of those that were merged into it. Returns null for an unknown contact. */
    async listIdentityPage(contactId: string, page: Page): Promise<Paged<StoredIdentity> | null> {
      const contact = await contacts.findOne({ _id: contactId }, { projection: { members: 1 } });
      if (!contact) return null;
      const where = ownedBy(await mergeTreeIds(contacts, contact));
      return readList(identities, { where, page, countOptions: { hint } });
    },

    countIdentities: (ids: readonly string[]): Promise<number> =>
      identities.countDocuments(ownedBy(ids), { hint }),

    /** Returns the next group of identities that are not in `known`; null at the end. */
    async nextIdentityGroup(
      ids: readonly string[],
      known: readonly string[],
      last: IdentityGroup | null,
    ): Promise<IdentityGroup | null> {
      for (const kind of last
        ? identityKinds.slice(identityKinds.indexOf(last.kind))
        : identityKinds) {
        const after = last?.kind === kind ? last.upTo : '';
        const where = { ...ownedBy(ids), kind, _id: { $gt: after, $nin: [...known] } };
        const options = { sort: { _id: 1 }, limit: groupSize(kind), hint } as const;
        const found = await identities
          .find(where, { ...options, projection: { _id: 1 } })
          .toArray();
        const upTo = found.at(-1)?._id;
        if (upTo !== undefined) return { kind, after, upTo };
      }
      return null;
    },

    readIdentityGroup: (
      ids: readonly string[],
      { kind, after, upTo }: IdentityGroup,
    ): Promise<StoredIdentity[]> =>
      identities
        .find({ ...ownedBy(ids), kind, _id: { $gt: after, $lte: upTo } }, { hint })
        .toArray(),
  };
}
