/**
 * Searches chats by their contact or by unread messages, and messages by words.
 *
 * Promises: the cost is bounded however many chats there are. A name prefix or a whole number is found by an index, however
 * old the chat. For a part of a name and for unread chats, the first 1,000 chats in order that pass the other filters are
 * examined, as are their messages. The total says when more may match.
 */
import { chatStatuses } from '../../domain/messages/chat.ts';
import type { Page } from '../../domain/pagination.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { foldedWords, foldName } from '../../domain/people/fold-name.ts';
import { canonicalPhone, numbersWith, spellingsOf } from '../../domain/people/phone.ts';
import type { Connection } from '../db/connection.ts';
import {
  anyOf,
  countBounded,
  escapeRegex,
  listIds,
  maxFindMs,
  readList,
  totalOrder,
} from '../db/queries.ts';
import { unreadCountStages, type ChatFilter } from './chat-stages.ts';
import { namePrefixQuery } from '../people/contact-queries.ts';
import { createOwnerLookup } from '../people/contact-lookups.ts';
import { peopleCollections, type PeopleCollections } from '../people/records.ts';

/** Number of chats that one search examines. Each chat costs look-ups in other collections. */
export const maxLookedThrough = 1_000;
const maxCandidates = 200;
/** Length of the longest chain of merges that is followed. A longer chain is a cycle. */
const maxMerges = 20;

type SortableChat = { readonly _id: string; readonly contactId: string } & Readonly<
  Record<string, unknown>
