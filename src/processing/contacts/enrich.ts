/** Enrich: creates the contacts of a set and writes the fields that the leads change, each field by itself. */
import {
  fieldRegisterKey,
  repliedAtRegister,
  threadRegister,
  type ContactRecord,
  type Register,
} from '../../domain/people/contact.ts';
import { partRegisters, withName, type PartRegisters } from '../../domain/people/name-parts.ts';
import { writtenRegister } from '../../domain/people/register-layers.ts';
import { replaces } from '../../domain/people/stamps.ts';
import type { ContactChange, ContactStore } from '../../store/people/contacts.ts';
import type { Lead } from '../read/read-event.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended, requireNoErased } from '../contended.ts';
import type { IdentifyResult } from './contact-resolver.ts';

/** Rounds of an attempt in which another writer may change the same contacts. */
const maxRounds = 5;

/** The registers of a name that the lead has in parts; null for a whole name. */
const partsOf = ({ mapped, event }: Lead): PartRegisters | null =>
  mapped.nameParts ? partRegisters(mapped.nameParts, event.webhookId) : null;

function namesOf(lead: Lead): [string, string | null][] {
  const { contact, nameParts } = lead.mapped;
  const keys = partsOf(lead)?.keys;
  if (!keys) return [['name', contact.name]];
  return keys.map((key, at) => [key, nameParts?.texts[at] ?? null]);
}

function valuesOf(lead: Lead): [string, string][] {
  const { mapped, reply, event, eventDate } = lead;
  const { externalId, phone, email, document, fields } = mapped.contact;
  const values: [string, string | null][] = [
    ...namesOf(lead),
    ...Object.entries({ externalId, phone, email, document }),
    ...Object.entries(fields).map(([key, value]): [string, string | null] => [
      fieldRegisterKey(key),
      value,
    ]),
    [repliedAtRegister, reply ? (eventDate ?? event.receivedAt).toISOString() : null],
    [threadRegister, reply && reply.thread],
  ];
  return values.flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]]));
}

/** The registers in which a lead replaces the value of the contact, each from the lead that ranks last. */
function registersOf(leads: readonly Lead[], known: ContactRecord | undefined) {
  const registers: Record<string, Register> = {};
  for (const lead of leads) {
    for (const [key, value] of valuesOf(lead)) {
      const current = registers[key] ?? (known && writtenRegister(known, key));
      if (!current || replaces(lead.stamp, current.stamp))
        registers[key] = { value, stamp: lead.stamp };
    }
  }
  return registers;
}

export type EnrichDeps = {
  readonly contacts: Pick<ContactStore, 'applyChanges' | 'getMany'>;
  readonly lease: Lease;
};

/** The contact of each event, and what is known of each contact; both change when a contact turns out to be merged. */
type State = {
  readonly contactOf: Map<string, string>;
  readonly known: Map<string, ContactRecord>;
};

export type Enriched = {
  /** By event id, after merges. */
  readonly contactOf: ReadonlyMap<string, string>;
  /** The contacts that this set created. */
  readonly created: ReadonlySet<string>;
};

/** Throws Contended when a contact keeps changing, and LeaseLost. */
export async function enrich(
  deps: EnrichDeps,
  leads: readonly Lead[],
  identified: Pick<IdentifyResult, 'contactOf' | 'contacts'>,
): Promise<Enriched> {
  const state: State = {
    contactOf: new Map(identified.contactOf),
    known: new Map(identified.contacts),
  };
  const created = new Set<string>();
  let open: ReadonlySet<string> = new Set(state.contactOf.values());
  for (let round = 0; open.size > 0; round += 1) {
    if (round === maxRounds) throw new Contended('A contact kept changing under this set.');
    const changes = changesOf(leads, state, open);
    deps.lease.require();
    const unwritten =
      changes.length === 0 ? new Set<string>() : await deps.contacts.applyChanges(changes);
    for (const { contactId, isNew } of changes)
      if (isNew && !unwritten.has(contactId)) created.add(contactId);
    open = unwritten.size === 0 ? unwritten : await reread(deps, state, unwritten);
  }
  return { contactOf: state.contactOf, created };
}

/**
 * Reads the contacts that another writer was faster with, and returns those to write in the next round: an inserted contact
 * is changed, and a tombstone leads to the contact that it was merged into.
 */
async function reread(
  { contacts, lease }: EnrichDeps,
  { contactOf, known }: State,
  unwritten: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  const found = await contacts.getMany([...unwritten]);
  await requireNoErased(found, lease);
  if (found.length < unwritten.size)
    throw new Contended('A contact that exists cannot be read yet.');
  for (const contact of found) {
    const target = contact.mergedInto ?? contact._id;
    if (contact.mergedInto === undefined) known.set(contact._id, contact);
    for (const [eventId, contactId] of contactOf) {
      if (contactId === contact._id) contactOf.set(eventId, target);
    }
    open.add(target);
  }
  return open;
}

function changesOf(
  leads: readonly Lead[],
  { contactOf, known }: State,
  open: ReadonlySet<string>,
): ContactChange[] {
  const byContact = new Map<string, Lead[]>();
  for (const lead of leads) {
    const contactId = contactOf.get(lead.event._id) ?? '';
    if (open.has(contactId)) byContact.set(contactId, [...(byContact.get(contactId) ?? []), lead]);
  }
  return [...byContact].flatMap(([contactId, own]) => {
    const contact = known.get(contactId);
    const changed = registersOf(own, contact);
    const { channelId = '', event } = own[0] ?? {};
    if (contact && Object.keys(changed).length === 0) return [];
    const nameParts = own.map(partsOf).findLast((parts) => parts?.keys.some((key) => changed[key]));
    const registers = nameParts && !contact ? withName(changed, nameParts) : changed;
    return {
      contactId,
      channelId,
      registers,
      ...(nameParts && contact && { nameParts }),
      isNew: contact === undefined,
      test: event?.test?.id,
      isLayered: contact?.beneath !== undefined,
    };
  });
}
