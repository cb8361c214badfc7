/**
 * Searches chats by their contact or by unread messages.
 *
 * Promises: the cost is bounded however many chats there are. A name prefix or a whole number is found by an index, however
 * old the chat. For a part of a name and for unread chats, the first 1,000 chats in order that pass the other filters are
 * examined. The total says when more may match.
 */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { canonicalPhone, numbersWith } from '../../domain/people/phone.ts';
import type { Connection } from '../db/connection.ts';
import { collectionOf, majorityRead } from '../db/connection.ts';
import { contactConditions, unreadCountStages, type ChatFilter } from './chat-stages.ts';
import type { IdentityRow } from '../people/identities.ts';
import { tieBreakDirection } from '../db/model.ts';
import { namePrefixQuery } from '../people/contact-queries.ts';
import { countBounded, maxFindMs } from '../db/counted-page.ts';

/** Each costs look-ups in other collections. */
export const maxLookedThrough = 1_000;
const maxKnown = 200;
/** Merges point at merges; a chain this long means a ring. */
const maxMerges = 20;

type Placed = { readonly _id: string; readonly contactId: string } & Readonly<
  Record<string, unknown>
>;
type Place = { readonly ids: string[] } & Omit<Paged<unknown>, 'results'>;

/** The ids on a page of the chats that pass, and how many pass. */
export function searchChats(connection: Connection) {
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const known = knownContacts(connection);
  const thatMeet = contactsThatMeet(connection);

  const firstOf = (where: object, { sort }: Page): Promise<Placed[]> => {
    const order = { ...sort, _id: tieBreakDirection(sort) };
    const projection = Object.fromEntries(
      [...Object.keys(sort), 'contactId'].map((field) => [field, 1]),
    );
    const options = { sort: order, limit: maxLookedThrough, projection, maxTimeMS: maxFindMs };
    return chats.find<Placed>(where, { ...options, ...majorityRead }).toArray();
  };

  async function unreadOf(placed: readonly Placed[]): Promise<Set<string>> {
    const ids = placed.map(({ _id }) => _id);
    const found = await chats
      .aggregate<{ _id: string }>(
        [
          { $match: { _id: { $in: ids } } },
          ...unreadCountStages,
          { $match: { unread: { $gt: 0 } } },
          { $project: { _id: 1 } },
        ],
        { maxTimeMS: maxFindMs, ...majorityRead },
      )
      .toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** `where`: what the chats themselves must be. */
  return async function search(filter: ChatFilter, where: object, page: Page): Promise<Place> {
    const contacts = await known(filter);
    const [looked, ...found] = await Promise.all([
      countBounded((bounds) => chats.countDocuments(where, bounds), maxLookedThrough),
      firstOf(where, page),
      firstOf({ ...where, contactId: { $in: contacts } }, page),
    ]);
    let placed = [...new Map(found.flat().map((chat) => [chat._id, chat])).values()];
    const conditions = contactConditions(filter);
    if (conditions) {
      const meeting = await thatMeet(conditions, [
        ...new Set(placed.map((chat) => chat.contactId)),
      ]);
      placed = placed.filter(({ contactId }) => meeting.has(contactId));
    }
    if (filter.isUnread) {
      const unread = await unreadOf(placed);
      placed = placed.filter(({ _id }) => unread.has(_id));
    }
    const ids = placed.toSorted(inOrderOf(page.sort)).map(({ _id }) => _id);
    const behind = ids.slice(page.skip, page.skip + page.limit);
    return { ids: behind, total: ids.length, isExact: looked.isExact };
  };
}

/** Which of these contacts meet the conditions, each judged by the one that it was merged into. */
function contactsThatMeet(connection: Connection) {
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');

  return async function thatMeet(
    conditions: object,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const meeting = new Set<string>();
    // Who is asked for, and for whom of those that were given.
    let asked = new Map(ids.map((id) => [id, [id]]));
    for (let merges = 0; asked.size > 0 && merges <= maxMerges; merges += 1) {
      const found = await contacts
        .find(
          { _id: { $in: [...asked.keys()] }, $or: [{ mergedInto: { $exists: true } }, conditions] },
          { projection: { mergedInto: 1 }, maxTimeMS: maxFindMs, ...majorityRead },
        )
        .toArray();
      const next = new Map<string, string[]>();
      for (const { _id, mergedInto } of found) {
        const given = asked.get(_id) ?? [];
        if (mergedInto === undefined) for (const id of given) meeting.add(id);
        else next.set(mergedInto, [...(next.get(mergedInto) ?? []), ...given]);
      }
      asked = next;
    }
    return meeting;
  };
}

const inOrderOf = (sort: Page['sort']) => {
  const order = Object.entries({ ...sort, _id: tieBreakDirection(sort) });
  return (one: Placed, other: Placed): number => {
    for (const [field, direction] of order) {
      const [a, b] = [one[field] as Date | string, other[field] as Date | string];
      if (a < b) return -direction;
      if (a > b) return direction;
    }
    return 0;
  };
};

/** The contacts that an index has for such a name or number, with all that were merged into them; none where it has too many. */
function knownContacts(connection: Connection) {
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');
  const identities = collectionOf<IdentityRow>(connection, 'identities');

  const numbered = async (digits: string): Promise<string[]> => {
    const value = { $in: [...new Set(numbersWith(digits).map(canonicalPhone))] };
    const projection = { contactId: 1 } as const;
    const found = await identities
      .find({ kind: 'phone', value }, { projection, limit: maxKnown, ...majorityRead })
      .toArray();
    return found.map(({ contactId }) => contactId);
  };

  const named = async (name: string): Promise<string[]> => {
    const { where, collation } = namePrefixQuery(name);
    const options = { projection: { members: 1 }, limit: maxKnown, collation, ...majorityRead };
    const found = await contacts.find(where, options).toArray();
    return found.flatMap(({ _id, members = [] }) => [_id, ...members]);
  };

  return async function known({ name, phoneDigits }: ChatFilter): Promise<string[]> {
    if (phoneDigits !== undefined) return numbered(phoneDigits);
    return name === undefined ? [] : named(name);
  };
}
