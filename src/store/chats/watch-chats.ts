/**
 * Changes of chats as they happen: a new message, and what a person changed.
 *
 * Must never: read a message or a contact.
 */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import { watchCollection, type Change } from '../db/change-stream.ts';
import { peopleCollections } from '../people/records.ts';
import type { Connection } from '../db/connection.ts';

/** Several changes of a chat at about the same time are one. `chat` is null when chats were deleted or are no longer listed. */
export type ChatChange = {
  readonly token: string;
  readonly at: Date;
  readonly chat: ChatSummary | null;
};

const summary = {
  channelId: 1,
  contactId: 1,
  status: 1,
  agent: 1,
  lastMessageAt: 1,
  startedAt: 1,
} as const;

type ChatSummary = Pick<ChatRecord, '_id' | keyof typeof summary>;

const pipeline = [
  { $match: { operationType: { $in: ['insert', 'update', 'replace', 'delete'] } } },
  { $project: { documentKey: 1, wallTime: 1 } },
];

/** Watches from now on, or from after a token. Resolves when the stream is open. Throws ChangeStreamLost. */
export function watchChats(connection: Connection) {
  const { chats } = peopleCollections(connection);

  /** Reads the changed chats with one query. Those that are not listed are one item. */
  async function toChatChanges(changes: readonly Change[]): Promise<ChatChange[]> {
    if (changes.length === 0) return [];
    const lastOf = new Map(changes.map((change) => [change.documentKey._id, change]));
    const listed = {
      _id: { $in: [...lastOf.keys()] },
      forwardsTo: { $exists: false },
      lastMessageAt: { $ne: null },
    };
    const found = await chats.find<ChatSummary>(listed, { projection: summary }).toArray();
    const byId = new Map(found.map((chat) => [chat._id, chat]));
    const items = [...lastOf.values()]
      .toSorted((one, other) => (one._id._data < other._id._data ? -1 : 1))
      .map(({ _id, documentKey, wallTime = new Date(0) }) => ({
        token: _id._data,
        at: wallTime,
        chat: byId.get(documentKey._id) ?? null,
      }));
    const lastGone = items.findLast(({ chat }) => chat === null);
    return items.filter((item) => item.chat !== null || item === lastGone);
  }

  return watchCollection(chats, { pipeline, toItems: toChatChanges });
}
