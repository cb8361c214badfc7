/**
 * What an inbox shows: chats with whom and with what, their messages, and contacts. Reading only.
 *
 * A chat may point to a tombstone: the contact that it turned out to be is followed by the database itself, so that
 * filters and answers agree. Chats without a message are not listed.
 */
import type { ChatRecord } from '../domain/chat.ts';
import type { ContactRecord } from '../domain/contact.ts';
import type { MessageRecord } from '../domain/message.ts';
import type { Page, Paged } from '../domain/paging.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf, decisive } from './connection.ts';
import {
  chatConditions,
  contactConditions,
  lastReply,
  shown,
  unreadCount,
} from './conversation.ts';
import type { ChatFilter } from './conversation.ts';
import { lastDirection, sayingUnavailable } from './model.ts';

export const inboxIndexes: readonly IndexSpec[] = [
  { collection: 'chats', name: 'by_activity', key: { status: 1, lastMessageAt: -1, _id: -1 } },
  { collection: 'chats', name: 'by_channel', key: { channelId: 1, lastMessageAt: -1 } },
  { collection: 'messages', name: 'by_chat', key: { chatId: 1, date: 1, _id: 1 } },
  { collection: 'contacts', name: 'by_creation', key: { createdAt: -1, _id: -1 } },
];

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

// Merges point at merges; a chain this long means a ring.
const maxMerges = 20;

export type InboxStore = ReturnType<typeof createInboxStore>;

export function createInboxStore(connection: Connection) {
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const messages = collectionOf<MessageRecord>(connection, 'messages');
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');

  async function listChats(filter: ChatFilter, page: Page): Promise<Paged<ChatView>> {
    const matched = [{ $match: chatConditions(filter) }, ...contactConditions(filter)];
    const order = { ...page.sort, _id: lastDirection(page.sort) };
    const [results, [counted]] = await Promise.all([
      chats
        .aggregate<ChatView>(
          [
            ...matched,
            { $sort: order },
            { $skip: page.skip },
            { $limit: page.limit },
            ...shown,
            ...unreadCount,
          ],
          { ...decisive },
        )
        .toArray(),
      chats
        .aggregate<{ total: number }>([...matched, { $count: 'total' }], { ...decisive })
        .toArray(),
    ]);
    return { results, total: counted?.total ?? 0 };
  }

  async function getContact(id: string): Promise<ContactRecord | null> {
    let contact = await contacts.findOne({ _id: id }, { ...decisive });
    for (let merges = 0; contact?.mergedInto && merges < maxMerges; merges += 1) {
      contact = await contacts.findOne({ _id: contact.mergedInto }, { ...decisive });
    }
    return contact?.mergedInto ? null : contact;
  }

  return sayingUnavailable({
    listChats,
    /** The contact itself, or the one that it turned out to be. */
    getContact,

    getChat: (id: string): Promise<ChatRecord | null> =>
      chats.findOne({ _id: id }, { ...decisive }),

    /** When somebody last answered in this chat; null: nobody has. */
    async lastReplyAt(chatId: string): Promise<Date | null> {
      const reply = await messages.findOne(
        { chatId, typeUser: { $in: [...lastReply.by] } },
        { sort: { date: -1 }, projection: { date: 1 }, ...decisive },
      );
      return reply?.date ?? null;
    },

    async listMessages(chatId: string, page: Page): Promise<Paged<MessageRecord>> {
      const { skip, limit, sort } = page;
      const order = { ...sort, _id: lastDirection(sort) };
      const [results, total] = await Promise.all([
        messages.find({ chatId }, { skip, limit, sort: order, ...decisive }).toArray(),
        messages.countDocuments({ chatId }, { ...decisive }),
      ]);
      return { results, total };
    },

    /** Without tombstones. */
    async listContacts(page: Page): Promise<Paged<ContactRecord>> {
      const { skip, limit, sort } = page;
      const order = { ...sort, _id: lastDirection(sort) };
      const real = { mergedInto: { $exists: false } };
      const [results, total] = await Promise.all([
        contacts.find(real, { skip, limit, sort: order, ...decisive }).toArray(),
        contacts.countDocuments(real, { ...decisive }),
      ]);
      return { results, total };
    },
  });
}
