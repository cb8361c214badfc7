/**
 * The conversations API as functions: chats, messages, contacts, labels, sectors and agents, with the words of the platform
 * family where they differ (a worker is a channel, a user is an agent).
 *
 * Promises: a chat refers to the surviving contact of merges. A chat is listed once it has a message or a person started it.
 * Without an agent, `my_chats` selects every chat that is not closed.
 */
import { AppError, invalidQuery, orNotFound } from '../../base/errors.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import { openStatuses, type ChatRecord, type ChatStatus } from '../../domain/messages/chat.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { Page } from '../../domain/pagination.ts';
import { canonicalPhone, parseStoredPhone } from '../../domain/people/phone.ts';
import type { ChatFilter } from '../../store/chats/chat-stages.ts';
import type { ChatChange } from '../../store/chats/watch-chats.ts';
import { QueryTooSlow } from '../../store/db/queries.ts';
import { createTail, type TailRequest } from '../../store/db/tail.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import { createContacts } from './contacts.ts';
import { createConversations } from './conversations.ts';
import type { ApiContext } from '../context.ts';
import { openFile } from '../../store/chats/files.ts';

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

export function createInbox(deps: ApiContext) {
  const readers = createReaders(deps);
  return {
    ...readers,
    ...createDirectory(deps),
    conversations: createConversations(deps, readers.readChat),
    contacts: createContacts(deps),
    watchChats: createLiveChats(deps),
    labels: deps.labels,
    sectors: deps.sectors,
  };
}

function createReaders(ctx: ApiContext) {
  const { inbox } = ctx;
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
      orNotFound(await openFile(ctx, chatId, fileId)),

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

/** Channels in a list without pages. */
const maxChannels = 1_000;

/** Whom and what a client can choose from, and the agent who acts. */
const createDirectory = ({ agents, channels }: ApiContext) => ({
  listAgents: agents.list,
  listActiveAgents: agents.listActive,
  /** Returns the agents with these ids, deleted agents included, by id. */
  async agentsById(ids: readonly string[]): Promise<ReadonlyMap<string, AgentRecord>> {
    if (ids.length === 0) return new Map();
    return new Map((await agents.getMany(ids)).map((agent) => [agent._id, agent]));
  },

  /** Returns enabled channels, by name. */
  async listChannels(ids: readonly string[] | undefined): Promise<readonly ChannelRecord[]> {
    const page = { skip: 0, limit: maxChannels, sort: { name: 1 } } as const;
    return (await channels.list({ ...(ids && { id: ids }), enabled: true }, page)).results;
  },

  /** Returns the agent who acts. Throws `forbidden` for one who is unknown or disabled. */
  async requireExecutor(id: string): Promise<AgentRecord> {
    const agent = await agents.get(id);
    if (agent?.status !== 'active') throw new AppError('forbidden');
    return agent;
  },
});

const changeItem = ({ token, at, chat }: ChatChange) => ({
  id: token,
  event: 'change',
  data: { at, chat },
});

/** The live stream of changed chats. See store/db/tail.ts for the guarantees. */
function createLiveChats({ inbox, logger }: ApiContext) {
  const tail = createTail({ logger, open: inbox.watchChats, shown: changeItem });
  /** Subscribes to chats of the channels; all channels when undefined. Resolves when no later change can be missed. */
  return function watchChats(channelIds: readonly string[] | undefined, terms: TailRequest) {
    const isVisible = ({ chat }: ChatChange) =>
      chat === null || (channelIds?.includes(chat.channelId) ?? true);
    return tail(isVisible, terms);
  };
}
