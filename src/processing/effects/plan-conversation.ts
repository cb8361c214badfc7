/**
 * Plans the chat of each lead, and its message there, from what one snapshot holds.
 *
 * Promises: at most one open chat for each contact; one message for each event. The message of a replayed event stays in its chat,
 * except that it moves to the contact that the event identifies now. A message that a destination may know under one contact is
 * never given to another, and keeps its text.
 */
import { newId } from '../../base/ids.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import { newDelivery } from '../../domain/messages/delivery.ts';
import { mayBeKnownOutside, type EventMessage } from '../../domain/messages/message.ts';
import type { MessageUpdate } from '../../store/effects/effect-writes.ts';
import { ChatDraft } from './chat-draft.ts';
import { dateOf, type PreparedLead } from './prepare-leads.ts';

export type PlacedLead = PreparedLead & { readonly contactId: string };

type ConversationRead = {
  /** The open chats of the contacts, and those of the messages that exist. */
  readonly chats: readonly ChatRecord[];
  /** Of replayed events, by event id. */
  readonly messages: ReadonlyMap<string, EventMessage>;
  /** The chat of each message that a lead says it answers. */
  readonly quotedIn: ReadonlyMap<string, string>;
  /** Returns the contact that a contact was merged into. */
  readonly rootOf: (contactId: string) => string;
  readonly now: Date;
};

export class ConversationPlan {
  readonly #read: ConversationRead;
  readonly #chats = new Map<string, ChatDraft>();
  /** The open chat of each contact. */
  readonly #open = new Map<string, ChatDraft>();
  readonly newMessages: EventMessage[] = [];
  readonly messages: MessageUpdate[] = [];
  /** By event id. */
  readonly chatOf = new Map<string, string>();
  /** The contacts that get a chat. */
  readonly opened = new Set<string>();
  /** Chats that messages leave. */
  readonly left = new Set<ChatDraft>();

  constructor(read: ConversationRead) {
    this.#read = read;
    for (const chat of read.chats) {
      const draft = ChatDraft.stored(chat);
      this.#chats.set(chat._id, draft);
      if (chat.open) this.#open.set(chat.contactId, draft);
    }
  }

  get drafts(): readonly ChatDraft[] {
    return [...this.#chats.values()];
  }

  /** To be called in the order of the stamps. */
  add(placed: PlacedLead): void {
    const stored = this.#read.messages.get(placed.lead.event._id);
    if (!stored) this.#addMessage(placed);
    else if (this.#stays(placed, stored)) this.#keepMessage(placed, stored);
    else this.#moveMessage(placed, stored);
  }

  #stays({ lead, contactId }: PlacedLead, stored: EventMessage): boolean {
    if (this.#read.rootOf(stored.contactId) !== contactId) return mayBeKnownOutside(stored);
    const chat = this.#chats.get(stored.chatId)?.record;
    if (!chat) return false;
    return lead.event.effects !== null || (chat.open === true && chat.channelId === lead.channelId);
  }

  #addMessage(placed: PlacedLead): void {
    const chat = this.#joinOpenChat(placed);
    const quotedId = placed.lead.reply?.quotedId ?? null;
    // The sender claims it, so it counts only in the own chat of the person.
    const isQuoted = quotedId !== null && this.#read.quotedIn.get(quotedId) === chat.record._id;
    this.newMessages.push({
      ...messageOf(placed, { chatId: chat.record._id, createdAt: this.#read.now }),
      ...(isQuoted && { quotedId }),
    });
    this.#receive(placed, chat);
  }

  #keepMessage(placed: PlacedLead, stored: EventMessage): void {
    const chat = this.#chats.get(stored.chatId);
    if (chat?.record.open) chat.join(placed.opening, placed.labelIds);
    this.#change(stored, { changed: rewritten(placed, stored), isWithdrawn: false });
    if (chat) this.#receive(placed, chat);
    else this.chatOf.set(placed.lead.event._id, stored.chatId);
  }

  #moveMessage(placed: PlacedLead, stored: EventMessage): void {
    const { lead, contactId } = placed;
    const chat = this.#joinOpenChat(placed);
    const { _id: chatId } = chat.record;
    const left = this.#chats.get(stored.chatId);
    if (left && left !== chat) this.left.add(left);
    const isOtherChannel = stored.channelId !== lead.channelId;
    const delivery = isOtherChannel && lead.goesOutside ? newDelivery(lead.event.trace) : null;
    const place = { chatId, contactId, channelId: lead.channelId };
    this.#change(stored, {
      changed: { ...rewritten(placed, stored), ...place, ...(delivery && { delivery }) },
      isWithdrawn: isOtherChannel && !delivery,
    });
    this.#receive(placed, chat);
  }

  #change({ _id: messageId }: EventMessage, change: Omit<MessageUpdate, 'messageId'>): void {
    if (Object.keys(change.changed).length > 0) this.messages.push({ messageId, ...change });
  }

  #receive({ lead }: PlacedLead, chat: ChatDraft): void {
    chat.receive(dateOf(lead));
    this.chatOf.set(lead.event._id, chat.record._id);
  }

  #joinOpenChat(placed: PlacedLead): ChatDraft {
    const { contactId, opening, labelIds } = placed;
    const known = this.#open.get(contactId);
    if (known) {
      known.join(opening, labelIds);
      return known;
    }
    const chat = ChatDraft.opened(newChat(placed, this.#read.now));
    this.#chats.set(chat.record._id, chat);
    this.#open.set(contactId, chat);
    this.opened.add(contactId);
    return chat;
  }
}

const newChat = ({ lead, contactId, opening, labelIds }: PlacedLead, now: Date): ChatRecord => ({
  _id: newId(),
  channelId: lead.channelId,
  ...(lead.event.test && { test: lead.event.test.id }),
  contactId,
  status: 'ura_webhook',
  open: true,
  opening,
  labelIds,
  lastMessageAt: null,
  startedAt: now,
  closedAt: null,
});

const messageOf = (
  { lead, contactId }: PlacedLead,
  { chatId, createdAt }: Pick<EventMessage, 'chatId' | 'createdAt'>,
): EventMessage => ({
  _id: lead.event._id,
  webhookId: lead.event.webhookId,
  channelId: lead.channelId,
  contactId,
  chatId,
  ...(lead.event.test && { test: lead.event.test.id }),
  typeUser: 'client',
  content: { type: 'text', message: lead.text },
  date: dateOf(lead),
  createdAt,
  ...(lead.event.generation > 0 && { generation: lead.event.generation }),
  ...(lead.goesOutside && { delivery: newDelivery(lead.event.trace) }),
});

/** The text of a later generation, unless a destination may have received the earlier text. */
const rewritten = ({ lead }: PlacedLead, stored: EventMessage): Partial<EventMessage> =>
  mayBeKnownOutside(stored) || (stored.generation ?? 0) >= lead.event.generation
    ? {}
    : {
        content: { type: 'text', message: lead.text },
        date: dateOf(lead),
        generation: lead.event.generation,
      };
