/**
 * Read API of chats, messages and contacts, with the field names (snake_case) of the platform family.
 *
 * Promises: a chat refers to the surviving contact of merges. A chat without a message is not listed.
 * The worker of a chat is its channel. Chats have no user or protocol, so filters by these match nothing.
 * Tokens are not persons, so `my_chats` selects every chat that is not closed.
 */
import { AppError, invalidQuery } from '../base/errors.ts';
import { chatStatuses, type ChatRecord, type ChatStatus } from '../domain/messages/chat.ts';
import { fieldsOf, type ContactRecord } from '../domain/people/contact.ts';
import type { MessageRecord } from '../domain/messages/message.ts';
import type { Page, Paged } from '../domain/pagination.ts';
import { canonicalPhone, parsePhone, splitPhone } from '../domain/people/phone.ts';
import type { ChatFilter } from '../store/chats/chat-stages.ts';
import { QueryTooSlow } from '../store/event-queries/selection.ts';
import type { ChatView, ContactFilter, InboxStore } from '../store/chats/inbox.ts';

export type WantedStatus = ChatStatus | 'my_chats';
export type WantedChats = Omit<ChatFilter, 'statuses'> & {
  readonly statuses: readonly WantedStatus[];
};

const openStatuses = chatStatuses.filter((status) => status !== 'closed');

const phoneOf = (contact: ContactRecord) => {
  const e164 = contact.registers.phone?.value;
  if (e164 === undefined) return { phone: null, phone_ddi: null };
  const { ddi, national } = splitPhone(e164);
  return { phone: national, phone_ddi: ddi };
};

/** Only test data has the field `test`. */
const testMark = ({ test }: { readonly test?: string }) =>
  test === undefined ? {} : { test: true };

const registerOf = (contact: ContactRecord | null, name: string): string | null =>
  contact?.registers[name]?.value ?? null;

export const presentContact = (contact: ContactRecord) => ({
  id: contact._id,
  name: registerOf(contact, 'name'),
  ...phoneOf(contact),
  email: registerOf(contact, 'email'),
  document: registerOf(contact, 'document'),
  external_id: registerOf(contact, 'externalId'),
  fields: fieldsOf(contact.registers),
  ...testMark(contact),
  created_at: contact.createdAt.toISOString(),
  updated_at: contact.updatedAt.toISOString(),
});

export const presentChat = (chat: ChatView) => ({
  chat_id: chat._id,
  worker: { id: chat.channelId, name: chat.channel?.name ?? '' },
  sector: chat.sector && {
    id: chat.sector._id,
    name: chat.sector.name,
    color: chat.sector.color,
  },
  user: null,
  contact: chat.contact && {
    id: chat.contact._id,
    name: registerOf(chat.contact, 'name'),
    ...phoneOf(chat.contact),
  },
  name: registerOf(chat.contact, 'name'),
  phone: chat.contact && phoneOf(chat.contact).phone,
  status: chat.status,
  date: (chat.lastMessageAt ?? chat.startedAt).toISOString(),
  started_at: chat.startedAt.toISOString(),
  closed_at: chat.closedAt?.toISOString() ?? null,
  labels: chat.labels.map(({ _id, name, color }) => ({
    label_template_id: _id,
    label: name,
    color,
  })),
  unread_count: chat.unread,
  context: {
    origin: chat.opening.origin,
    campaign: chat.opening.campaign,
    fields: Object.fromEntries(chat.opening.fields.map((field) => [field.name, field.value])),
  },
  ...testMark(chat),
});

/** An internal message counts as delivered; an external one when its destination accepted it. */
const isDelivered = ({ delivery }: MessageRecord): boolean =>
  !delivery || delivery.state === 'delivered';

export const presentMessage = (message: MessageRecord, lastReplyAt: Date | null) => ({
  message_id: message._id,
  chat_id: message.chatId,
  type_user: message.typeUser,
  content: { type: message.content.type, message: message.content.message },
  summary: {
    is_sent: isDelivered(message),
    is_delivered: isDelivered(message),
    // A client's message counts as seen once a later reply exists.
    is_seen: lastReplyAt !== null && message.date <= lastReplyAt,
  },
  date: message.date.toISOString(),
  has_quoted: false,
});

function narrower(error: unknown): never {
  if (!(error instanceof QueryTooSlow)) throw error;
  throw invalidQuery(
    'filter_date_start',
    'the query takes too long: filter by dates or channel',
    error,
  );
}

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox({ inbox }: { readonly inbox: InboxStore }) {
  return {
    async listChats({ statuses, ...filter }: WantedChats, page: Page) {
      const wanted = statuses.includes('my_chats')
        ? openStatuses
        : statuses.filter((status) => status !== 'my_chats');
      const found = await inbox.listChats({ ...filter, statuses: wanted }, page).catch(narrower);
      return { ...found, results: found.results.map(presentChat) };
    },

    /** Throws `not_found`. */
    async getChat(id: string): Promise<ChatRecord> {
      const chat = await inbox.getChat(id);
      if (!chat) throw new AppError('not_found');
      return chat;
    },

    async listMessages(chatId: string, page: Page) {
      const [lastReplyAt, found] = await Promise.all([
        inbox.lastReplyAt(chatId),
        inbox.listMessages(chatId, page),
      ]);
      const show = (message: MessageRecord) => presentMessage(message, lastReplyAt);
      return { ...found, results: found.results.map(show) };
    },

    listContacts: (filter: ContactFilter, page: Page): Promise<Paged<ContactRecord>> =>
      inbox.listContacts(filter, page),

    /** Throws `not_found`. Default: all channels. */
    async getByPhone(e164: string, channelIds?: readonly string[]): Promise<ContactRecord> {
      const phone = parsePhone(e164, null);
      const contact = phone && (await inbox.findByPhone(canonicalPhone(phone), channelIds));
      if (!contact) throw new AppError('not_found');
      return contact;
    },

    async getContact(id: string): Promise<ContactRecord> {
      const contact = await inbox.getContact(id);
      if (!contact) throw new AppError('not_found');
      return contact;
    },
  };
}
