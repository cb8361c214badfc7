// What two writers left, in a form that can be compared between runs, and what holds after any of them.
import type { Field } from './race-field.ts';
import { readCollections, type Document } from '../services/documents.ts';

const names = [
  'events',
  'identities',
  'contacts',
  'chats',
  'messages',
  'conflicts',
  'labels',
  'agents',
  'sets',
  'merges',
] as const;
type Found = Record<(typeof names)[number], Document[]>;

const readAll = ({ context }: Field): Promise<Found> => readCollections(context.connection, names);

export const byText = (a: unknown, b: unknown): number =>
  JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;

/** The state of the database without ids and times. */
export async function stateOf(field: Field) {
  const found = await readAll(field);
  const { events, contacts, conflicts, identities, messages } = found;
  const withMessage = new Set(messages.map(({ _id }) => _id));
  return {
    events: events
      .map((event) => ({
        externalId: event.externalId,
        item: event.itemIndex,
        state: event.state,
        reason: event.reason,
        attempts: event.attempts,
        crashes: event.crashes,
        generation: event.generation,
        deliveries: event.deliveries,
        items: event.items,
        isErased: event.erased === true,
        isStripped: event.strippedAt !== undefined,
        hasMessage: withMessage.has(event._id),
      }))
      .toSorted(byText),
    contacts: contacts
      .filter(({ mergedInto, erased }) => mergedInto === undefined && !erased)
      .map((contact) => contactView(field, contact, found))
      .toSorted(byText),
    merged: contacts.filter(({ mergedInto }) => mergedInto !== undefined).length,
    blocked: identities.filter(({ blocked }) => blocked).length,
    conflicts: conflicts.map(({ resolution = null }) => resolution).toSorted(byText),
  };
}

type Registers = Record<string, { readonly value: string }>;

function contactView({ otherChannelId }: Field, contact: Document, found: Found) {
  const { labels, agents, messages } = found;
  const nameOf = new Map([...labels, ...agents].map(({ _id, name }) => [_id, name]));
  const namesOf = (ids: unknown) =>
    (ids as string[] | undefined)?.map((id) => nameOf.get(id)).toSorted(byText);
  return {
    registers: Object.entries(contact.registers as Registers)
      .map(([key, { value }]) => [key, value])
      .toSorted(byText),
    pins: Object.keys((contact.pins as object | undefined) ?? {}).toSorted(),
    isElsewhere: contact.channelId === otherChannelId,
    identities: found.identities
      .filter(({ contactId }) => contactId === contact._id)
      .map(({ kind, value }) => [kind, value])
      .toSorted(byText),
    members: ((contact.members as string[] | undefined) ?? []).length,
    chats: found.chats
      .filter(({ contactId, forwardsTo }) => contactId === contact._id && !forwardsTo)
      .map((chat) => ({
        status: chat.status,
        isOpen: chat.open === true,
        isElsewhere: chat.channelId === otherChannelId,
        agent: nameOf.get((chat.agent as { agentId: string } | null | undefined)?.agentId ?? ''),
        joined: (chat.joined as unknown[] | undefined)?.length ?? 0,
        origin: (chat.opening as { origin: unknown }).origin,
        labels: namesOf(chat.labelIds),
        removed: namesOf(chat.removedLabelIds) ?? [],
        messages: messages
          .filter(({ chatId }) => chatId === chat._id)
          .map(({ typeUser, content }) => [typeUser, (content as { message: string }).message])
          .toSorted(byText),
      }))
      .toSorted(byText),
  };
}

/** `isKept`: messages and chats may outlive their events, which retention deletes. */
export async function expectSound(field: Field, { isKept = false } = {}): Promise<void> {
  const { events, contacts, chats, messages, identities, sets } = await readAll(field);
  const [eventOf, contactOf, chatOf] = [events, contacts, chats].map(
    (all) => new Map(all.map((one) => [one._id, one])),
  ) as [Map<unknown, Document>, Map<unknown, Document>, Map<unknown, Document>];
  const rootOf = (id: unknown): unknown => {
    const mergedInto = contactOf.get(id)?.mergedInto;
    return mergedInto === undefined ? id : rootOf(mergedInto);
  };
  const isGone = (id: unknown): boolean => {
    const contact = contactOf.get(rootOf(id));
    return !contact || contact.erased === true;
  };
  const orphans = {
    sets,
    // A body that was changed while it was split keeps the mark until its outcome.
    locked: events.filter(({ lock, state }) => lock !== undefined && state === 'done'),
    open: events.filter(({ open }) => open),
    events: messages.filter(({ _id, webhookId }) => webhookId && !isKept && !eventOf.has(_id)),
    chats: messages.filter(({ chatId }) => !chatOf.has(chatId)),
    contacts: [...messages, ...chats].filter(({ contactId }) => isGone(contactId)),
    identities: identities.filter(({ contactId, blocked }) => !blocked && isGone(contactId)),
    strangers: messages.filter(({ contactId, chatId }) => {
      const chat = chatOf.get(chatId);
      const owners = [chat?.contactId, ...((chat?.formerContactIds as string[] | undefined) ?? [])];
      return chat && !owners.map(rootOf).includes(rootOf(contactId));
    }),
    lost: events.filter(({ _id, state, effects, items, erased }) => {
      const isDone = state === 'done' && effects !== null && items === null && !erased;
      return isDone && !messages.some((message) => message._id === _id);
    }),
    unlisted: messages.filter(({ webhookId, chatId, date }) => {
      if (!webhookId) return false;
      const last = chatOf.get(chatId)?.lastMessageAt as Date | null | undefined;
      return chatOf.has(chatId) && !(last && last >= (date as Date));
    }),
  };
  const found = Object.entries(orphans).flatMap(([name, all]) =>
    all.map(({ _id }) => [name, _id] as const),
  );
  expect(found).toEqual([]);
  const open = chats
    .filter((chat) => chat.open && !chat.forwardsTo)
    .map(({ contactId, channelId }) => `${String(rootOf(contactId))} ${String(channelId)}`);
  expect(new Set(open).size).toBe(open.length);
}
