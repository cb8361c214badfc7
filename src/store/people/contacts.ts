/**
 * Contacts and the conflicts between them. Collections `contacts` and `conflicts`.
 *
 * Promises: the update itself compares stamps and writes a field only if it ranks later, so writes may arrive in any order
 * and more than once. A contact is never deleted: it becomes a tombstone. Values that events write are kept when pins or
 * merged members hide them.
 */
import type { StoreContext } from '../audit/audited-change.ts';
import type { Register, Registers } from '../../domain/people/contact.ts';
import { indexesOf } from '../db/connection.ts';
import { collectDuplicates, isDuplicateKey, runIdempotentUpdate } from '../db/errors.ts';
import { valueById } from '../db/queries.ts';
import type { PartRegisters } from '../../domain/people/name-parts.ts';
import { stageBefore, stagesAfter } from './name-stages.ts';
import { activeContact, peopleCollections, type Conflict } from './records.ts';
import { replacesStored } from './stamp-order.ts';

export type ContactChange = {
  readonly contactId: string;
  readonly channelId: string;
  readonly registers: Registers;
  /** The parts that the name follows from, when one of them changes. */
  readonly nameParts?: PartRegisters;
  /** Id of the test event that creates the contact. */
  readonly test?: string | undefined;
  /** The contact did not exist when it was read. It is inserted. */
  readonly isNew: boolean;
  /** The contact had pins or members that hide values of events when it was read. */
  readonly isLayered?: boolean;
};

export const contactIndexes = indexesOf('conflicts', {
  by_contact: { key: { contactIds: 1 } },
  by_state: { key: { resolvedAt: 1, createdAt: -1, _id: -1 } },
});

const beats = ({ stamp }: Register, current: string) =>
  replacesStored([stamp], stamp, `${current}.stamp`);

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

/** Keeps the register that ranks later, shown or hidden. A value is a literal because it may start with a dollar sign. */
function layeredStages({ channelId, registers, nameParts }: ContactChange) {
  const written = Object.entries(registers).map(([key, register]) => {
    const current = `$registers.${key}`;
    const kept = { $cond: [beats(register, current), { $literal: register }, current] };
    return [`registers.${key}`, kept] as const;
  });
  const write = {
    $set: {
      ...Object.fromEntries(written),
      ...Object.fromEntries(Object.entries(registers).map(beneathOf)),
      channelId,
      updatedAt: '$$NOW',
    },
  };
  const writes = nameParts ? [stageBefore(nameParts), write, ...stagesAfter(nameParts)] : [write];
  return [...writes, { $set: { beneath: dropIfEmpty } }];
}

/** A field of the update that holds the contact's own change, and is removed by the last stage. */
const own = 'change';

/** Keeps the register that ranks later. A contact without a change of a register keeps its own. */
function plainStages(changes: readonly ContactChange[]) {
  const keys = new Set(changes.flatMap(({ registers }) => Object.keys(registers)));
  const stamps = changes.flatMap(({ registers }) =>
    Object.values(registers).map(({ stamp }) => stamp),
  );
  const written = [...keys].map((key) => {
    const [mine, current] = [`$${own}.registers.${key}`, `$registers.${key}`];
    const isNewer = replacesStored(stamps, `${mine}.stamp`, `${current}.stamp`);
    return [`registers.${key}`, { $cond: [isNewer, mine, current] }] as const;
  });
  const values = changes.map(
    ({ contactId, channelId, registers }) => [contactId, { channelId, registers }] as const,
  );
  return [
    { $set: { [own]: valueById(new Map(values)) } },
    {
      $set: {
        ...Object.fromEntries(written),
        channelId: `$${own}.channelId`,
        updatedAt: '$$NOW',
      },
    },
    { $unset: own },
  ];
}

/** The expressions of a statement are evaluated for each of its contacts, and MongoDB takes statements of up to 16 MB. */
const maxStatement = { keys: 100, characters: 4_000_000 };

/** Divides the changes into statements. One change alone may exceed the limits. */
function statementsOf(changes: readonly ContactChange[]): ContactChange[][] {
  const statements: ContactChange[][] = [];
  let keys = new Set<string>();
  let characters = 0;
  for (const change of changes) {
    const ownKeys = Object.keys(change.registers);
    const ownCharacters = charactersOf(change);
    for (const key of ownKeys) keys.add(key);
    characters += ownCharacters;
    const last = statements.at(-1);
    if (last && keys.size <= maxStatement.keys && characters <= maxStatement.characters) {
      last.push(change);
      continue;
    }
    statements.push([change]);
    keys = new Set(ownKeys);
    characters = ownCharacters;
  }
  return statements;
}

const charactersOf = ({ registers }: ContactChange): number =>
  Object.entries(registers).reduce((sum, [key, { value }]) => sum + key.length + value.length, 0);

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

/** The upsert fails as a duplicate where the contact exists and is merged or erased. */
const layeredUpdateOf = (change: ContactChange) => ({
  updateOne: {
    filter: { _id: change.contactId, ...activeContact },
    update: layeredStages(change),
    upsert: true,
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;

export function createContactStore({
  connection,
  clock,
}: Pick<StoreContext, 'connection' | 'clock'>) {
  const { contacts, conflicts } = peopleCollections(connection);

  async function applySingly(changes: readonly ContactChange[]): Promise<string[]> {
    if (changes.length === 0) return [];
    const positions = await collectDuplicates(() =>
      contacts.bulkWrite(
        changes.map((change) =>
          change.isNew ? insertOf(change, clock.now()) : layeredUpdateOf(change),
        ),
        { ordered: false },
      ),
    );
    return positions.flatMap((position) => changes[position]?.contactId ?? []);
  }

  /** Returns all ids when it did not find each contact as it was read. */
  async function applyTogether(changes: readonly ContactChange[]): Promise<string[]> {
    const ids = changes.map(({ contactId }) => contactId);
    const where = { _id: { $in: ids }, ...activeContact, beneath: { $exists: false } };
    const { matchedCount } = await runIdempotentUpdate(() =>
      contacts.updateMany(where, plainStages(changes)),
    );
    return matchedCount === ids.length ? [] : ids;
  }

  return {
    getMany: (ids: readonly string[]) => contacts.find({ _id: { $in: [...ids] } }).toArray(),

    /** Returns the ids to read again, among them every tombstone, concurrent insert and contact with new layers. */
    async applyChanges(changes: readonly ContactChange[]): Promise<Set<string>> {
      const isPlain = ({ isNew, isLayered, nameParts }: ContactChange) =>
        !isNew && !isLayered && !nameParts;
      const unwritten = await Promise.all([
        applySingly(changes.filter((change) => !isPlain(change))),
        ...statementsOf(changes.filter(isPlain)).map(applyTogether),
      ]);
      return new Set(unwritten.flat());
    },

    /** Returns false when a contact or another tombstone has this id. */
    async insertTombstone(id: string, into: { mergedInto: string; channelId: string }) {
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