>;
export function searchChats(connection: Connection) {
  const people = peopleCollections(connection);
  const { chats } = people;

  const findFirst = (where: object, { sort }: Page): Promise<SortableChat[]> => {
    const fields = [...Object.keys(sort), 'contactId'];
    const projection = Object.fromEntries(fields.map((field) => [field, 1]));
    const bounds = { limit: maxLookedThrough, maxTimeMS: maxFindMs };
    return chats
      .find<SortableChat>(where, { sort: totalOrder(sort), projection, ...bounds })
      .toArray();
  };

  async function unreadOf(matches: readonly SortableChat[]): Promise<Set<string>> {
    const ids = matches.map(({ _id }) => _id);
    const found = await chats
      .aggregate<{ _id: string }>(
        [
          { $match: { _id: { $in: ids } } },
          ...unreadCountStages,
          { $match: { unread: { $gt: 0 } } },
          { $project: { _id: 1 } },
        ],
        { maxTimeMS: maxFindMs },
      )
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  return async function search(filter: ChatFilter, where: object, page: Page) {
    const contacts = await findCandidates(connection, filter);
    const [count, ...found] = await Promise.all([
      countBounded((bounds) => chats.countDocuments(where, bounds), maxLookedThrough),
      findFirst(where, page),
      findFirst({ ...where, contactId: { $in: contacts } }, page),
    ]);
    let matches = [...new Map(found.flat().map((chat) => [chat._id, chat])).values()];
    if (isOfContact(filter)) {
      const ids = [...new Set(matches.map(({ contactId }) => contactId))];
      const matchingIds = await findMatching(people, matcherOf(filter), ids);
      matches = matches.filter(({ contactId }) => matchingIds.has(contactId));
    }
    if (filter.isUnread) {
      const unread = await unreadOf(matches);
      matches = matches.filter(({ _id }) => unread.has(_id));
    }
    const ids = matches.toSorted(compareBy(page.sort)).map(({ _id }) => _id);
    const pageIds = ids.slice(page.skip, page.skip + page.limit);
    return { ids: pageIds, total: ids.length, isExact: count.isExact };
  };
}

/** Whether the filter is about the contact of a chat. */
export const isOfContact = ({ name, phoneDigits }: ChatFilter): boolean =>
  name !== undefined || phoneDigits !== undefined;

type Named = Pick<ContactRecord, 'mergedInto'> & {
  readonly _id: string;
  readonly registers?: Pick<ContactRecord['registers'], 'name' | 'phone'>;
};

/** The same rules as those of a search of contacts: each word of a name, and a number in any spelling. */
function matcherOf({ name = '', phoneDigits = '' }: ChatFilter): (contact: Named) => boolean {
  const words = foldedWords(name);
  return ({ registers }) => {
    const folded = foldName(registers?.name?.value ?? '');
    const phone = registers?.phone?.value ?? '';
    return (
      words.every((word) => folded.includes(word)) &&
      (phoneDigits === '' || spellingsOf(phone).some((digits) => digits.includes(phoneDigits)))
    );
  };
}

/** Returns which of the given contacts match. A merged contact is represented by its survivor. */
async function findMatching(
  { contacts }: PeopleCollections,
  isMatch: (contact: Named) => boolean,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const matchingIds = new Set<string>();
  // Maps each contact id to read next to the given ids that it represents.
  let pending = new Map(ids.map((id) => [id, [id]]));
  for (let merges = 0; pending.size > 0 && merges <= maxMerges; merges += 1) {
    const projection = { mergedInto: 1, 'registers.name': 1, 'registers.phone': 1 };
    const found = await contacts
      .find<Named>({ _id: { $in: [...pending.keys()] } }, { projection, maxTimeMS: maxFindMs })
      .toArray();
    const next = new Map<string, string[]>();
    for (const contact of found) {
      const { _id, mergedInto } = contact;
      const given = pending.get(_id) ?? [];
      if (mergedInto === undefined && isMatch(contact)) for (const id of given) matchingIds.add(id);
      else if (mergedInto !== undefined)
        next.set(mergedInto, [...(next.get(mergedInto) ?? []), ...given]);
    }
    pending = next;
  }
  return matchingIds;
}

const compareBy = (sort: Page['sort']) => {
  const order = Object.entries(totalOrder(sort));
  return (one: SortableChat, other: SortableChat): number => {
    for (const [field, direction] of order) {
      const [a, b] = [one[field] as Date | string, other[field] as Date | string];
      if (a < b) return -direction;
      if (a > b) return direction;
    }
    return 0;
  };
};

/** Finds by an index the owners of a complete phone number, or contacts by a name prefix with their merged members. */
async function findCandidates(
  connection: Connection,
  { name, phoneDigits, channelIds }: ChatFilter,
): Promise<string[]> {
  const { contacts } = peopleCollections(connection);
  if (phoneDigits !== undefined) {
    const values = [...new Set(numbersWith(phoneDigits).map(canonicalPhone))];
    const query = { kind: 'phone', values, first: channelIds } as const;
    return (await createOwnerLookup(connection)(query, maxCandidates)).contactIds;
  }
  if (name === undefined) return [];
  const { where, collation } = namePrefixQuery(name);
  const options = { projection: { members: 1 }, limit: maxCandidates, collation };
  const found = await contacts.find(where, options).toArray();
  return found.flatMap(({ _id, members = [] }) => [_id, ...members]);
}

/** Of each of the two reads of a search, so that its caller still waits when it is rejected. */
const maxSearchMs = 5_000;

/** Words of one search. Further words are ignored. */
const maxWords = 10;

type MessageSearch = {
  readonly query: string;
  /** All channels when absent. */
  readonly channelIds?: readonly string[] | undefined;
};

/** Each word must occur in the text, case-insensitively, also as a part of a longer word. */
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
      maxMs: maxSearchMs,
    });

  return {
    searchChat: (chatId: string, query: string, page: Page) => read([chatId], query, page),

    async searchAll({ query, channelIds }: MessageSearch, page: Page) {
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
          maxTimeMS: maxSearchMs,
        }),
        countBounded((bounds) => chats.countDocuments(where, bounds), maxLookedThrough),
      ]);
      const found = await read(ids, query, page);
      return { ...found, isExact: isExact && found.isExact !== false };
    },
  };
}
