/** Presents a contact in a list and in detail. */
import {
  fieldRegisterKey,
  fieldsOf,
  writerKeyOf,
  type ContactRecord,
  type Register,
} from '../../domain/people/contact.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { registerSourceOf, writtenRegister } from '../../domain/people/register-layers.ts';
import type { PeopleStore } from '../../store/people/people.ts';

const fieldPrefix = 'fields.';

/** Converts a pin of the API (`name`, `fields.city`) to a register key. */
export const pinToRegisterKey = (pin: string): string =>
  pin.startsWith(fieldPrefix) ? fieldRegisterKey(pin.slice(fieldPrefix.length)) : pin;

export const registerKeyToPin = (key: string): string =>
  key.startsWith('f:') ? fieldPrefix + decodeURIComponent(key.slice(2)) : key;

export type ContactStatus = 'active' | 'merged' | 'erased';

const statusOf = ({ erased, mergedInto }: ContactRecord): ContactStatus => {
  if (erased) return 'erased';
  return mergedInto === undefined ? 'active' : 'merged';
};

export const presentContact = (contact: ContactRecord) => {
  const { registers, pins = {} } = contact;
  return {
    id: contact._id,
    channelId: contact.channelId,
    status: statusOf(contact),
    mergedInto: contact.mergedInto ?? null,
    name: registers.name?.value ?? null,
    phone: registers.phone?.value ?? null,
    email: registers.email?.value ?? null,
    document: registers.document?.value ?? null,
    externalId: registers.externalId?.value ?? null,
    fields: fieldsOf(registers),
    pins: Object.keys(pins).map(registerKeyToPin).toSorted(),
    createdAt: contact.createdAt.toISOString(),
    updatedAt: contact.updatedAt.toISOString(),
  };
};

type Found = NonNullable<Awaited<ReturnType<PeopleStore['readDetails']>>>;

/** The source of each effective value, and the value that it overrides. */
function presentRegisters({ contact, members, events }: Found) {
  const writers = new Map(events.map((event) => [writerKeyOf(event), event]));
  const from = (key: string, { stamp }: Register) =>
    members.find(({ registers }) => registers[key]?.stamp === stamp)?._id ?? null;
  const entries = Object.entries(contact.registers).map(([key, register]) => {
    const { by, rank, at, tie } = registerSourceOf(register);
    const written = writtenRegister(contact, key);
    const isOwn = written?.stamp === register.stamp;
    const isPinned = contact.pins?.[key]?.stamp === register.stamp;
    return {
      field: registerKeyToPin(key),
      value: register.value,
      pinned: isPinned,
      by,
      rank,
      at,
      eventId: (tie && writers.get(tie)?._id) || null,
      contactId: isOwn || isPinned ? null : from(key, register),
      beneath: isOwn ? null : (written?.value ?? null),
    };
  });
  return entries.toSorted((a, b) => (a.field < b.field ? -1 : 1));
}

const whatEventDid = (event: EventRecord) => ({
  at: event.receivedAt.toISOString(),
  kind: 'event' as const,
  eventId: event._id,
  what: event.eventType,
  by: null,
  contactId: event.effects?.contactId ?? null,
});

/** History entries of merges into other contacts: the audit row of a merge belongs to the survivor. */
function presentMerges({ merges, family }: Found) {
  const own = new Set(family);
  return merges
    .filter(({ survivorId }) => !own.has(survivorId))
    .flatMap(({ mergedId, createdAt, createdBy, undoneAt, undoneBy }) => [
      noted({ at: createdAt, what: 'contact.merge', by: createdBy.name, contactId: mergedId }),
      ...(undoneAt && undoneBy
        ? [noted({ at: undoneAt, what: 'contact.unmerge', by: undoneBy.name, contactId: mergedId })]
        : []),
    ]);
}

type Noted = { at: Date; what: string; by: string; contactId: string };
const noted = ({ at, ...rest }: Noted) => ({
  at: at.toISOString(),
  kind: 'change' as const,
  eventId: null,
  ...rest,
});

function presentHistory(found: Found) {
  const { events, changes } = found;
  const changed = changes.map(({ at, action, actor, target }) =>
    noted({ at, what: action, by: actor.name, contactId: target.id }),
  );
  const all = [...events.map(whatEventDid), ...changed, ...presentMerges(found)];
  return all.toSorted((a, b) => (a.at > b.at ? -1 : 1));
}

const isStanding =
  ({ family }: Found) =>
  ({ survivorId, undoneAt }: Found['merges'][number]): boolean =>
    undoneAt === null && family.includes(survivorId);

export const presentWholeContact = (found: Found) => ({
  ...presentContact(found.contact),
  registers: presentRegisters(found),
  identities: found.identities.map(({ kind, value, contactId }) => {
    const isScoped = kind === 'externalId';
    const [webhookId = '', ...rest] = value.split(':');
    return {
      kind,
      value: isScoped ? rest.join(':') : value,
      webhookId: isScoped ? webhookId : null,
      contactId,
    };
  }),
  chats: found.chats.map((chat) => ({
    id: chat._id,
    status: chat.status,
    startedAt: chat.startedAt.toISOString(),
    closedAt: chat.closedAt?.toISOString() ?? null,
    lastMessageAt: chat.lastMessageAt?.toISOString() ?? null,
    contactId: chat.contactId,
  })),
  merges: found.merges.filter(isStanding(found)).map((merge) => ({
    id: merge._id,
    survivorId: merge.survivorId,
    mergedId: merge.mergedId,
    at: merge.createdAt.toISOString(),
    by: merge.createdBy.name,
  })),
  history: presentHistory(found),
});
export type WholeContact = ReturnType<typeof presentWholeContact>;
