/**
 * Contact searches and the details of one contact. Every query uses an index.
 *
 * A name is found by its prefix, without regard to case and accents, by an index with a collation. A phone, email, document or
 * external id is found among the identities.
 */
import type { AuditRow } from '../../domain/audit/audit.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { ContactRecord, IdentityKind } from '../../domain/people/contact.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { Connection, IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead } from '../db/connection.ts';
import type { StoredIdentity } from './identities.ts';
import { tieBreakDirection } from '../db/model.ts';
import { escapeRegex } from '../db/escape-regex.ts';
import { mergeTreeIds, findRoots, type Contacts } from './merge-tree.ts';
import type { MergeRecord } from './merges.ts';
import { countBounded, readCountedPage } from '../db/counted-page.ts';
import { countActiveContacts } from './active-contacts.ts';

const byName = { locale: 'en', strength: 1 } as const;
/** Greater than any other character of a collation: https://unicode.org/reports/tr35/tr35-collation.html */
const last = '\u{ffff}';

export const contactQueryIndexes: readonly IndexSpec[] = [
  {
    collection: 'contacts',
    name: 'by_name',
    key: { 'registers.name.value': 1 },
    collation: byName,
  },
  {
    collection: 'contacts',
    name: 'by_channel',
    key: { channelId: 1, createdAt: -1, _id: -1 },
  },
  { collection: 'contacts', name: 'gone', key: { channelId: 1 }, where: { gone: true } },
  { collection: 'chats', name: 'by_contact', key: { contactId: 1, startedAt: -1 } },
];

/** Whose name begins so, in any case, with or without accents. */
export const namePrefixQuery = (search: string) =>
  ({
    where: { 'registers.name.value': { $gte: search, $lt: `${search}${last}` } },
    collation: byName,
  }) as const;

export type ContactSearch = {
  /** How the name begins. */
  readonly search?: string;
  readonly channelId?: readonly string[];
  /** Only these; they may be tombstones, and stand for whom those lead to. */
  readonly ids?: readonly string[];
};

type IdentityQuery = { readonly kind: IdentityKind; readonly values: readonly string[] };

const maxFound = 1_000;
const maxHistory = 50;
const standing = {
  mergedInto: { $exists: false },
  erased: { $exists: false },
  test: { $exists: false },
} as const;

export function createContactQueries(connection: Connection) {
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');
  const identities = collectionOf<StoredIdentity>(connection, 'identities');

  const getMany = (ids: readonly string[]): Promise<ContactRecord[]> =>
    contacts.find({ _id: { $in: [...ids] } }, { ...majorityRead }).toArray();

  return {
    getMany,
    list: createList(contacts),

    /** All the ids that are one person with any of these: whom they were merged into, and who else was. */
    async mergeTreeIds(ids: readonly string[]): Promise<string[]> {
      const roots = await findRoots(contacts, ids);
      const families = await Promise.all(roots.map((root) => mergeTreeIds(contacts, root)));
      return [...new Set([...families.flat(), ...ids])];
    },

    listIdentities: (ids: readonly string[]): Promise<StoredIdentity[]> =>
      identities.find({ contactId: { $in: [...ids] } }, { ...majorityRead }).toArray(),

    /** The contacts that these identities belong to. */
    async findOwners(identityIds: readonly string[]): Promise<string[]> {
      const found = await identities
        .find(
          { _id: { $in: [...identityIds] }, blocked: { $exists: false } },
          { projection: { contactId: 1 }, ...majorityRead },
        )
        .toArray();
      return [...new Set(found.map(({ contactId }) => contactId))];
    },

    readDetails: createRead(connection, getMany),

    /** The contacts that have any of these values; at most a thousand. */
    async findByIdentity({ kind, values }: IdentityQuery): Promise<string[]> {
      const found = await identities
        .find(
          { kind, value: { $in: [...values] } },
          { projection: { contactId: 1 }, limit: maxFound, ...majorityRead },
        )
        .toArray();
      return [...new Set(found.map(({ contactId }) => contactId))];
    },
  };
}

type GetMany = (ids: readonly string[]) => Promise<ContactRecord[]>;

/** So many are sorted in memory; of more, some are soon met along the order. */
const maxSorted = 1_000;

