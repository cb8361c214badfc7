/**
 * Searches messages by words, in one chat or in the chats that were active last.
 *
 * Promises: the cost is bounded. Over all chats, the messages of the `maxLookedThrough` chats with the latest activity are
 * examined, and the total says when there are more chats.
 */
import { chatStatuses } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { Connection } from '../db/connection.ts';
import { anyOf, countBounded, escapeRegex, listIds, maxFindMs, readList } from '../db/queries.ts';
import { peopleCollections } from '../people/records.ts';
import { maxLookedThrough } from './chat-search.ts';

/** Words of one search. Further words are ignored. */
const maxWords = 10;

type MessageSearch = {
  readonly query: string;
  /** All channels when absent. */
  readonly channelIds?: readonly string[] | undefined;
};

/** Each word must occur in the text, in any case and as a part of a longer word too. */
function textConditions(query: string) {
  const words = query.split(/\s+/).filter(Boolean).slice(0, maxWords);
  return {
    $and: words.map((word) => ({
      'content.message': { $regex: escapeRegex(word), $options: 'i' },
    })),
  };
}

export function createMessageSearch(connection: Connection) {
  const { chats, messages } = peopleCollections(connection);

  const read = (chatIds: readonly string[], query: string, page: Page) =>
    readList(messages, {
      where: { chatId: { $in: [...chatIds] }, ...textConditions(query) },
      page,
    });

  return {
    searchChat: (chatId: string, query: string, page: Page): Promise<Paged<MessageRecord>> =>
      read([chatId], query, page),

    async searchAll(
      { query, channelIds }: MessageSearch,
      page: Page,
    ): Promise<Paged<MessageRecord>> {
      // The index of the order begins with the status.
      const where = {
        status: { $in: [...chatStatuses] },
        ...anyOf({ channelId: channelIds }),
        lastMessageAt: { $ne: null },
        test: { $exists: false },
      };
      const [ids, { isExact }] = await Promise.all([
        listIds(chats, where, {
          sort: { lastMessageAt: -1, _id: -1 },
          limit: maxLookedThrough,
          maxTimeMS: maxFindMs,
        }),
        countBounded((bounds) => chats.countDocuments(where, bounds), maxLookedThrough),
      ]);
      const found = await read(ids, query, page);
      return { ...found, isExact: isExact && found.isExact !== false };
    },
  };
}
