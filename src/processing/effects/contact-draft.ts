/** A contact while the leads of a set are applied to it one by one, and the write that results. */
import {
  fieldRegisterKey,
  repliedAtRegister,
  threadRegister,
  type ContactRecord,
  type Register,
} from '../../domain/people/contact.ts';
import {
  partRegisters,
  withNameOfParts,
  type PartRegisters,
} from '../../domain/people/name-parts.ts';
import { writeRegisters, writtenRegister } from '../../domain/people/register-layers.ts';
import type { ContactUpdate } from '../../store/effects/effect-writes.ts';
import type { Lead } from '../read/read-event.ts';

type Layers = Pick<ContactRecord, 'registers' | 'beneath'>;

const nothing: Layers = { registers: {} };

export class ContactDraft {
  readonly #contactId: string;
  /** Null for a contact that the set creates. */
  readonly #before: ContactRecord | null;
  #now: Layers;
  #first: Lead | null = null;
  #isReliedOn = false;

  constructor(contactId: string, before: ContactRecord | null) {
    this.#contactId = contactId;
    this.#before = before;
    this.#now = before ?? nothing;
  }

  apply(lead: Lead): void {
    this.#first ??= lead;
    const parts = partsOf(lead);
    const written = writeRegisters(this.#now, registersOf(lead));
    const hasNewPart = parts?.keys.some(
      (key) => writtenRegister(written, key) !== writtenRegister(this.#now, key),
    );
    this.#now = parts && hasNewPart ? withNameOfParts(this.#now, written, parts) : written;
  }

  /** The set relies on the contact as it is: a merge or an erasure at the same time must conflict. */
  relyOn(): void {
    this.#isReliedOn = true;
  }

  inserted(now: Date): ContactRecord | null {
    if (this.#before || !this.#first) return null;
    const { channelId, event } = this.#first;
    return {
      _id: this.#contactId,
      channelId,
      ...(event.test && { test: event.test.id }),
      registers: this.#now.registers,
      createdAt: now,
      updatedAt: now,
    };
  }

  update(): ContactUpdate | null {
    const [before, now] = [this.#before, this.#now];
    if (!before || (now === before && !this.#isReliedOn)) return null;
    if (now === before) return { contactId: this.#contactId, changed: null };
    const registers = Object.fromEntries(
      Object.entries(now.registers).filter(([key, value]) => value !== before.registers[key]),
    );
    const beneath = before.beneath && !now.beneath ? null : now.beneath;
    return {
      contactId: this.#contactId,
      changed: { registers, ...(beneath !== undefined && { beneath }) },
    };
  }
}

/** The registers of a name that the lead has in parts; null for a whole name. */
const partsOf = ({ mapped, event }: Lead): PartRegisters | null =>
  mapped.nameParts ? partRegisters(mapped.nameParts, event.webhookId) : null;

function namesOf(lead: Lead): [string, string | null][] {
  const { contact, nameParts } = lead.mapped;
  const keys = partsOf(lead)?.keys;
  if (!keys) return [['name', contact.name]];
  return keys.map((key, at) => [key, nameParts?.texts[at] ?? null]);
}

/** What the lead says of its contact. An empty value says nothing. */
function registersOf(lead: Lead): Readonly<Record<string, Register>> {
  const { mapped, reply, event, eventDate, stamp } = lead;
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
  return Object.fromEntries(
    values.flatMap(([key, value]) =>
      value === null || value === '' ? [] : [[key, { value, stamp }]],
    ),
  );
}