function createList(contacts: Contacts) {
  return list;

  /** Reads index keys alone. */
  async function isFrequent(search: string): Promise<boolean> {
    const { where, collation } = namePrefixQuery(search);
    const found = await contacts.countDocuments(where, {
      collation,
      hint: 'by_name',
      limit: maxSorted + 1,
      ...majorityRead,
    });
    return found > maxSorted;
  }

  function conditionsOf({ search, channelId }: ContactSearch) {
    return {
      ...standing,
      ...(channelId && { channelId: { $in: [...channelId] } }),
      ...(search !== undefined && {
        ...namePrefixQuery(search).where,
        // Under a collation an index has the order only of what none can touch. The ids behind the date have it by the index.
        createdAt: { $type: 'date' as const },
      }),
    };
  }

  async function list(filter: ContactSearch, page: Page): Promise<Paged<ContactRecord>> {
    const { ids, search, channelId } = filter;
    const conditions = conditionsOf(filter);
    const roots = ids && (await findRoots(contacts, ids)).map(({ _id }) => _id);
    // Under a collation no id could be looked up by its index: who was found by an identity is filtered as it is read.
    const where = roots
      ? { $and: [{ _id: { $in: roots.slice(0, maxFound) } }, withName(search, conditions)] }
      : conditions;
    const collation = search !== undefined && !roots ? { collation: byName } : {};
    const inOrder =
      search !== undefined && !roots && (await isFrequent(search))
        ? { sort: page.sort, hint: 'by_creation' }
        : { sort: { ...page.sort, _id: tieBreakDirection(page.sort) } };
    const isBare = !roots && !channelId && search === undefined;
    return readCountedPage(page, {
      find: (part) =>
        contacts.find(where, { ...part, ...inOrder, ...collation, ...majorityRead }).toArray(),
      count: () =>
        isBare
          ? countActiveContacts(contacts)
          : countBounded((bounds) => contacts.countDocuments(where, { ...collation, ...bounds })),
    });
  }
}

function createRead(connection: Connection, getMany: GetMany) {
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');
  const identities = collectionOf<StoredIdentity>(connection, 'identities');
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const messages = collectionOf<MessageRecord>(connection, 'messages');
  const events = collectionOf<EventRecord>(connection, 'events');
  const merges = collectionOf<MergeRecord>(connection, 'merges');
  const audit = collectionOf<AuditRow>(connection, 'audit');

  return read;

  /** Null where there is no such contact; a tombstone is read as well. */
  async function read(id: string) {
    const contact = await contacts.findOne({ _id: id }, { ...majorityRead });
    if (!contact) return null;
    const family = await mergeTreeIds(contacts, contact);
    const mine = { $in: family };
    const [owned, spoken, made, changes] = await Promise.all([
      identities.find({ contactId: mine }, { ...majorityRead }).toArray(),
      chats
        .find({ contactId: mine }, { sort: { startedAt: -1 }, ...majorityRead })
        .limit(maxHistory)
        .toArray(),
      merges
        .find(
          { $or: [{ survivorId: mine }, { mergedId: mine }] },
          { sort: { createdAt: -1 }, ...majorityRead },
        )
        .toArray(),
      audit
        .find({ 'target.type': 'contact', 'target.id': mine }, { ...majorityRead })
        .sort({ at: -1 })
        .limit(maxHistory)
        .toArray(),
    ]);
    const real = spoken.filter(({ forwardsTo }) => forwardsTo === undefined);
    return {
      contact,
      family,
      members: await getMany(family.slice(1)),
      identities: owned,
      chats: real,
      merges: made,
      changes,
      events: await touched(real.map(({ _id }) => _id)),
    };
  }

  /** The events whose messages came last in these chats. */
  async function touched(chatIds: readonly string[]): Promise<EventRecord[]> {
    if (chatIds.length === 0) return [];
    const said = await messages
      .find(
        { chatId: { $in: [...chatIds] } },
        { projection: { eventId: 1 }, sort: { date: -1 }, limit: maxHistory, ...majorityRead },
      )
      .toArray();
    return events
      .find(
        { _id: { $in: said.map(({ eventId }) => eventId) } },
        { projection: { delivery: 0, timeline: 0, problems: 0 }, ...majorityRead },
      )
      .toArray();
  }
}

/** The beginning of a name, where no collation may be used: in any case, accents as they are. */
function withName(search: string | undefined, { 'registers.name.value': _range, ...rest }: Named) {
  if (search === undefined) return rest;
  return { ...rest, 'registers.name.value': { $regex: `^${escapeRegex(search)}`, $options: 'i' } };
}

type Named = Readonly<Record<string, unknown>>;
