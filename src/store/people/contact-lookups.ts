/** Contacts by an identity, and the events of contacts. Both go by ids, so that neither needs an index of its own. */
import { invalidQuery } from '../../base/errors.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import { identityIdOf, type IdentityKind } from '../../domain/people/contact.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection } from '../db/connection.ts';
import { idIndex, listIds, maxCountMs, maxFindMs } from '../db/queries.ts';
import { peopleCollections } from './records.ts';

type IdentityQuery = {
  readonly kind: IdentityKind;
  readonly values: readonly string[];
  /** All channels when absent. */
  readonly channelIds?: readonly string[] | undefined;
  /** The channels that are searched first. */
  readonly first?: readonly string[] | undefined;
};

const maxFound = 1_000;
/** Rows that one look-up names: their ids take about 30 ms to compute. */
const maxRows = 20_000;

/** Finds the owners of identities by the ids that their rows have in each channel. Identities of tests are not found. */
export function createOwnerLookup(connection: Connection) {
  const { identities } = peopleCollections(connection);
  const channels = collectionOf<ChannelRecord>(connection, 'channels');
  const listChannels = () => listIds(channels, {}, { hint: idIndex, limit: maxRows + 1 });

  /** `isComplete` is false when not all channels could be searched. */
  return async function findOwners(query: IdentityQuery, limit = maxFound) {
    const { kind, values, channelIds, first = [] } = query;
    if (values.length === 0) return { contactIds: [], isComplete: true };
    const all = channelIds ?? [...new Set([...first, ...(await listChannels())])];
    const searched = all.slice(0, Math.floor(maxRows / values.length));
    const ids = searched.flatMap((channelId) =>
      values.map((value) => identityIdOf({ channelId, kind, value })),
    );
    const options = { projection: { contactId: 1 }, limit, maxTimeMS: maxFindMs } as const;
    const found = await identities.find({ _id: { $in: ids } }, options).toArray();
    const contactIds = [...new Set(found.map(({ contactId }) => contactId))];
    return { contactIds, isComplete: searched.length === all.length };
  };
}

export function createFindByIdentity(connection: Connection) {
  const findOwners = createOwnerLookup(connection);

  /** Throws `invalid_query` for too many values. */
  return async function findByIdentity(query: IdentityQuery): Promise<string[]> {
    const { contactIds, isComplete } = await findOwners(query);
    if (isComplete) return contactIds;
    throw invalidQuery(query.kind, 'field.too_many_identities');
  };
}

/** Chats and events of the contacts of a search. */
const maxChats = 1_000;
const maxEvents = 10_000;

export function createFindEventIds(connection: Connection) {
  const { chats, messages } = peopleCollections(connection);

  /** Returns the events whose messages are in the chats of these contacts: the newest 10,000, and whether these are all. */
  return async function findEventIds(contactIds: readonly string[]) {
    if (contactIds.length === 0) return { ids: [], isComplete: true };
    const chatIds = await listIds(
      chats,
      { contactId: { $in: [...contactIds] } },
      { sort: { startedAt: -1 }, limit: maxChats + 1, hint: 'by_contact', maxTimeMS: maxCountMs },
    );
    const found = await messages
      .find(
        { chatId: { $in: chatIds.slice(0, maxChats) }, webhookId: { $exists: true } },
        {
          projection: { _id: 1 },
          sort: { date: -1 },
          limit: maxEvents + 1,
          hint: 'by_chat',
          maxTimeMS: maxFindMs,
        },
      )
      .toArray();
    const ids = found.slice(0, maxEvents).map(({ _id }) => _id);
    return { ids, isComplete: chatIds.length <= maxChats && found.length <= maxEvents };
  };
}
