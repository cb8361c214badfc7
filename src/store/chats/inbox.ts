/**
 * Queries of the inbox: chats with their contact, channel and labels, messages, and contacts. Read only.
 *
 * A chat may point to a tombstone. The database follows it to the surviving contact, so that filters and results agree. Chats
 * without a message are not listed.
 */
import type { AgentRecord } from '../../domain/agents/agent.ts';
import { openStatuses, type ChatRecord, type ChatStatus } from '../../domain/messages/chat.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { createMessageSearch, isOfContact, maxLookedThrough, searchChats } from './chat-search.ts';
import { watchChats } from './watch-chats.ts';
import { bindTo, indexesOf, type Connection } from '../db/connection.ts';
import {
  anyOf,
  countBounded,
  maxFindMs,
  readCountedPage,
  readList,
  rejectTooSlow,
  totalOrder,
} from '../db/queries.ts';
import { chatConditions, replySenders, chatViewStages, unreadCountStages } from './chat-stages.ts';
import { findRoots } from '../people/merge-tree.ts';
import { createOwnerLookup } from '../people/contact-lookups.ts';
import { countActiveContacts } from '../people/contact-queries.ts';
import type { ChatFilter } from './chat-stages.ts';
import { activeContact, peopleCollections, type PeopleCollections } from '../people/records.ts';

export const inboxIndexes = [
  ...indexesOf('chats', {
    by_activity: { key: { status: 1, lastMessageAt: -1, _id: -1 } },
    by_start: { key: { status: 1, startedAt: -1, _id: -1 } },
    by_closing: {
      key: { status: 1, closedAt: -1, _id: -1 },
      where: { closedAt: { $type: 'date' } },
    },
    by_channel: { key: { channelId: 1, lastMessageAt: -1 } },
  }),
  ...indexesOf('messages', {
    by_chat: { key: { chatId: 1, date: 1, _id: 1 } },
  }),
  ...indexesOf('contacts', {
    by_creation: { key: { createdAt: -1, _id: -1 } },
  }),
];

type ContactFilter = {
  /** All channels when absent. */
  readonly channelIds?: readonly string[];
  /** True: only contacts of test events. False: these contacts are excluded. */
  readonly test: boolean;
};

type Named = { readonly _id: string; readonly name: string };
type Colored = Named & { readonly color: string };

export type ChatView = ChatRecord & {
  readonly contact: ContactRecord | null;
  readonly channel: Named | null;
  readonly sector: Colored | null;
  /** The agent who has the chat. */
  readonly user: AgentRecord | null;
  readonly labels: readonly Colored[];
  readonly unread: number;
};

/** Maximum of identities that one phone number has: one for each channel, with those of merged contacts. */
const maxOfPhone = 1_000;

type UnreadCount = { readonly _id: ChatStatus; readonly count: number };

