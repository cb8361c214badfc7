/**
 * Contacts that a person creates: in one or several channels, or as the counterpart of a contact in another channel.
 *
 * Promises: the contacts, their identities and their audit rows are written in one transaction. An identity of another contact
 * is never taken. The audit row contains field names and no values.
 */
import { newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  identityIdOf,
  identityKinds,
  maxIdentities,
  type ContactRecord,
  type Identity,
} from '../../domain/people/contact.ts';
import { isInternal } from '../../domain/people/internal-registers.ts';
import { applyEdit } from '../../domain/people/register-layers.ts';
import { listIds } from '../db/queries.ts';
import {
  indexesOf,
  inTransaction,
  type Connection,
  type Session,
  type Db,
} from '../db/connection.ts';
import { followMerges, mergeTreeIds, type ContactBlocked } from './merge-tree.ts';
import { activeContact, identityRowOf, peopleCollections, type StoredIdentity } from './records.ts';
import { addAuditRow } from '../audit/audit.ts';

/** Of the person and of the contacts that were merged into it; the strongest of these are copied. */
const maxRead = 3_000;

type NewContact = {
  readonly channelId: string;
  /** Values by register key. */
  readonly set: Readonly<Record<string, string>>;
  readonly identities: readonly Identity[];
  /** The contact in another channel. */
  readonly copiedFrom?: string;
};

export const contactCreationIndexes = [
  ...indexesOf('contacts', {
    copies: { key: { copiedFrom: 1 }, where: { copiedFrom: { $exists: true } } },
  }),
  ...indexesOf('chats', {
    by_former_contact: {
      key: { formerContactIds: 1 },
      where: { formerContactIds: { $exists: true } },
    },
  }),
];

export function createContactCreation(context: Db) {
  const { connection, clock } = context;
  const { contacts, identities } = peopleCollections(connection);

  const { rootOf, insert, record, readRows } = createInsert(context);

  return {
    listCounterparts: createListCounterparts(connection),

    create: (
      given: readonly NewContact[],
      actor: Actor,
    ): Promise<Result<readonly ContactRecord[], ContactBlocked>> =>
      inTransaction(connection, async (session) => {
        const created: ContactRecord[] = [];
        for (const contact of given) {
          const one = await insert(contact, session);
          if (!one.ok) {
            await session.abortTransaction();
            return one;
          }
          created.push(one.value);
        }
        for (const contact of created) await record(contact, { actor, session });
        return success(created);
      }),

    /** Finds the person by the strongest identity there, or creates a contact with the same values. Test contacts are `not_found`. */
    counterpartIn: (
      id: string,
      channelId: string,
      actor: Actor,
    ): Promise<Result<ContactRecord, ContactBlocked | Failure<'not_found'>>> =>
      inTransaction(connection, async (session) => {
        const contact = await rootOf(id, session);
        if (!contact || contact.test !== undefined) return failure('not_found');
        if (contact.channelId === channelId) return success(contact);
        const copy = await contacts.findOne(
          { copiedFrom: contact._id, channelId, ...activeContact },
          { session },
        );
        if (copy) return success(copy);
        const treeIds = await mergeTreeIds(contacts, contact, session);
        const rows = await identities
          .find({ contactId: { $in: treeIds } }, { session, limit: maxRead })
          .toArray();
        const wanted = rows
          .filter(({ blocked }) => !blocked)
          .toSorted((a, b) => identityKinds.indexOf(a.kind) - identityKinds.indexOf(b.kind))
          .map(({ kind, value }) => ({
            _id: identityIdOf({ channelId, kind, value }),
            channelId,
            kind,
            value,
          }))
          .slice(0, maxIdentities);
        for (const row of await readRows(wanted, session)) {
          const owner = !row.blocked && (await rootOf(row.contactId, session));
          if (owner) return success(owner);
        }
        const set = Object.fromEntries(
          Object.entries(contact.registers)
            .filter(([key]) => !isInternal(key))
            .map(([key, { value }]) => [key, value]),
        );
        // Another request at the same time conflicts here, and finds the copy.
        const touched = { $set: { updatedAt: clock.now() } };
        await contacts.updateOne({ _id: contact._id, ...activeContact }, touched, { session });
        const counterpart = { channelId, set, identities: wanted, copiedFrom: contact._id };
        const made = await insert(counterpart, session);
        if (made.ok) await record(made.value, { actor, session });
        else await session.abortTransaction();
        return made;
      }),
  };
}

function createInsert(db: Db) {
  const { contacts, identities } = peopleCollections(db.connection);

  /** Returns the contact or its survivor; null when there is none or the person is erased. */
  async function rootOf(id: string, session: Session): Promise<ContactRecord | null> {
    const found = await followMerges(contacts, id, session);
    return found && !found.erased && found.mergedInto === undefined ? found : null;
  }

  /** Returns the rows of these identities that exist, in their order. */
  async function readRows(wanted: readonly Pick<StoredIdentity, '_id'>[], session: Session) {
    const ids = wanted.map(({ _id }) => _id);
    const found = await identities.find({ _id: { $in: ids } }, { session }).toArray();
    const rows = new Map(found.map((row) => [row._id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []);
  }

  /** Inserts a contact with its identities. Fails with the contact that owns one of them. */
  async function insert(
    { channelId, set, identities: wanted, copiedFrom }: NewContact,
    session: Session,
  ): Promise<Result<ContactRecord, ContactBlocked>> {
    const now = db.clock.now();
    const edited = applyEdit({ registers: {} }, [], { set, now, id: newId() });
    const registers = 'registers' in edited ? edited.registers : {};
    const contact: ContactRecord = {
      _id: newId(),
      channelId,
      registers,
      ...(copiedFrom !== undefined && { copiedFrom }),
      createdAt: now,
      updatedAt: now,
    };
    const [taken] = await readRows(wanted, session);
    if (taken?.blocked) return failure('blocked');
    if (taken) {
      const owner = await rootOf(taken.contactId, session);
      return { ...failure('identity_taken'), contactId: owner?._id ?? taken.contactId };
    }
    const rows = wanted.map((identity) => identityRowOf(identity, contact._id));
    if (rows.length > 0) await identities.insertMany(rows, { session });
    await contacts.insertOne(contact, { session });
    return success(contact);
  }

  async function record(
    { _id: id, channelId, registers }: ContactRecord,
    { actor, session }: { readonly actor: Actor; readonly session: Session },
  ): Promise<void> {
    const target = { type: 'contact', id } as const;
    const after = { channelId, fields: Object.keys(registers).toSorted() };
    await addAuditRow(db, { actor, action: 'contact.create', target, after }, session);
  }

  return { rootOf, insert, record, readRows };
}

function createListCounterparts(connection: Connection) {
  const { contacts, chats } = peopleCollections(connection);

  /** Returns the contacts that were copied from these, or that have a chat which was one of theirs. */
  return async function listCounterparts(ids: readonly string[]): Promise<string[]> {
    const mine = { $in: [...ids] };
    const [copies, transferred] = await Promise.all([
      listIds(contacts, { copiedFrom: mine }),
      chats.distinct('contactId', { formerContactIds: mine }),
    ]);
    return [...new Set([...copies, ...transferred])];
  };
}
