/**
 * Edits of a contact by a user: field values, pins that keep events from changing a field, and the identities that follow from
 * a phone number, an email address or a document.
 *
 * Promises: the change, its identities and its audit row are written in one transaction. An identity of another contact is
 * never taken. The audit row contains field names and no values.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  maxContactFields,
  maxIdentities,
  type ContactRecord,
  type Identity,
} from '../../domain/people/contact.ts';
import { applyEdit } from '../../domain/people/register-layers.ts';
import { inTransaction, type Session, type Db } from '../db/connection.ts';
import {
  followMerges,
  readMembers,
  contactBlockedBy,
  contactUpdate,
  type ContactBlocked,
} from './merge-tree.ts';
import { activeContact, identityRowOf, peopleCollections, type StoredIdentity } from './records.ts';
import { addAuditRow } from '../audit/audit.ts';

type ContactEdit = {
  /** Values by register key. */
  readonly set: Readonly<Record<string, string>>;
  readonly pinned?: readonly string[];
  readonly identities: readonly Identity[];
  readonly actor: Actor;
};

/** A test contact is deleted with its test event, so it must not take identities of real contacts. */
const findBlocker = (contact: ContactRecord): ContactBlocked | null =>
  contactBlockedBy(contact) ?? (contact.test ? failure('test') : null);

/** A field to pin has no value. `missing` is its register key. */
type MissingPinValue = Failure<'missing_value'> & { readonly missing: string };

const hasTooManyFields = (before: ContactRecord, after: Pick<ContactRecord, 'registers'>) => {
  const count = Object.keys(after.registers).length;
  return count > maxContactFields && count > Object.keys(before.registers).length;
};

export function createContactEdit(context: Db) {
  const { connection, clock } = context;
  const { contacts, identities } = peopleCollections(connection);

  async function claim(id: string, wanted: readonly Identity[], session: Session) {
    const added: StoredIdentity[] = [];
    for (const identity of wanted) {
      const row = await identities.findOne({ _id: identity._id }, { session });
      if (row?.blocked) return failure('blocked');
      // The contact of a row may not exist yet.
      const root = row && (await followMerges(contacts, row.contactId, session));
      const owner = root?._id ?? row?.contactId ?? id;
      if (owner !== id) return { ...failure('identity_taken'), contactId: owner };
      if (!row) added.push(identityRowOf(identity, id));
    }
    if (added.length === 0) return null;
    const count = await identities.countDocuments({ contactId: id }, { session });
    if (count + added.length > maxIdentities) return failure('too_many_identities');
    await identities.insertMany(added, { session });
    return null;
  }

  /** Returns the contact after the change. Fails when the contact is missing, blocked, or has no value for a pinned field. */
  return function edit(
    id: string,
    { set, pinned, identities: wanted, actor }: ContactEdit,
  ): Promise<Result<ContactRecord, ContactBlocked | MissingPinValue | Failure<'not_found'>>> {
    return inTransaction(connection, async (session) => {
      const before = await contacts.findOne({ _id: id }, { session });
      if (!before) return failure('not_found');
      actor.checkPrecondition?.(before);
      const blocked = findBlocker(before) ?? (await claim(id, wanted, session));
      if (blocked) {
        await session.abortTransaction();
        return blocked;
      }
      const members = await readMembers(contacts, before.members ?? [], session);
      const edited = applyEdit(
        before,
        members.map(({ registers }) => registers),
        { set, ...(pinned && { pinned }), now: clock.now(), id: newId() },
      );
      if ('missing' in edited) {
        await session.abortTransaction();
        return { ...failure('missing_value'), ...edited };
      }
      if (hasTooManyFields(before, edited)) {
        await session.abortTransaction();
        return failure('too_many_fields');
      }
      const { $set, ...rest } = contactUpdate({ ...edited, members: before.members ?? [] });
      const after = await contacts.findOneAndUpdate(
        { _id: id, ...activeContact },
        { $set: { ...$set, updatedAt: clock.now() }, ...rest },
        { session, returnDocument: 'after' },
      );
      const facts = (contact: Pick<ContactRecord, 'pins'>) => ({
        pinned: Object.keys(contact.pins ?? {}).toSorted(),
      });
      const changed = { fields: Object.keys(set).toSorted() };
      const target = { type: 'contact', id } as const;
      const auditFacts = {
        before: facts(before),
        after: { ...changed, ...facts(after ?? before) },
      };
      await addAuditRow(
        context,
        { actor, action: 'contact.change', target, ...auditFacts },
        session,
      );
      return after ? success(after) : failure('not_found');
    });
  };
}
