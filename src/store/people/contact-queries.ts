/**
 * Contact searches and the details of one contact. Every query uses an index.
 *
 * A name is found by its prefix through an index with a collation that ignores case and accents. A phone number, email address,
 * document or external id is found through the identities.
 */
import type { AuditRow } from '../../domain/audit/audit.ts';
import { maxIdentities, maxMembers, type ContactRecord } from '../../domain/people/contact.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection } from '../db/connection.ts';
import { isTimeLimitExceeded } from '../db/errors.ts';
import {
  countBounded,
  escapeRegex,
  maxCountMs,
  maxTotal,
  readCountedPage,
  totalOrder,
  type Counted,
} from '../db/queries.ts';
import { createFindByIdentity, createFindEventIds } from './contact-lookups.ts';
import { mergeTreeIds, findRoots, findSurvivors, type Contacts } from './merge-tree.ts';
import { activeContact, peopleCollections } from './records.ts';

const byName = { locale: 'en', strength: 1 } as const;
/** Greater than any other character of a collation: https://unicode.org/reports/tr35/tr35-collation.html */
const last = '\u{ffff}';

export const contactQueryIndexes = [
  ...indexesOf('contacts', {
    by_name: { key: { 'registers.name.value': 1 }, collation: byName },
    by_channel: { key: { channelId: 1, createdAt: -1, _id: -1 } },
    gone: { key: { channelId: 1 }, where: { gone: true } },
  }),
  ...indexesOf('chats', {
    by_contact: { key: { contactId: 1, startedAt: -1 } },
  }),
];

/** Returns the query for names with this prefix. Case and accents are ignored. */
export const namePrefixQuery = (search: string) =>
  ({
    where: { 'registers.name.value': { $gte: search, $lt: `${search}${last}` } },
    collation: byName,
  }) as const;

export type ContactSearch = {
  /** Prefix of the name. */
  readonly search?: string;
  readonly channelId?: readonly string[];
  /** Only these contacts. The id of a merged contact selects its survivor. */
  readonly ids?: readonly string[];
};

const maxFound = 1_000;
const maxHistory = 50;

export function createContactQueries(connection: Connection) {
  const { contacts, identities } = peopleCollections(connection);

  const getMany = (ids: readonly string[]) => contacts.find({ _id: { $in: [...ids] } }).toArray();

  return {
    getMany,
    list: createList(contacts),

    /** Maps each id to its contact, or to the survivor of a merged one. Erased and unknown contacts are absent. */
    findSurvivors: (ids: readonly string[]) => findSurvivors(contacts, ids),

    /** Returns the given ids, their survivors, and all contacts that were merged into these survivors. */
    async mergeTreeIds(ids: readonly string[]): Promise<string[]> {
      const roots = await findRoots(contacts, ids);
      const families = await Promise.all(roots.map((root) => mergeTreeIds(contacts, root)));
      return [...new Set([...families.flat(), ...ids])];
    },

    async findOwners(identityIds: readonly string[]): Promise<string[]> {
      const found = await identities
        .find(
          { _id: { $in: [...identityIds] }, blocked: { $exists: false } },
          { projection: { contactId: 1 } },
        )
        .toArray();
      return [...new Set(found.map(({ contactId }) => contactId))];
    },

    readDetails: createRead(connection, getMany),
    findEventIds: createFindEventIds(connection),
    findByIdentity: createFindByIdentity(connection),
  };
}

type GetMany = (ids: readonly string[]) => Promise<ContactRecord[]>;

/** Number of matches that are sorted in memory. For more matches the list is read along the index of the order. */
const maxSorted = 1_000;

