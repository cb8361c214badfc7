/**
 * The conversations API as functions: chats, messages, contacts, labels, sectors and agents, with the words of the platform
 * family where they differ (a worker is a channel, a user is an agent).
 *
 * Promises: a chat refers to the surviving contact of merges. A chat is listed once it has a message or a person started it.
 * Without an agent, `my_chats` selects every chat that is not closed.
 */
import { invalidQuery, orNotFound } from '../base/errors.ts';
import { openStatuses, type ChatRecord, type ChatStatus } from '../domain/messages/chat.ts';
import type { ContactRecord } from '../domain/people/contact.ts';
import type { Page } from '../domain/pagination.ts';
import { canonicalPhone, parseStoredPhone } from '../domain/people/phone.ts';
import type { ChatFilter } from '../store/chats/chat-stages.ts';
import { QueryTooSlow } from '../store/db/queries.ts';
import type { ChatView } from '../store/chats/inbox.ts';
import { createContacts } from './contacts.ts';
import { createConversations } from './conversations.ts';
import type { InboxDeps } from './dependencies.ts';
import { createDirectory } from './directory.ts';
import { createLiveChats } from './live-chats.ts';
import { createNamedRecordEditor } from './named-records.ts';

type StatusFilter = ChatStatus | 'my_chats';
type ChatQuery = Omit<ChatFilter, 'statuses'> & {
  readonly statuses: readonly StatusFilter[];
  /** The agent whose chats `my_chats` selects. */
  readonly agentId: string | null;
};

const rejectSlowQuery =
  (parameter: string) =>
  (error: unknown): never => {
    if (!(error instanceof QueryTooSlow)) throw error;
    throw invalidQuery(parameter, 'the query takes too long: use more filters', error);
  };

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: InboxDeps) {
  const readers = createReaders(deps);
  return {
    ...readers,
    ...createDirectory(deps),
    conversations: createConversations(deps, readers.readChat),
    contacts: createContacts(deps),
    watchChats: createLiveChats(deps),
    labels: createNamedRecordEditor(deps.labels),
    sectors: createNamedRecordEditor(deps.sectors),
  };
}

function createReaders({ inbox, files }: InboxDeps) {
  return {
    listChats({ statuses, agentId, ...filter }: ChatQuery, page: Page) {
      const isMine = statuses.includes('my_chats');
      const own = isMine && agentId !== null ? { agentIds: [agentId] } : {};
      const wanted = isMine ? openStatuses : statuses.filter((status) => status !== 'my_chats');
      return inbox
        .listChats({ ...filter, ...own, statuses: wanted }, page)
        .catch(rejectSlowQuery('filter_date_start'));
    },

    /** Throws `not_found`. */
    getChat: async (id: string): Promise<ChatRecord> => orNotFound(await inbox.getChat(id)),
    /** Returns the chat with what a list shows of it. Throws `not_found`. */
    readChat: async (id: string): Promise<ChatView> => orNotFound(await inbox.readChat(id)),

    /** Throws `not_found` for a file of another chat. */
    openFile: async (chatId: string, fileId: string) =>
      orNotFound(await files.open(chatId, fileId)),

    /** `lastReplyAt`: the date of the last message that an agent sent; null if there is none. */
    async listMessages(chatId: string, page: Page) {
      const [lastReplyAt, found] = await Promise.all([
        inbox.lastReplyAt(chatId),
        inbox.listMessages(chatId, page),
      ]);
      return { ...found, lastReplyAt };
    },

    async searchChat(chatId: string, query: string, page: Page) {
      const [lastReplyAt, found] = await Promise.all([
        inbox.lastReplyAt(chatId),
        inbox.searchChat(chatId, query, page),
      ]);
      return { ...found, lastReplyAt };
    },
    searchAll: (search: Parameters<typeof inbox.searchAll>[0], page: Page) =>
      inbox.searchAll(search, page).catch(rejectSlowQuery('query')),
    countUnread: (channelIds: readonly string[] | undefined) =>
      inbox.countUnread(channelIds).catch(rejectSlowQuery('')),

    listContacts: inbox.listContacts,

    /** Throws `not_found`. Default: all channels. */
    async getByPhone(e164: string, channelIds?: readonly string[]): Promise<ContactRecord> {
      const phone = parseStoredPhone(e164, null);
      const found = phone && (await inbox.findByPhone(canonicalPhone(phone), channelIds));
      return orNotFound(found || null);
    },

    getContact: async (id: string): Promise<ContactRecord> =>
      orNotFound(await inbox.getContact(id)),
  };
}
