/**
 * What an attempt or a generation before this one left behind: the messages that are there already, and which of them
 * stay where they are.
 *
 * Until its event is first done, a message follows its contact to an open chat. Afterwards it stays for good, except that
 * a later generation moves it to another person, if that is who it was meant for. What somebody outside may have heard
 * of under one person's name is not given to another.
 */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import {
  mayBeKnownOutside,
  messageIdOf,
  type MessageRecord,
} from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import type { ContactStore } from '../../store/people/contacts.ts';
import type { MessageStore } from '../../store/chats/messages.ts';
import type { PendingMessage } from './prepare-messages.ts';

export type EarlierMessages = {
  /** By event id. */
  readonly messages: ReadonlyMap<string, MessageRecord>;
  /** The chats of those that stay, by event id. */
  readonly seats: ReadonlyMap<string, string>;
};

type EarlierDeps = {
  readonly chats: Pick<ChatStore, 'getMany'>;
  readonly messages: Pick<MessageStore, 'getMany'>;
  readonly contacts: Pick<ContactStore, 'getMany'>;
};

export type FindEarlier = (speakers: readonly PendingMessage[]) => Promise<EarlierMessages>;

const nothing: EarlierMessages = { messages: new Map(), seats: new Map() };

/** A first attempt has none, and costs nothing. */
export function createFindEarlier({ chats, messages, contacts }: EarlierDeps): FindEarlier {
  return async function findEarlier(speakers) {
    const again = speakers.filter(
      ({ lead: { event } }) => event.attempts > 1 || event.generation > 0,
    );
    if (again.length === 0) return nothing;
    const ids = again.map(({ lead: { event } }) => messageIdOf(event._id));
    const found = await messages.getMany(ids);
    if (found.length === 0) return nothing;
    const byEvent = new Map(found.map((message) => [message.eventId, message]));
    const known = await chats.getMany(found.map(({ chatId }) => chatId));
    const chatById = new Map(known.map((chat) => [chat._id, chat]));
    const follow = await followerOf(again, byEvent);
    const seats = new Map<string, string>();
    for (const speaker of again) {
      const message = byEvent.get(speaker.lead.event._id);
      if (!message) continue;
      const isSame = speaker.lead.event.generation === 0 || follow(message) === speaker.contactId;
      const chat = chatById.get(message.chatId);
      if (stays({ speaker, message, chat, isSame })) seats.set(message.eventId, message.chatId);
    }
    return { messages: byEvent, seats };
  };

  /** Who a message's contact has turned out to be; asked only where it is another than the event's now. */
  async function followerOf(
    again: readonly PendingMessage[],
    byEvent: ReadonlyMap<string, MessageRecord>,
  ): Promise<(message: MessageRecord) => string> {
    const merged = new Map<string, string>();
    const rootOf = (id: string): string => {
      const next = merged.get(id);
      return next === undefined ? id : rootOf(next);
    };
    const asked = new Set<string>();
    for (;;) {
      const unknown = again.flatMap(({ lead, contactId }) => {
        const message = byEvent.get(lead.event._id);
        const root = message && rootOf(message.contactId);
        const isOpen = lead.event.generation > 0 && root !== contactId;
        return root !== undefined && isOpen && !asked.has(root) ? [root] : [];
      });
      if (unknown.length === 0) return ({ contactId }) => rootOf(contactId);
      for (const id of unknown) asked.add(id);
      for (const { _id, mergedInto } of await contacts.getMany([...new Set(unknown)])) {
        if (mergedInto !== undefined) merged.set(_id, mergedInto);
      }
    }
  }
}

type Case = {
  readonly speaker: PendingMessage;
  readonly message: MessageRecord;
  readonly chat: ChatRecord | undefined;
  /** Whether the message belongs to the person that the event names now. */
  readonly isSame: boolean;
};

function stays({ speaker: { lead }, message, chat, isSame }: Case): boolean {
  if (!isSame) return mayBeKnownOutside(message);
  if (lead.event.effects) return true;
  return chat?.open === true && chat.channelId === lead.channelId;
}
