/** What the plan of a set's effects relies on, read in the snapshot of its transaction. */
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { EventMessage, MessageRecord } from '../../domain/messages/message.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import { idIndex } from '../db/queries.ts';
import type { IdentityOwner, StoredIdentity } from '../people/records.ts';
import type { Tx } from '../sets/set-transaction.ts';

export const readIdentities = (tx: Tx, ids: readonly string[]): Promise<IdentityOwner[]> =>
  runCommand(tx, 'find', (options) =>
    nativeCollection<StoredIdentity>(tx.connection, 'identities')
      .find(
        { _id: { $in: [...ids] } },
        { ...options, projection: { contactId: 1, blocked: 1 }, hint: idIndex },
      )
      .toArray(),
  );

/** Counts the rows of each contact; absent: none. A contact has at most `maxIdentities`. */
export async function countIdentities(
  tx: Tx,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (contactIds.length === 0) return new Map();
  const found = await runCommand(tx, 'aggregate', (options) =>
    nativeCollection<StoredIdentity>(tx.connection, 'identities')
      .aggregate<{ _id: string; count: number }>(
        [
          { $match: { contactId: { $in: [...contactIds] } } },
          { $group: { _id: '$contactId', count: { $sum: 1 } } },
        ],
        options,
      )
      .toArray(),
  );
  return new Map(found.map(({ _id, count }) => [_id, count]));
}

/** Returns the contacts, and those that they were merged into. */
export async function readContacts(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContactRecord>> {
  const read = new Map<string, ContactRecord>();
  let next = [...new Set(ids)];
  while (next.length > 0) {
    const asked = next;
    const found = await runCommand(tx, 'find', (options) =>
      nativeCollection<ContactRecord>(tx.connection, 'contacts')
        .find({ _id: { $in: asked } }, { ...options, hint: idIndex })
        .toArray(),
    );
    for (const contact of found) read.set(contact._id, contact);
    next = [...new Set(found.flatMap(({ mergedInto }) => mergedInto ?? []))].filter(
      (id) => !read.has(id),
    );
  }
  return read;
}

/** Returns the open chats of the contacts, and the chats with these ids in any state. */
export async function readChats(
  tx: Tx,
  contactIds: readonly string[],
  ids: readonly string[],
): Promise<ChatRecord[]> {
  const isOpen = { contactId: { $in: [...contactIds] }, open: true as const };
  const named = { _id: { $in: [...ids] } };
  const wanted = [...(contactIds.length > 0 ? [isOpen] : []), ...(ids.length > 0 ? [named] : [])];
  if (wanted.length === 0) return [];
  return runCommand(tx, 'find', (options) =>
    nativeCollection<ChatRecord>(tx.connection, 'chats')
      .find(wanted.length === 1 ? (wanted[0] ?? {}) : { $or: wanted }, options)
      .toArray(),
  );
}

export async function readMessages(tx: Tx, ids: readonly string[]): Promise<EventMessage[]> {
  if (ids.length === 0) return [];
  return runCommand(tx, 'find', (options) =>
    nativeCollection<EventMessage>(tx.connection, 'messages')
      .find({ _id: { $in: [...ids] } }, { ...options, hint: idIndex })
      .toArray(),
  );
}

/** Returns the date of the newest message of the chat, after the writes of the transaction; null when it has none. */
export async function newestDate(tx: Tx, chatId: string): Promise<Date | null> {
  const found = await runCommand(tx, 'find', (options) =>
    nativeCollection<MessageRecord>(tx.connection, 'messages').findOne(
      { chatId },
      { ...options, sort: { date: -1 }, projection: { date: 1 } },
    ),
  );
  return found?.date ?? null;
}
