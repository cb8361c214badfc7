/**
 * Resolves the leads of a set to contacts, from the identity rows and contacts of one snapshot.
 *
 * Promises: two leads that share an identity have one contact. Two contacts that an event bridges are never merged silently: the
 * strongest identity decides, and the conflict is recorded.
 */
import { newId } from '../../base/ids.ts';
import { maxIdentities, type ContactRecord, type Identity } from '../../domain/people/contact.ts';
import {
  identityRowOf,
  type Conflict,
  type IdentityOwner,
  type IdentityRow,
} from '../../store/people/records.ts';
import type { Lead } from '../read/read-event.ts';

export type Bridge = {
  readonly lead: Lead;
  readonly contactIds: readonly string[];
  /** The contact of each identity of the lead. */
  readonly named: Conflict['named'];
};

type PeopleRead = {
  readonly rows: readonly IdentityOwner[];
  /** The owners of the rows, and those that they were merged into. */
  readonly contacts: ReadonlyMap<string, ContactRecord>;
};

/** Follows `next` to its end, which has no next or is its own. Throws when it goes in a circle. */
export function endOf(id: string, next: (id: string) => string | undefined): string {
  const seen = new Set<string>();
  for (let current = id; ;) {
    const following = next(current) ?? current;
    if (following === current) return current;
    if (seen.has(following)) throw new Error('Contacts are merged into each other.');
    seen.add(following);
    current = following;
  }
}

/** Holds the owner of each identity, and the contacts of this set that turned out to be one. */
export class PeopleResolver {
  readonly #contacts: PeopleRead['contacts'];
  readonly #owners = new Map<string, string>();
  readonly #blocked = new Set<string>();
  /** Contacts of this set, and what those that are one with another have become. */
  readonly #unmade = new Map<string, string>();
  readonly #claims = new Map<string, Identity>();

  constructor({ rows, contacts }: PeopleRead) {
    this.#contacts = contacts;
    for (const { _id, contactId, blocked } of rows) {
      if (blocked) this.#blocked.add(_id);
      else this.#owners.set(_id, contactId);
    }
  }

  isBlocked = (lead: Lead): boolean => lead.identities.some(({ _id }) => this.#blocked.has(_id));

  #rootOf = (id: string): string =>
    endOf(id, (one) => this.#contacts.get(one)?.mergedInto ?? this.#unmade.get(one));

  #ownersOf(lead: Lead): string[] {
    const owners = lead.identities.flatMap(({ _id }) => this.#owners.get(_id) ?? []);
    return [...new Set(owners.map((id) => this.#rootOf(id)))];
  }

  /** Whether an identity of the lead has an owner, in the database or in this set. */
  knows = (lead: Lead): boolean => this.#ownersOf(lead).length > 0;

  /** Gives the lead's identities without an owner to its contact. Contacts that only this set knows are no conflict. */
  assign(lead: Lead): void {
    const owners = this.#ownersOf(lead);
    const contactId = owners.find((id) => this.exists(id)) ?? owners[0] ?? newId();
    if (owners.length === 0) this.#unmade.set(contactId, contactId);
    for (const id of owners) if (!this.exists(id)) this.#unmade.set(id, contactId);
    for (const identity of lead.identities) {
      if (this.#owners.has(identity._id)) continue;
      this.#owners.set(identity._id, contactId);
      this.#claims.set(identity._id, identity);
    }
  }

  exists = (contactId: string): boolean => this.contact(contactId) !== null;

  contact(contactId: string): ContactRecord | null {
    const contact = this.#contacts.get(contactId);
    return contact && !contact.erased ? contact : null;
  }

  /** The rows to insert. */
  claims(): IdentityRow[] {
    return [...this.#claims.values()].map((identity) =>
      identityRowOf(identity, this.#rootOf(this.#owners.get(identity._id) ?? '')),
    );
  }

  /** The first identity of an event decides. */
  contactOf = (lead: Lead): string => this.#ownersOf(lead)[0] ?? '';

  /** The leads whose identities belong to several contacts. */
  bridges(leads: readonly Lead[]): Bridge[] {
    return leads.flatMap((lead) => {
      const contactIds = this.#ownersOf(lead);
      if (contactIds.length < 2) return [];
      const named = lead.identities.flatMap(({ _id, kind }) => {
        const owner = this.#owners.get(_id);
        return owner === undefined ? [] : [{ kind, contactId: this.#rootOf(owner) }];
      });
      return [{ lead, contactIds, named }];
    });
  }
}

/**
 * Assigns the leads, and returns those that have a contact. Those that may not create one come last, so that they find the contacts
 * of the others in any order.
 */
export function assignLeads(resolver: PeopleResolver, leads: readonly Lead[]): ReadonlySet<Lead> {
  const creating = leads.filter(({ mayCreateContact }) => mayCreateContact);
  for (const lead of creating) resolver.assign(lead);
  const changing = leads.filter((lead) => !lead.mayCreateContact && resolver.knows(lead));
  for (const lead of changing) resolver.assign(lead);
  return new Set([...creating, ...changing]);
}

/** Returns the rows that their contacts have room for, by the numbers of rows that they have. Events find them by other identities. */
export function withinLimit(
  claims: readonly IdentityRow[],
  counts: ReadonlyMap<string, number>,
): readonly IdentityRow[] {
  const now = new Map(counts);
  return claims.filter(({ contactId }) => {
    const count = now.get(contactId) ?? 0;
    if (count < maxIdentities) now.set(contactId, count + 1);
    return count < maxIdentities;
  });
}
