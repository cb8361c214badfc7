/** Reads what belongs to a person in batches, each of which one transaction deletes. */
import type { Connection } from '../db/connection.ts';
import { anyOf, exists, listIds } from '../db/queries.ts';
import { listFilesOfChats } from '../chats/files.ts';
import { peopleCollections } from '../people/records.ts';

/** Of one transaction. An event of a message is read without its body. */
const atOnce = { messages: 500, files: 20, chats: 100, conflicts: 500, identities: 500 } as const;

/** What is deleted before the tombstones are written, because one transaction does not take all. */
export type PersonBatch = {
  readonly of: 'files' | 'chats' | 'conflicts' | 'identities';
  readonly ids: readonly string[];
};

export function createErasablePerson(connection: Connection) {
  const { identities, chats, messages, conflicts } = peopleCollections(connection);
  return {
    nextMessages: async (chatIds: readonly string[]): Promise<string[]> =>
      chatIds.length === 0
        ? []
        : listIds(messages, { chatId: { $in: [...chatIds] } }, { limit: atOnce.messages }),

    /** The oldest first: the open ones are the last. */
    nextChats: (contactIds: readonly string[]): Promise<string[]> =>
      listIds(chats, anyOf({ contactId: contactIds }), {
        sort: { startedAt: 1 },
        limit: atOnce.chats,
      }),

    /** `chatIds`: the next chats, whose messages are deleted. Returns null when one transaction takes the rest. */
    async nextBatch(
      contactIds: readonly string[],
      chatIds: readonly string[],
    ): Promise<PersonBatch | null> {
      const mine = anyOf({ contactId: contactIds });
      const files = await listFilesOfChats(connection, chatIds, atOnce.files + 1);
      if (files.length > atOnce.files) return { of: 'files', ids: files.slice(0, atOnce.files) };
      const further = { ...mine, _id: { $nin: [...chatIds] } };
      if (await exists(chats, further)) return { of: 'chats', ids: chatIds };
      const open = { ...anyOf({ contactIds }), resolvedAt: null };
      const unresolved = await listIds(conflicts, open, { limit: atOnce.conflicts + 1 });
      if (unresolved.length > atOnce.conflicts)
        return { of: 'conflicts', ids: unresolved.slice(0, atOnce.conflicts) };
      const owned = await listIds(identities, mine, { limit: atOnce.identities + 1 });
      if (owned.length <= atOnce.identities) return null;
      return { of: 'identities', ids: owned.slice(0, atOnce.identities) };
    },
  };
}
