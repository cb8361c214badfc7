/**
 * Finds the messages that an earlier attempt or generation of these events stored, and decides which of them do not move.
 *
 * Until its event is first done, a message follows its contact to an open chat. Afterwards it stays, except that a later
 * generation moves it to the contact that the event identifies now. A message that a destination may know under one
 * contact is never given to another.
 */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import { mayBeKnownOutside, type EventMessage } from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import type { ContactStore } from '../../store/people/contacts.ts';
import type { MessageStore } from '../../store/chats/messages.ts';
import type { PendingMessage } from './prepare-messages.ts';

type EarlierMessages = {
  /** By event id. */
  readonly messages: ReadonlyMap<string, EventMessage>;
  /** The chats of the messages that do not move, by event id. */
  readonly chatOf: ReadonlyMap<string, string>;
  /** The open chats that may lack what these events give them: the events were never done, or are replayed. By event id. */
  readonly unfinished: ReadonlyMap<string, ChatRecord>;
};

export type EarlierMessagesDeps = {
  readonly chats: Pick<ChatStore, 'getMany'>;
  readonly messages: Pick<MessageStore, 'getMany'>;
  readonly contacts: Pick<ContactStore, 'getMany'>;
};

const none: EarlierMessages = {
  messages: new Map(),
  chatOf: new Map(),
  unfinished: new Map(),
};

/** Reads nothing when every event is at its first attempt. */
export async function findEarlierMessages(
  deps: EarlierMessagesDeps,
  pending: readonly PendingMessage[],
): Promise<EarlierMessages> {
  const again = pending.filter(({ lead: { event } }) => event.attempts > 1 || event.generation > 0);
  if (again.length === 0) return none;
  const ids = again.map(({ lead: { event } }) => event._id);
  const found = await deps.messages.getMany(ids);
  if (found.length === 0) return none;
  const messages = new Map(found.map((message) => [message.eventId, message]));
  const chats = await deps.chats.getMany(found.map(({ chatId }) => chatId));
  const chatById = new Map(chats.map((chat) => [chat._id, chat]));
  const mergedContactOf = await followMerges(deps, again, messages);
  const chatOf = new Map<string, string>();
  const unfinished = new Map<string, ChatRecord>();
  for (const one of again) {
    const { event } = one.lead;
    const message = messages.get(event._id);
    if (!message) continue;
    const isSamePerson = event.generation === 0 || mergedContactOf(message) === one.contactId;
    const chat = chatById.get(message.chatId);
    if (!stays({ pending: one, message, chat, isSamePerson })) continue;
    chatOf.set(event._id, message.chatId);
    if (chat?.open && (!event.effects || event.generation > 0)) unfinished.set(event._id, chat);
  }
  return { messages, chatOf, unfinished };
}

/**
 * Returns a function from a message to the contact that its contact was merged into. Contacts are read only where a message
 * of a later generation has another contact than its event has now.
 */
async function followMerges(
  { contacts }: EarlierMessagesDeps,
  again: readonly PendingMessage[],
  messages: ReadonlyMap<string, EventMessage>,
): Promise<(message: EventMessage) => string> {
  const merged = new Map<string, string>();
  const rootOf = (id: string): string => {
    const next = merged.get(id);
    return next === undefined ? id : rootOf(next);
  };
  const read = new Set<string>();
  for (;;) {
    const unknown = again.flatMap(({ lead, contactId }) => {
      const message = messages.get(lead.event._id);
      const root = message && rootOf(message.contactId);
      const isOpen = lead.event.generation > 0 && root !== contactId;
      return root !== undefined && isOpen && !read.has(root) ? [root] : [];
    });
    if (unknown.length === 0) return ({ contactId }) => rootOf(contactId);
    for (const id of unknown) read.add(id);
    for (const { _id, mergedInto } of await contacts.getMany([...new Set(unknown)])) {
      if (mergedInto !== undefined) merged.set(_id, mergedInto);
    }
  }
}

type Case = {
  readonly pending: PendingMessage;
  readonly message: EventMessage;
  readonly chat: ChatRecord | undefined;
  /** Whether the message belongs to the contact that the event identifies now. */
  readonly isSamePerson: boolean;
};

function stays({ pending: { lead }, message, chat, isSamePerson }: Case): boolean {
  if (!isSamePerson) return mayBeKnownOutside(message);
  // An attempt that ended between the message and its chat has not opened the chat.
  if (!chat) return false;
  if (lead.event.effects) return true;
  return chat.open === true && chat.channelId === lead.channelId;
}
