/**
 * Read API of chats, messages and contacts, with the field names (snake_case) of the platform family.
 *
 * Promises: a chat refers to the surviving contact of merges. A chat without a message is not listed.
 * The worker of a chat is its channel. Chats have no user or protocol, so filters by these match nothing.
 * Tokens are not persons, so `my_chats` selects every chat that is not closed.
 */
import { invalidQuery, orNotFound } from '../base/errors.ts';
import { chatStatuses, type ChatRecord, type ChatStatus } from '../domain/messages/chat.ts';
import type { ContactRecord } from '../domain/people/contact.ts';
import type { Page } from '../domain/pagination.ts';
import { canonicalPhone, parsePhone } from '../domain/people/phone.ts';
import type { ChatFilter } from '../store/chats/chat-stages.ts';
import { QueryTooSlow } from '../store/db/queries.ts';
import type { InboxStore } from '../store/chats/inbox.ts';

type StatusFilter = ChatStatus | 'my_chats';
type ChatQuery = Omit<ChatFilter, 'statuses'> & {
  readonly statuses: readonly StatusFilter[];
};

const openStatuses = chatStatuses.filter((status) => status !== 'closed');

function rejectSlowQuery(error: unknown): never {
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
    listChats({ statuses, ...filter }: ChatQuery, page: Page) {
      const wanted = statuses.includes('my_chats')
        ? openStatuses
        : statuses.filter((status) => status !== 'my_chats');
      return inbox.listChats({ ...filter, statuses: wanted }, page).catch(rejectSlowQuery);
    },

    /** Throws `not_found`. */
    getChat: async (id: string): Promise<ChatRecord> => orNotFound(await inbox.getChat(id)),

    /** `lastReplyAt`: the date of the last message that an agent sent; null if there is none. */
    async listMessages(chatId: string, page: Page) {
      const [lastReplyAt, found] = await Promise.all([
        inbox.lastReplyAt(chatId),
        inbox.listMessages(chatId, page),
      ]);
      return { ...found, lastReplyAt };
    },

    listContacts: inbox.listContacts,

    /** Throws `not_found`. Default: all channels. */
    async getByPhone(e164: string, channelIds?: readonly string[]): Promise<ContactRecord> {
      const phone = parsePhone(e164, null);
      const found = phone && (await inbox.findByPhone(canonicalPhone(phone), channelIds));
      return orNotFound(found || null);
    },

    getContact: async (id: string): Promise<ContactRecord> =>
      orNotFound(await inbox.getContact(id)),
  };
}
