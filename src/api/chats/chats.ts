/**
 * What the conversations API reads of chats and messages, with the words of the platform family where they differ (a worker is a
 * channel, a user is an agent).
 *
 * Promises: a chat refers to the surviving contact of merges. A chat is listed once it has a message or a person started it.
 * Without an agent, `my_chats` selects every chat that is not closed.
 */
import { invalidQuery, orNotFound } from '../../base/errors.ts';
import { openStatuses, type ChatRecord, type ChatStatus } from '../../domain/messages/chat.ts';
import type { Page } from '../../domain/pagination.ts';
import type { ChatFilter } from '../../store/chats/chat-stages.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import { QueryTooSlow } from '../../store/db/queries.ts';
import type { ApiContext } from '../context.ts';

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
    throw invalidQuery(parameter, 'field.slow_query', error);
  };

export function listChats(
  { inbox }: ApiContext,
  { statuses, agentId, ...filter }: ChatQuery,
  page: Page,
) {
  const isOfAgent = statuses.includes('my_chats');
  const agents = isOfAgent && agentId !== null ? { agentIds: [agentId] } : {};
  const wanted = isOfAgent ? openStatuses : statuses.filter((status) => status !== 'my_chats');
  return inbox
    .listChats({ ...filter, ...agents, statuses: wanted }, page)
    .catch(rejectSlowQuery('filter_date_start'));
}

/** Throws `not_found`. */
export const requireChat = async ({ inbox }: ApiContext, id: string): Promise<ChatRecord> =>
  orNotFound(await inbox.getChat(id));

/** Returns the chat with what a list shows of it. Throws `not_found`. */
export const readChat = async ({ inbox }: ApiContext, id: string): Promise<ChatView> =>
  orNotFound(await inbox.readChat(id));

/** `lastReplyAt`: the date of the last message that an agent sent; null if there is none. */
export async function listMessages({ inbox }: ApiContext, chatId: string, page: Page) {
  const [lastReplyAt, found] = await Promise.all([
    inbox.lastReplyAt(chatId),
    inbox.listMessages(chatId, page),
  ]);
  return { ...found, lastReplyAt };
}

/** Searches the messages of a chat. `lastReplyAt` as in `listMessages`. */
export async function searchChat(
  { inbox }: ApiContext,
  { chatId, query }: { readonly chatId: string; readonly query: string },
  page: Page,
) {
  const [lastReplyAt, found] = await Promise.all([
    inbox.lastReplyAt(chatId),
    inbox.searchChat(chatId, query, page),
  ]);
  return { ...found, lastReplyAt };
}

export const searchChats = (
  { inbox }: ApiContext,
  search: Parameters<typeof inbox.searchAll>[0],
  page: Page,
) => inbox.searchAll(search, page).catch(rejectSlowQuery('query'));

export const countUnread = ({ inbox }: ApiContext, channelIds: readonly string[] | undefined) =>
  inbox.countUnread(channelIds).catch(rejectSlowQuery(''));
