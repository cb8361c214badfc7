/** Contacts by an identity, and the events of contacts. Both go by ids, so that neither needs an index of its own. */
import { invalidQuery } from '../../base/errors.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import { identityIdOf, type IdentityKind } from '../../domain/people/contact.ts';
import { collectionOf, type Connection } from '../db/connection.ts';
import { idIndex, listIds, maxCountMs, maxFindMs } from '../db/queries.ts';
import { peopleCollections } from './records.ts';

type IdentityQuery = { readonly kind: IdentityKind; readonly values: readonly string[] };

const maxFound = 1_000;
/** Rows that one query looks up: a query of MongoDB is at most 16 MiB. */
const maxRows = 50_000;

export function createFindByIdentity(connection: Connection) {
  const { identities } = peopleCollections(connection);
  const channels = collectionOf<ChannelRecord>(connection, 'channels');

  /** Looks the identities up in each channel. Identities of tests are not found. Throws `invalid_query` for too many. */
  return async function findByIdentity({ kind, values }: IdentityQuery): Promise<string[]> {
    const channelIds = await listIds(channels, {}, { hint: idIndex, limit: maxRows + 1 });
    if (channelIds.length * values.length > maxRows) {
      throw invalidQuery(kind, 'names too many identities: use fewer values, or webhookId');
    }
    const ids = channelIds.flatMap((channelId) =>
      values.map((value) => identityIdOf({ channelId, kind, value })),
    );
    const options = {
      projection: { contactId: 1 },
      limit: maxFound,
      maxTimeMS: maxFindMs,
    } as const;
    const found = await identities.find({ _id: { $in: ids } }, options).toArray();
    return [...new Set(found.map(({ contactId }) => contactId))];
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
        { chatId: { $in: chatIds.slice(0, maxChats) }, eventId: { $ne: null } },
        {
          projection: { _id: 0, eventId: 1 },
          sort: { date: -1 },
          limit: maxEvents + 1,
          hint: 'by_chat',
          maxTimeMS: maxFindMs,
        },
      )
      .toArray();
    const ids = found.slice(0, maxEvents).flatMap(({ eventId }) => eventId ?? []);
    return { ids, isComplete: chatIds.length <= maxChats && found.length <= maxEvents };
  };
}