function createList(contacts: Contacts) {
  return list;

  /** Returns whether more than `maxSorted` names match. Reads index keys only. */
  async function isFrequent(search: string): Promise<boolean> {
    const { where, collation } = namePrefixQuery(search);
    const found = await contacts.countDocuments(where, {
      collation,
      hint: 'by_name',
      limit: maxSorted + 1,
    });
    return found > maxSorted;
  }

  function conditionsOf({ search, channelId }: ContactSearch) {
    return {
      ...activeContact,
      test: { $exists: false },
      ...(channelId && { channelId: { $in: [...channelId] } }),
      ...(search !== undefined && {
        ...namePrefixQuery(search).where,
        // Under a collation, MongoDB sorts by an index only on types without strings. The index then orders the ids too.
        createdAt: { $type: 'date' as const },
      }),
    };
  }

  async function list(filter: ContactSearch, page: Page): Promise<Paged<ContactRecord>> {
    const { ids, search, channelId } = filter;
    const conditions = conditionsOf(filter);
    const roots = ids && (await findRoots(contacts, ids)).map(({ _id }) => _id);
    // Under a collation, the `_id` index is not used. Contacts found by an identity are therefore filtered without it.
    const where = roots
      ? { $and: [{ _id: { $in: roots.slice(0, maxFound) } }, withName(search, conditions)] }
      : conditions;
    const collation = search !== undefined && !roots ? { collation: byName } : {};
    const orderOptions =
      search !== undefined && !roots && (await isFrequent(search))
        ? { sort: page.sort, hint: 'by_creation' }
        : { sort: totalOrder(page.sort) };
    const isUnfiltered = !roots && !channelId && search === undefined;
    return readCountedPage(page, {
      find: (part) => contacts.find(where, { ...part, ...orderOptions, ...collation }).toArray(),
      count: () =>
        isUnfiltered
          ? countActiveContacts(contacts)
          : countBounded((bounds) => contacts.countDocuments(where, { ...collation, ...bounds })),
    });
  }
}

function createRead(connection: Connection, getMany: GetMany) {
  const { contacts, identities, chats, messages, events, merges } = peopleCollections(connection);
  const audit = collectionOf<AuditRow>(connection, 'audit');

  return read;

  async function read(id: string) {
    const contact = await contacts.findOne({ _id: id });
    if (!contact) return null;
    const treeIds = await mergeTreeIds(contacts, contact);
    const mine = { $in: treeIds };
    const [owned, identitiesTotal, spoken, made, changes] = await Promise.all([
      identities.find({ contactId: mine }, { limit: maxIdentities }).toArray(),
      identities.countDocuments({ contactId: mine }, { limit: maxTotal }),
      chats.find({ contactId: mine }, { sort: { startedAt: -1 }, limit: maxHistory }).toArray(),
      merges
        .find(
          { $or: [{ survivorId: mine }, { mergedId: mine }] },
          { sort: { createdAt: -1 }, limit: maxHistory },
        )
        .toArray(),
      audit
        .find(
          { 'target.type': 'contact', 'target.id': mine },
          { sort: { at: -1 }, limit: maxHistory },
        )
        .toArray(),
    ]);
    const real = spoken.filter(({ forwardsTo }) => forwardsTo === undefined);
    return {
      contact,
      treeIds,
      members: await getMany(treeIds.slice(1, maxMembers + 1)),
      identities: owned,
      identitiesTotal,
      chats: real,
      merges: made,
      changes,
      events: await readNewestEvents(real.map(({ _id }) => _id)),
    };
  }

  async function readNewestEvents(chatIds: readonly string[]): Promise<EventRecord[]> {
    if (chatIds.length === 0) return [];
    const newestMessages = await messages
      .find(
        { chatId: { $in: [...chatIds] } },
        { projection: { _id: 1 }, sort: { date: -1 }, limit: maxHistory },
      )
      .toArray();
    return events
      .find(
        { _id: { $in: newestMessages.map(({ _id }) => _id) } },
        { projection: { delivery: 0, timeline: 0, problems: 0 } },
      )
      .toArray();
  }
}

/** Replaces the name range by a regular expression for queries without a collation. Case is ignored, accents are not. */
function withName(search: string | undefined, { 'registers.name.value': _range, ...rest }: Named) {
  if (search === undefined) return rest;
  return { ...rest, 'registers.name.value': { $regex: `^${escapeRegex(search)}`, $options: 'i' } };
}

type Named = Readonly<Record<string, unknown>>;

/** Counts contacts from indexes only, exactly up to `maxTotal`. A larger total is an estimate, inexact after a crash. */
export async function countActiveContacts(contacts: Contacts): Promise<Counted> {
  const bounds = { maxTimeMS: maxCountMs };
  try {
    const [all, gone, tests] = await Promise.all([
      contacts.estimatedDocumentCount({ maxTimeMS: maxCountMs }),
      // The query has no channel, so MongoDB does not choose this index without a hint.
      contacts.countDocuments({ gone: true }, { hint: 'gone', ...bounds }),
      // A test contact never becomes a tombstone: it is deleted with its test event.
      contacts.countDocuments({ test: { $exists: true } }, { hint: 'tests', ...bounds }),
    ]);
    const total = all - gone - tests;
    return { total, isExact: total <= maxTotal };
  } catch (error) {
    if (!isTimeLimitExceeded(error)) throw error;
    return { total: 0, isExact: false };
  }
}