export function createInboxStore(connection: Connection) {
  const people = peopleCollections(connection);
  const { chats, messages, contacts } = people;

  const search = searchChats(connection);
  const getContact = async (id: string): Promise<ContactRecord | null> =>
    (await findRoots(contacts, [id]))[0] ?? null;

  const readViews = (of: object[]): Promise<ChatView[]> =>
    chats
      .aggregate<ChatView>([...of, ...chatViewStages, ...unreadCountStages], {
        maxTimeMS: maxFindMs,
      })
      .toArray();

  async function listChats(filter: ChatFilter, page: Page): Promise<Paged<ChatView>> {
    // Open chats are excluded when the list is sorted by the closing time.
    const isEnded = 'closedAt' in page.sort ? [{ closedAt: { $type: 'date' as const } }] : [];
    const where = { $and: [chatConditions(filter), ...isEnded] };
    const order = { $sort: totalOrder(page.sort) };
    if (filter.isUnread || isOfContact(filter)) {
      const { ids, ...counted } = await search(filter, where, page);
      return { results: await readViews([{ $match: { _id: { $in: ids } } }, order]), ...counted };
    }
    return readCountedPage(page, {
      find: ({ skip, limit }) =>
        readViews([{ $match: where }, order, { $skip: skip }, { $limit: limit }]),
      count: () => countBounded((bounds) => chats.countDocuments(where, bounds)),
    });
  }

  return {
    ...createMessageSearch(connection),
    ...bindTo(people, { countUnread, listContacts }),
    ...bindTo(connection, { findByPhone }),
    listChats: (filter: ChatFilter, page: Page) => listChats(filter, page).catch(rejectTooSlow),
    /** Returns the contact, or the survivor of a merged contact; null when it does not exist or is erased. */
    getContact,
    getChat: (id: string) => chats.findOne({ _id: id, forwardsTo: { $exists: false } }),

    async readChat(id: string): Promise<ChatView | null> {
      const own = { $match: { _id: id, forwardsTo: { $exists: false } } };
      const [chat] = await readViews([own]);
      return chat ?? null;
    },

    watchChats: watchChats(connection),

    /** Of the newest messages; null when they contain no reply. */
    async lastReplyAt(chatId: string): Promise<Date | null> {
      const [reply] = await messages
        .aggregate<{ date: Date }>(
          [
            { $match: { chatId } },
            { $sort: { date: -1, _id: -1 } },
            { $limit: maxLookedThrough },
            { $match: { typeUser: { $in: [...replySenders.by] } } },
            { $limit: 1 },
            { $project: { date: 1 } },
          ],
          { maxTimeMS: maxFindMs },
        )
        .toArray();
      return reply?.date ?? null;
    },

    getMessage: (id: string): Promise<MessageRecord | null> => messages.findOne({ _id: id }),

    listMessages: (chatId: string, page: Page) => readList(messages, { where: { chatId }, page }),
  };
}

/** Counts by status the chats with unread messages among the `maxLookedThrough` open chats with the latest activity. */
const countUnread = (
  { chats }: PeopleCollections,
  channelIds: readonly string[] | undefined,
): Promise<UnreadCount[]> =>
  chats
    .aggregate<UnreadCount>(
      [
        { $match: chatConditions({ statuses: openStatuses, channelIds, test: false }) },
        { $sort: totalOrder({ lastMessageAt: -1 }) },
        { $limit: maxLookedThrough },
        ...unreadCountStages,
        { $match: { unread: { $gt: 0 } } },
        { $group: { _id: '$status', count: { $sum: 1 } } },
      ],
      // Under load the planner may choose another index of the status, and then sorts all open chats.
      { maxTimeMS: maxFindMs, ...(!channelIds && { hint: 'by_activity' }) },
    )
    .toArray()
    .catch(rejectTooSlow);

/** Finds a contact by a number in the form of `canonicalPhone`. Of several contacts it returns the one updated last. */
async function findByPhone(
  connection: Connection,
  value: string,
  channelIds: readonly string[] | undefined,
): Promise<ContactRecord | null> {
  const { contacts } = peopleCollections(connection);
  const query = { kind: 'phone', values: [value], channelIds } as const;
  const { contactIds } = await createOwnerLookup(connection)(query, maxOfPhone);
  const found = (await findRoots(contacts, contactIds)).filter(({ test }) => !test);
  return found.toSorted((one, other) => +other.updatedAt - +one.updatedAt)[0] ?? null;
}

function listContacts(
  { contacts }: PeopleCollections,
  { channelIds, test }: ContactFilter,
  page: Page,
): Promise<Paged<ContactRecord>> {
  const where = {
    ...anyOf({ channelId: channelIds }),
    ...activeContact,
    test: { $exists: test },
  };
  const isUnfiltered = !test && !channelIds;
  const count = isUnfiltered ? () => countActiveContacts(contacts) : undefined;
  return readList(contacts, { where, page, count });
}
