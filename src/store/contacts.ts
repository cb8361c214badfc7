/**
 * Contacts and the conflicts between them.
 *
 * Promises: a field is written only by a greater stamp, compared by the server in the write itself, so that writers
 * may come in any order and any number of times. A contact is never deleted: it becomes a tombstone.
 */
import type { Clock } from '../base/clock.ts';
import type { ContactRecord, Registers } from '../domain/contact.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf, decisive, durable } from './connection.ts';
import { isDuplicateKey, settleBulk } from './errors.ts';

const collection = 'contacts';

export type ContactChange = {
  readonly contactId: string;
  readonly channelId: string;
  readonly registers: Registers;
  /** Nobody was seen to have made it: inserted, which costs MongoDB a tenth of an upsert by pipeline. */
  readonly isNew: boolean;
};

export type Conflict = {
  readonly _id: string;
  readonly channelId: string;
  /** The contact that the event was given to comes first. */
  readonly contactIds: readonly string[];
  readonly eventId: string;
};

type ConflictRecord = Conflict & { readonly createdAt: Date; readonly resolvedAt: Date | null };

export const contactIndexes: readonly IndexSpec[] = [
  { collection: 'conflicts', name: 'by_contact', key: { contactIds: 1 } },
];

/** A register keeps the greater stamp; the value is a literal, because it may start with a dollar. */
function registerStages({ channelId, registers }: ContactChange) {
  const written = Object.entries(registers).map(([key, register]) => {
    const current = `$registers.${key}`;
    const wins = { $gt: [register.stamp, { $ifNull: [`${current}.stamp`, ''] }] };
    return [`registers.${key}`, { $cond: [wins, { $literal: register }, current] }] as const;
  });
  return [
    {
      $set: {
        ...Object.fromEntries(written),
        channelId,
        createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
        updatedAt: '$$NOW',
      },
    },
  ];
}

function insertOf({ contactId, channelId, registers }: ContactChange, now: Date) {
  return {
    insertOne: {
      document: { _id: contactId, channelId, registers, createdAt: now, updatedAt: now },
    },
  };
}

const updateOf = (change: ContactChange) => ({
  updateOne: {
    filter: { _id: change.contactId, mergedInto: { $exists: false } },
    update: registerStages(change),
    upsert: true,
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;

export function createContactStore(connection: Connection, clock: Clock) {
  const contacts = collectionOf<ContactRecord>(connection, collection);
  const conflicts = collectionOf<ConflictRecord>(connection, 'conflicts');
  return {
    getMany: (ids: readonly string[]): Promise<ContactRecord[]> =>
      contacts.find({ _id: { $in: [...ids] } }, { ...decisive }).toArray(),

    /** Makes or changes each contact; returns the ids that met a tombstone or another's insert, to be read again. */
    async apply(changes: readonly ContactChange[]): Promise<Set<string>> {
      if (changes.length === 0) return new Set();
      const refusals = await settleBulk(() =>
        contacts.bulkWrite(
          changes.map((change) =>
            change.isNew ? insertOf(change, clock.now()) : updateOf(change),
          ),
          { ordered: false, ...durable },
        ),
      );
      const met = new Set<string>();
      for (const [index, refusal] of refusals) {
        if (refusal.kind === 'failed') throw refusal.error;
        const change = changes[index];
        if (change) met.add(change.contactId);
      }
      return met;
    },

    /** False when something stands in the tombstone's place: a contact, or another tombstone. */
    async entomb(id: string, into: { mergedInto: string; channelId: string }): Promise<boolean> {
      const now = clock.now();
      try {
        await contacts.insertOne(
          { _id: id, ...into, registers: {}, createdAt: now, updatedAt: now },
          durable,
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Keeps each conflict once, for a person to review. */
    async noteConflicts(found: readonly Conflict[]): Promise<void> {
      const createdAt = clock.now();
      const records = found.map((conflict) => ({ ...conflict, createdAt, resolvedAt: null }));
      const refusals = await settleBulk(() =>
        conflicts.insertMany(records, { ordered: false, ...durable }),
      );
      for (const refusal of refusals.values()) if (refusal.kind === 'failed') throw refusal.error;
    },
  };
}
