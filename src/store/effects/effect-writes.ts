/**
 * The writes of a set's effects, within its transaction. Each document that the plan relies on is really changed, by a count that
 * rises: an update that changes nothing would conflict with no other writer.
 */
import type mongoose from 'mongoose';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { EventMessage } from '../../domain/messages/message.ts';
import type { ContactRecord, Registers } from '../../domain/people/contact.ts';
import { nativeCollection } from '../db/collection.ts';
import { runCommand } from '../db/command.ts';
import { updateByShape, type Change, type Common } from '../db/update-by-shape.ts';
import type { Conflict, ConflictRecord, IdentityRow } from '../people/records.ts';
import type { Tx } from '../sets/set-transaction.ts';

/** `changed`: null where the contact is only relied on. */
export type ContactUpdate = {
  readonly contactId: string;
  readonly changed: {
    /** Those that change. */
    readonly registers: Registers;
    /** All of them; null: none, absent: as before. */
    readonly beneath?: ContactRecord['beneath'] | null;
  } | null;
};

export type ChatUpdate = {
  readonly chatId: string;
  readonly changed: Partial<Pick<ChatRecord, 'opening' | 'labelIds' | 'lastMessageAt'>>;
  /** A message was stored in it. */
  readonly hasNewMessage: boolean;
};

export type MessageUpdate = {
  readonly messageId: string;
  readonly changed: Partial<EventMessage>;
  /** Whether the message loses its delivery. */
  readonly isWithdrawn: boolean;
};

export type EffectWrites = {
  readonly identities: readonly IdentityRow[];
  readonly newContacts: readonly ContactRecord[];
  readonly contacts: readonly ContactUpdate[];
  readonly conflicts: readonly Conflict[];
  readonly newChats: readonly ChatRecord[];
  readonly chats: readonly ChatUpdate[];
  readonly newMessages: readonly EventMessage[];
  readonly messages: readonly MessageUpdate[];
};

/** Throws when a document that was read in the snapshot is not found: the plan is faulty. */
export async function writeEffects(tx: Tx, writes: EffectWrites, now: Date): Promise<void> {
  await insert(tx, 'identities', writes.identities);
  await insert(tx, 'contacts', writes.newContacts);
  const isBare = ({ changed }: ContactUpdate) => changed?.beneath === null;
  await update(tx, 'contacts', {
    changes: writes.contacts.filter((one) => !isBare(one)).map((one) => contactChange(one, now)),
    set: raised,
  });
  await update(tx, 'contacts', {
    changes: writes.contacts.filter(isBare).map((one) => contactChange(one, now)),
    set: raised,
    unset: ['beneath'],
  });
  await recordConflicts(tx, writes.conflicts, now);
  await insert(tx, 'chats', writes.newChats);
  await update(tx, 'chats', {
    changes: writes.chats.map((one) => chatChange(one, now)),
    set: raised,
  });
  await insert(tx, 'messages', writes.newMessages);
  const ofMessages = (isWithdrawn: boolean): Change[] =>
    writes.messages
      .filter((one) => one.isWithdrawn === isWithdrawn)
      .map(({ messageId, changed }) => ({ _id: messageId, set: changed }));
  await update(tx, 'messages', { changes: ofMessages(false) });
  await update(tx, 'messages', { changes: ofMessages(true), unset: ['delivery'] });
}

async function insert<Doc extends { _id: string }>(
  tx: Tx,
  name: string,
  records: readonly Doc[],
): Promise<void> {
  if (records.length === 0) return;
  await runCommand(tx, 'insert', (options) =>
    nativeCollection<{ _id: string }>(tx.connection, name).insertMany([...records], options),
  );
}

type Updates = Common & { readonly changes: readonly Change[] };

async function update(tx: Tx, name: string, updates: Updates): Promise<void> {
  const matched = await updateByShape(tx, name, updates);
  if (matched < updates.changes.length)
    throw new Error(`A document of ${name} was gone in its own snapshot.`);
}

const raised = { rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] } };

const contactChange = ({ contactId, changed }: ContactUpdate, now: Date): Change => ({
  _id: contactId,
  set: {
    ...Object.fromEntries(
      Object.entries(changed?.registers ?? {}).map(([key, one]) => [`registers.${key}`, one]),
    ),
    ...(changed && { updatedAt: now }),
    ...(changed?.beneath && { beneath: changed.beneath }),
  },
});

const chatChange = ({ chatId, changed, hasNewMessage }: ChatUpdate, now: Date): Change => ({
  _id: chatId,
  // A message that is older than the last one changes the chat, too.
  set: { ...changed, ...(hasNewMessage && { messageStoredAt: now }) },
});

/** Stores each conflict once. */
async function recordConflicts(tx: Tx, conflicts: readonly Conflict[], now: Date): Promise<void> {
  if (conflicts.length === 0) return;
  const operations = conflicts.map(({ _id, ...conflict }) => ({
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { ...conflict, createdAt: now, resolvedAt: null } },
      upsert: true,
    },
  }));
  await runCommand(tx, 'bulk', (options) =>
    nativeCollection<ConflictRecord>(tx.connection, 'conflicts').bulkWrite(
      operations as mongoose.mongo.AnyBulkWriteOperation<ConflictRecord>[],
      options,
    ),
  );
}
