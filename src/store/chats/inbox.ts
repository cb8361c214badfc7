/**
 * Queries of the inbox: chats with their contact, channel and labels, messages, and contacts. Read only.
 *
 * A chat may point to a tombstone. The database follows it to the surviving contact, so that filters and answers agree. Chats
 * without a message are not listed.
 */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { searchChats } from './chat-search.ts';
import type { Collection, Connection, IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead } from '../db/connection.ts';
import {
  chatConditions,
  contactConditions,
  replySenders,
  chatViewStages,
  unreadCountStages,
} from './chat-stages.ts';
import { isTimeLimitExceeded } from '../db/errors.ts';
import type { StoredIdentity } from '../people/identities.ts';
import { QueryTooSlow } from '../event-queries/selection.ts';
import { findRoots } from '../people/merge-tree.ts';
import { countActiveContacts } from '../people/active-contacts.ts';
import type { ChatFilter } from './chat-stages.ts';
import { anyOf, tieBreakDirection, mapStoreErrors } from '../db/model.ts';
import { countBounded, maxFindMs, readCountedPage } from '../db/counted-page.ts';

export const inboxIndexes: readonly IndexSpec[] = [
  { collection: 'chats', name: 'by_activity', key: { status: 1, lastMessageAt: -1, _id: -1 } },
  { collection: 'chats', name: 'by_start', key: { status: 1, startedAt: -1, _id: -1 } },
  {
    collection: 'chats',
    name: 'by_closing',
    key: { status: 1, closedAt: -1, _id: -1 },
    where: { closedAt: { $type: 'date' } },
  },
  { collection: 'chats', name: 'by_channel', key: { channelId: 1, lastMessageAt: -1 } },
  { collection: 'messages', name: 'by_chat', key: { chatId: 1, date: 1, _id: 1 } },
  { collection: 'contacts', name: 'by_creation', key: { createdAt: -1, _id: -1 } },
];

export type ContactFilter = {
  /** Left out: all of them. */
  readonly channelIds?: readonly string[];
  /** Of tests only, or without those of tests. */
  readonly test: boolean;
};

type Named = { readonly _id: string; readonly name: string };
type Colored = Named & { readonly color: string };

/** A chat with everything that its line in a list shows. */
export type ChatView = ChatRecord & {
  readonly contact: ContactRecord | null;
  readonly channel: Named | null;
  readonly sector: Colored | null;
  readonly labels: readonly Colored[];
  readonly unread: number;
};

/** One of each channel, and those that were merged. */
const maxOfPhone = 1_000;

const standing = { mergedInto: { $exists: false }, erased: { $exists: false } } as const;

export type InboxStore = ReturnType<typeof createInboxStore>;

export function createInboxStore(connection: Connection) {
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const messages = collectionOf<MessageRecord>(connection, 'messages');
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');

  const search = searchChats(connection);
  const getContact = async (id: string): Promise<ContactRecord | null> =>
    (await findRoots(contacts, [id]))[0] ?? null;

  /** Everything that a chat's line shows, of these, in this order. */
  const view = (of: object[]): Promise<ChatView[]> =>
    chats
      .aggregate<ChatView>([...of, ...chatViewStages, ...unreadCountStages], {
        maxTimeMS: maxFindMs,
        ...majorityRead,
      })
      .toArray();

  async function listChats(filter: ChatFilter, page: Page): Promise<Paged<ChatView>> {
    // In the order of an end, those that have none are left out.
    const isEnded = 'closedAt' in page.sort ? [{ closedAt: { $type: 'date' as const } }] : [];
    const where = { $and: [chatConditions(filter), ...isEnded] };
    const order = { $sort: { ...page.sort, _id: tieBreakDirection(page.sort) } };
    if (filter.isUnread || contactConditions(filter)) {
      const { ids, ...counted } = await search(filter, where, page);
      return { results: await view([{ $match: { _id: { $in: ids } } }, order]), ...counted };
    }
    return readCountedPage(page, {
      find: ({ skip, limit }) =>
        view([{ $match: where }, order, { $skip: skip }, { $limit: limit }]),
      count: () => countBounded((bounds) => chats.countDocuments(where, bounds)),
    });
  }

  return mapStoreErrors({
    listChats: (filter: ChatFilter, page: Page): Promise<Paged<ChatView>> =>
      listChats(filter, page).catch((error: unknown) => {
        throw tooSlow(error);
      }),
    /** The contact itself, or the one that it turned out to be. */
    getContact,
    /** Finds a contact by an identity in `canonicalPhone`'s spelling; of several channels, the contact changed last. */
    findByPhone: createByPhone(connection),

    getChat: (id: string): Promise<ChatRecord | null> =>
      chats.findOne({ _id: id }, { ...majorityRead }),

    async readChat(id: string): Promise<ChatView | null> {
      const own = { $match: { _id: id, forwardsTo: { $exists: false } } };
      const [chat] = await chats
        .aggregate<ChatView>([own, ...chatViewStages, ...unreadCountStages], { ...majorityRead })
        .toArray();
      return chat ?? null;
    },

    /** The time of the last answer in this chat; null if there is none. */
    async lastReplyAt(chatId: string): Promise<Date | null> {
      const reply = await messages.findOne(
        { chatId, typeUser: { $in: [...replySenders.by] } },
        { sort: { date: -1 }, projection: { date: 1 }, ...majorityRead },
      );
      return reply?.date ?? null;
    },

    listMessages(chatId: string, page: Page): Promise<Paged<MessageRecord>> {
      const sort = { ...page.sort, _id: tieBreakDirection(page.sort) };
      return readCountedPage(page, {
        find: (part) => messages.find({ chatId }, { ...part, sort, ...majorityRead }).toArray(),
        count: () => countBounded((bounds) => messages.countDocuments({ chatId }, bounds)),
      });
    },

    listContacts: listContacts(contacts),
  });
}

function createByPhone(connection: Connection) {
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');
  const identities = collectionOf<StoredIdentity>(connection, 'identities');
  return async function findByPhone(
    value: string,
    channelIds: readonly string[] | undefined,
  ): Promise<ContactRecord | null> {
    const named = { kind: 'phone' as const, value, ...anyOf({ channelId: channelIds }) };
    const rows = await identities
      .find(named, { projection: { contactId: 1 }, limit: maxOfPhone, ...majorityRead })
      .toArray();
    const found = await findRoots(
      contacts,
      rows.map(({ contactId }) => contactId),
    );
    const [latest = null] = found
      .filter(({ test }) => !test)
      .toSorted((one, other) => Number(other.updatedAt) - Number(one.updatedAt));
    return latest;
  };
}

/** Without tombstones. */
const listContacts = (contacts: Collection<ContactRecord>) =>
  function list({ channelIds, test }: ContactFilter, page: Page): Promise<Paged<ContactRecord>> {
    const sort = { ...page.sort, _id: tieBreakDirection(page.sort) };
    const real = { ...anyOf({ channelId: channelIds }), ...standing, test: { $exists: test } };
    return readCountedPage(page, {
      find: (part) => contacts.find(real, { ...part, sort, ...majorityRead }).toArray(),
      count: () =>
        test || channelIds
          ? countBounded((bounds) => contacts.countDocuments(real, bounds))
          : countActiveContacts(contacts),
    });
  };

const tooSlow = (cause: unknown): unknown =>
  isTimeLimitExceeded(cause)
    ? new QueryTooSlow('The chats cannot be found in time.', { cause })
    : cause;
