/** Enrich: what the leads say of their contacts, field by field, written only where it changes something. */
import {
  fieldRegisterKey,
  type ContactRecord,
  type Register,
} from '../../domain/people/contact.ts';
import { writtenRegister } from '../../domain/people/register-layers.ts';
import type { ContactChange, ContactStore } from '../../store/people/contacts.ts';
import type { Lead } from '../read/read-event.ts';
import type { Lease } from '../claim/lease.ts';
import type { IdentifyResult } from './contact-resolver.ts';

/** A contact that others keep turning into a tombstone is given up for this attempt. */
const maxRounds = 5;

/** Others are in the way, or what they wrote is not seen yet (the first reads after a fail-over): it is tried again. */
export class Contended extends Error {
  override readonly name = 'Contended';
}

/** Of a person who was forgotten: this event may be theirs, and then the claim has it no more; else it begins anew. */
export async function requireStanding(
  found: readonly (Pick<ContactRecord, 'erased'> | null)[],
  lease: Lease,
): Promise<void> {
  if (!found.some((contact) => contact?.erased)) return;
  await lease.verify();
  throw new Contended('A person was forgotten while an event was on the way.');
}

function valuesOf({ mapped }: Lead): [string, string][] {
  const { externalId, name, phone, email, document, fields } = mapped.contact;
  const values: [string, string | null][] = [
    ...Object.entries({ externalId, name, phone, email, document }),
    ...Object.entries(fields).map(([key, value]): [string, string | null] => [
      fieldRegisterKey(key),
      value,
    ]),
  ];
  return values.flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]]));
}

/** The greatest stamp of each register among the leads, where it beats what the contact has. */
function registersOf(leads: readonly Lead[], known: ContactRecord | undefined) {
  const registers: Record<string, Register> = {};
  for (const lead of leads) {
    for (const [key, value] of valuesOf(lead)) {
      const current = registers[key] ?? (known && writtenRegister(known, key));
      if (!current || lead.stamp > current.stamp) registers[key] = { value, stamp: lead.stamp };
    }
  }
  return registers;
}

/** Makes and changes the contacts; returns each event's contact as it is in the end. */
export type Enrich = (
  leads: readonly Lead[],
  identified: IdentifyResult,
  lease: Lease,
) => Promise<ReadonlyMap<string, string>>;

export function createEnrich(contacts: Pick<ContactStore, 'apply' | 'getMany'>): Enrich {
  return async function enrich(leads, { contactOf, contacts: known }, lease) {
    const final = new Map(contactOf);
    const current = new Map(known);
    let open = new Set(final.values());
    for (let round = 0; open.size > 0; round += 1) {
      if (round === maxRounds) throw new Contended('A contact kept changing under this set.');
      const changes = changesOf(leads, { final, current, open });
      lease.require();
      const met = changes.length === 0 ? new Set<string>() : await contacts.apply(changes);
      open = met.size === 0 ? met : await follow(met, { final, current, lease });
    }
    return final;
  };

  type State = {
    final: Map<string, string>;
    current: Map<string, ContactRecord>;
    lease: Lease;
  };

  /** What stood in the way: another's insert is changed in the next round, a tombstone leads on. */
  async function follow(
    met: ReadonlySet<string>,
    { final, current, lease }: State,
  ): Promise<Set<string>> {
    const open = new Set<string>();
    const found = await contacts.getMany([...met]);
    await requireStanding(found, lease);
    if (found.length < met.size) throw new Contended('A contact that is there cannot be read yet.');
    for (const contact of found) {
      const target = contact.mergedInto ?? contact._id;
      if (contact.mergedInto === undefined) current.set(contact._id, contact);
      for (const [eventId, contactId] of final) {
        if (contactId === contact._id) final.set(eventId, target);
      }
      open.add(target);
    }
    return open;
  }
}

function changesOf(
  leads: readonly Lead[],
  state: {
    final: ReadonlyMap<string, string>;
    current: ReadonlyMap<string, ContactRecord>;
    open: ReadonlySet<string>;
  },
): ContactChange[] {
  const { final, current, open } = state;
  const byContact = new Map<string, Lead[]>();
  for (const lead of leads) {
    const contactId = final.get(lead.event._id) ?? '';
    if (open.has(contactId)) byContact.set(contactId, [...(byContact.get(contactId) ?? []), lead]);
  }
  return [...byContact].flatMap(([contactId, own]) => {
    const known = current.get(contactId);
    const registers = registersOf(own, known);
    const { channelId = '', event } = own[0] ?? {};
    return known && Object.keys(registers).length === 0
      ? []
      : [
          {
            contactId,
            channelId,
            registers,
            isNew: known === undefined,
            test: event?.test?.id,
            isLayered: known?.beneath !== undefined,
          },
        ];
  });
}
