/**
 * Contacts and the conflicts between them. Collections `contacts` and `conflicts`.
 *
 * Promises: the update itself compares stamps and writes a field only with a greater stamp, so writes may arrive in any order
 * and more than once. A contact is never deleted: it becomes a tombstone. Values that events write are kept when pins or
 * merged members hide them.
 */
import type { StoreContext } from '../audit/store-context.ts';
import type { ContactRecord, Register, Registers } from '../../domain/people/contact.ts';
import type { IndexSpec } from '../db/connection.ts';
import { collectDuplicates, isDuplicateKey } from '../db/errors.ts';
import { peopleCollections, type Conflict } from './records.ts';

export type ContactChange = {
  readonly contactId: string;
  readonly channelId: string;
  readonly registers: Registers;
  /** Id of the test event that creates the contact. */
  readonly test?: string | undefined;
  /** The contact did not exist when it was read. It is inserted, which costs a tenth of an upsert with a pipeline. */
  readonly isNew: boolean;
  /** The contact had pins or members that hide values of events when it was read. */
  readonly isLayered?: boolean;
};

export const contactIndexes: readonly IndexSpec[] = [
  { collection: 'conflicts', name: 'by_contact', key: { contactIds: 1 } },
  { collection: 'conflicts', name: 'by_state', key: { resolvedAt: 1, createdAt: -1, _id: -1 } },
];

const beats = (register: Register, current: string) => ({
  $gt: [register.stamp, { $ifNull: [`${current}.stamp`, ''] }],
});

/** Returns the update of the hidden value. A value that a pin or a member overrides is kept under `beneath` by its stamp. */
function beneathOf([key, register]: [string, Register]): [string, unknown] {
  const [shown, beneath] = [`$registers.${key}`, `$beneath.${key}`];
  const winsBeneath = {
    $and: [{ $ne: [{ $type: beneath }, 'missing'] }, beats(register, beneath)],
  };
  const kept = { $cond: [winsBeneath, { $literal: register }, beneath] };
  return [`beneath.${key}`, { $cond: [beats(register, shown), '$$REMOVE', kept] }];
}

const dropIfEmpty = { $cond: [{ $eq: ['$beneath', { $literal: {} }] }, '$$REMOVE', '$beneath'] };

/** Keeps the register with the greater stamp. The value is a literal because it may start with a dollar sign. */
function registerStages({ channelId, registers, test, isLayered }: ContactChange) {
  const written = Object.entries(registers).map(([key, register]) => {
    const current = `$registers.${key}`;
    const kept = { $cond: [beats(register, current), { $literal: register }, current] };
    return [`registers.${key}`, kept] as const;
  });
  return [
    {
      $set: {
        ...Object.fromEntries(written),
        ...(isLayered && Object.fromEntries(Object.entries(registers).map(beneathOf))),
        channelId,
        ...(test !== undefined && { test }),
        createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
        updatedAt: '$$NOW',
      },
    },
    ...(isLayered ? [{ $set: { beneath: dropIfEmpty } }] : []),
  ];
}

function insertOf({ contactId, channelId, registers, test }: ContactChange, now: Date) {
  return {
    insertOne: {
      document: {
        _id: contactId,
        channelId,
        ...(test !== undefined && { test }),
        registers,
        createdAt: now,
        updatedAt: now,
      },
    },
  };
}

const updateOf = (change: ContactChange) => ({
  updateOne: {
    filter: {
      _id: change.contactId,
      mergedInto: { $exists: false },
      erased: { $exists: false },
      ...(!change.isLayered && { beneath: { $exists: false } }),
    },
    update: registerStages(change),
    upsert: true,
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;

export function createContactStore({
  connection,
  clock,
}: Pick<StoreContext, 'connection' | 'clock'>) {
  const { contacts, conflicts } = peopleCollections(connection);
  return {
    getMany: (ids: readonly string[]): Promise<ContactRecord[]> =>
      contacts.find({ _id: { $in: [...ids] } }).toArray(),

    /** Inserts or updates each contact. Returns the ids to read again: a tombstone, a concurrent insert or new layers. */
    async applyChanges(changes: readonly ContactChange[]): Promise<Set<string>> {
      if (changes.length === 0) return new Set();
      const positions = await collectDuplicates(() =>
        contacts.bulkWrite(
          changes.map((change) =>
            change.isNew ? insertOf(change, clock.now()) : updateOf(change),
          ),
          { ordered: false },
        ),
      );
      return new Set(positions.flatMap((position) => changes[position]?.contactId ?? []));
    },

    /** Returns false when a contact or another tombstone has this id. */
    async insertTombstone(
      id: string,
      into: { mergedInto: string; channelId: string },
    ): Promise<boolean> {
      const now = clock.now();
      try {
        await contacts.insertOne({
          _id: id,
          ...into,
          gone: true,
          registers: {},
          createdAt: now,
          updatedAt: now,
        });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Stores each conflict once. */
    async recordConflicts(found: readonly Conflict[]): Promise<void> {
      const createdAt = clock.now();
      const records = found.map((conflict) => ({ ...conflict, createdAt, resolvedAt: null }));
      await collectDuplicates(() => conflicts.insertMany(records, { ordered: false }));
    },
  };
}
