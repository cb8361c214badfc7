import { newId } from '../../base/ids.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { ContactStore } from '../../store/people/contacts.ts';
import type { Lead } from '../read/read-event.ts';
import type { Conflict, IdentityRow, OwnedIdentity } from '../../store/people/records.ts';
import { Contended } from '../contended.ts';

export type Bridge = {
  readonly lead: Lead;
  readonly contactIds: readonly string[];
  /** The contact of each identity of the lead. */
  readonly named: Conflict['named'];
};

export type IdentifyResult = {
  /** By event id. */
  readonly contactOf: ReadonlyMap<string, string>;
  /** The contacts that exist, by id; a contact that is missing here has to be created. */
  readonly contacts: ReadonlyMap<string, ContactRecord>;
  readonly bridges: readonly Bridge[];
  /** The ids of events with a blocked identity. */
  readonly blocked: ReadonlySet<string>;
  /** The ids of events that may not create the contact that they name. */
  readonly unknown: ReadonlySet<string>;
  /** The ids of events that name an identity for which their contact has no room. */
  readonly crowded: ReadonlySet<string>;
};

/**
 * Resolves the leads of one set to contacts: holds the identity rows, their contacts, and the ids that turned out to be one
 * person. Only `follow` and `reload` read the contact store. Throws Contended when tombstones point at each other.
 */
export class ContactResolver {
  readonly #owner = new Map<string, string>();
  readonly #contacts = new Map<string, ContactRecord>();
  readonly #aliases = new Map<string, string>();
  readonly #pending = new Set<string>();
  readonly #claims = new Map<string, Omit<IdentityRow, 'contactId'>>();
  readonly #leads: Lead[] = [];

  constructor(rows: readonly OwnedIdentity[]) {
    this.#learn(rows);
  }

  #learn(rows: readonly OwnedIdentity[]): void {
    for (const { _id, contactId, contact } of rows) {
      this.#owner.set(_id, contactId);
      if (contact) this.#keep(contact);
    }
  }

  #keep(contact: ContactRecord): void {
    const { _id, mergedInto } = contact;
    if (mergedInto === undefined) this.#contacts.set(_id, contact);
    else if (this.idOf(mergedInto) !== _id) this.#aliases.set(_id, mergedInto);
    // A cycle of tombstones would be followed for ever.
    else throw new Contended('A merge was undone and made the other way round during the reads.');
  }

  idOf(id: string): string {
    let current = id;
    for (let next = this.#aliases.get(current); next; next = this.#aliases.get(current))
      current = next;
    return current;
  }

  alias(gone: string, id: string): void {
    const root = this.idOf(id);
    if (root !== gone) this.#aliases.set(gone, root);
  }

  /** Reads the contacts that tombstones point at, until all are known. */
  async follow(contacts: ContactStore): Promise<void> {
    const asked = new Set<string>();
    for (;;) {
      const unknown = [...new Set([...this.#aliases.values()].map((id) => this.idOf(id)))].filter(
        (id) => !this.#contacts.has(id) && !asked.has(id),
      );
      if (unknown.length === 0) return;
      for (const id of unknown) asked.add(id);
      for (const contact of await contacts.getMany(unknown)) this.#keep(contact);
    }
  }

  async reload(contacts: ContactStore): Promise<void> {
    const ids = new Set([...this.#owner.values()].map((id) => this.idOf(id)));
    for (const contact of await contacts.getMany([...ids])) this.#keep(contact);
    await this.follow(contacts);
  }

  #ownersOf(lead: Lead): string[] {
    const owners = lead.identities.flatMap(({ _id }) => {
      const owner = this.#owner.get(_id);
      return owner === undefined ? [] : [this.idOf(owner)];
    });
    return [...new Set(owners)];
  }

  #namedBy(lead: Lead): Conflict['named'] {
    return lead.identities.flatMap(({ _id, kind }) => {
      const owner = this.#owner.get(_id);
      return owner === undefined ? [] : [{ kind, contactId: this.idOf(owner) }];
    });
  }

  /** Whether an identity of the lead has an owner, in the database or in this set. */
  knows(lead: Lead): boolean {
    return this.#ownersOf(lead).length > 0;
  }

  /** Gives the lead's identities without an owner to its contact. Contacts that only this set knows are no conflict. */
  assign(lead: Lead): void {
    this.#leads.push(lead);
    const owners = this.#ownersOf(lead);
    const settled = owners.filter((id) => !this.#pending.has(id));
    const contactId = settled[0] ?? owners[0] ?? newId();
    if (owners.length === 0) this.#pending.add(contactId);
    for (const id of owners) if (this.#pending.has(id)) this.alias(id, contactId);
    for (const identity of lead.identities) {
      if (this.#owner.has(identity._id)) continue;
      this.#owner.set(identity._id, contactId);
      this.#claims.set(identity._id, identity);
    }
  }

  /** Whether the contact was read, and is none that this set creates. */
  exists(id: string): boolean {
    return this.#contacts.has(id);
  }

  claims(): IdentityRow[] {
    return [...this.#claims.values()].map((identity) => ({
      ...identity,
      contactId: this.idOf(this.#owner.get(identity._id) ?? ''),
    }));
  }

  /**
   * Takes over the rows that other workers won. A contact of this set that won no row has no other reference: it is dropped,
   * and its leads follow their rows.
   */
  acceptWinners(rows: readonly OwnedIdentity[], won: readonly IdentityRow[]): void {
    const named = new Set(won.map(({ contactId }) => contactId));
    for (const row of rows) {
      const mine = this.idOf(this.#owner.get(row._id) ?? '');
      const isUnknown = this.#pending.has(mine) && !named.has(mine);
      this.#learn([row]);
      if (isUnknown) this.alias(mine, this.idOf(row.contactId));
    }
  }

  /** Returns the contacts of each lead whose rows name several, of which at least one does not exist yet. */
  splitLeads(): { channelId: string; contactIds: string[] }[] {
    return this.#leads.flatMap((lead) => {
      const contactIds = this.#ownersOf(lead);
      const isOpen = contactIds.some((id) => !this.#contacts.has(id));
      return contactIds.length > 1 && isOpen ? [{ channelId: lead.channelId, contactIds }] : [];
    });
  }

  /** Returns the rows won by this set whose contact turned out to be another. */
  moved(won: readonly IdentityRow[]): { from: string; to: string; rowIds: string[] }[] {
    const moves = new Map<string, string[]>();
    for (const { _id, contactId } of won) {
      if (this.idOf(contactId) !== contactId)
        moves.set(contactId, [...(moves.get(contactId) ?? []), _id]);
    }
    return [...moves].map(([from, rowIds]) => ({ from, to: this.idOf(from), rowIds }));
  }

  result(leads: readonly Lead[]): Omit<IdentifyResult, 'blocked' | 'unknown' | 'crowded'> {
    const contactOf = new Map<string, string>();
    const bridges: Bridge[] = [];
    for (const lead of leads) {
      const contactIds = this.#ownersOf(lead);
      contactOf.set(lead.event._id, contactIds[0] ?? '');
      if (contactIds.length > 1) bridges.push({ lead, contactIds, named: this.#namedBy(lead) });
    }
    return { contactOf, contacts: this.#contacts, bridges };
  }
}
