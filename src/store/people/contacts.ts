/**
 * Contacts and the conflicts between them. Collections `contacts` and `conflicts`.
 *
 * Promises: a field is written only by a greater stamp, compared in the write itself, so writers may come in any order and any
 * number of times. A contact is never deleted: it becomes a tombstone. Pins and merged members hide what events write, and
 * lose none of it.
 */
import type { StoreContext } from '../audit/store-context.ts';
import type {
  ContactRecord,
  IdentityKind,
  Register,
  Registers,
} from '../../domain/people/contact.ts';
import type { IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import { isDuplicateKey, collectBulkFailures } from '../db/errors.ts';

const collection = 'contacts';

export type ContactChange = {
  readonly contactId: string;
  readonly channelId: string;
  readonly registers: Registers;
  /** The test event that the contact is of. */
  readonly test?: string | undefined;
  /** Nobody was seen to have made it: inserted, which costs MongoDB a tenth of an upsert by pipeline. */
  readonly isNew: boolean;
  /** Was seen to hide what events wrote beneath pins or members. */
  readonly isLayered?: boolean;
};

export type Conflict = {
  readonly _id: string;
  readonly channelId: string;
  /** The contact that the event was given to comes first. */
  readonly contactIds: readonly string[];
  /** Which identity of the event was whose. */
  readonly named: readonly { readonly kind: IdentityKind; readonly contactId: string }[];
  readonly eventId: string;
};

export type ConflictRecord = Omit<Conflict, 'named'> & {
  /** Absent in those from before it was kept. */
  readonly named?: Conflict['named'];
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
  /** How it ended, and by which merge. */
  readonly resolution?: 'merged' | 'dismissed' | 'erased';
  readonly mergeId?: string;
};

export const contactIndexes: readonly IndexSpec[] = [
  { collection: 'conflicts', name: 'by_contact', key: { contactIds: 1 } },
  { collection: 'conflicts', name: 'by_state', key: { resolvedAt: 1, createdAt: -1, _id: -1 } },
];

const beats = (register: Register, current: string) => ({
  $gt: [register.stamp, { $ifNull: [`${current}.stamp`, ''] }],
});

/** What loses against a pin or a member is kept beneath it, by the same rule. */
function beneathOf([key, register]: [string, Register]): [string, unknown] {
  const [shown, beneath] = [`$registers.${key}`, `$beneath.${key}`];
  const winsBeneath = {
    $and: [{ $ne: [{ $type: beneath }, 'missing'] }, beats(register, beneath)],
  };
  const kept = { $cond: [winsBeneath, { $literal: register }, beneath] };
  return [`beneath.${key}`, { $cond: [beats(register, shown), '$$REMOVE', kept] }];
}

const dropIfEmpty = { $cond: [{ $eq: ['$beneath', { $literal: {} }] }, '$$REMOVE', '$beneath'] };

/** A register keeps the greater stamp; the value is a literal, because it may start with a dollar. */
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
  const contacts = collectionOf<ContactRecord>(connection, collection);
  const conflicts = collectionOf<ConflictRecord>(connection, 'conflicts');
  return {
    getMany: (ids: readonly string[]): Promise<ContactRecord[]> =>
      contacts.find({ _id: { $in: [...ids] } }, { ...majorityRead }).toArray(),

    /** Makes or changes each contact; returns the ids that met a tombstone, another's insert or layers, to be read again. */
    async applyChanges(changes: readonly ContactChange[]): Promise<Set<string>> {
      if (changes.length === 0) return new Set();
      const refusals = await collectBulkFailures(() =>
        contacts.bulkWrite(
          changes.map((change) =>
            change.isNew ? insertOf(change, clock.now()) : updateOf(change),
          ),
          { ordered: false, ...majorityWrite },
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

    /** False if a contact or another tombstone has this id. */
    async insertTombstone(
      id: string,
      into: { mergedInto: string; channelId: string },
    ): Promise<boolean> {
      const now = clock.now();
      try {
        await contacts.insertOne(
          { _id: id, ...into, gone: true, registers: {}, createdAt: now, updatedAt: now },
          majorityWrite,
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Keeps each conflict once, for a person to review. */
    async recordConflicts(found: readonly Conflict[]): Promise<void> {
      const createdAt = clock.now();
      const records = found.map((conflict) => ({ ...conflict, createdAt, resolvedAt: null }));
      const refusals = await collectBulkFailures(() =>
        conflicts.insertMany(records, { ordered: false, ...majorityWrite }),
      );
      for (const refusal of refusals.values()) if (refusal.kind === 'failed') throw refusal.error;
    },
  };
}
