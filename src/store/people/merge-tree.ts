/** A contact with all that was merged into it, read inside one transaction. */
import { failure, type Failure } from '../../base/result.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { resolveLayers, writtenRegisters } from '../../domain/people/register-layers.ts';
import { majorityRead, type Collection } from '../db/connection.ts';
import type { Session } from '../db/model.ts';

export type Contacts = Collection<ContactRecord>;

/** Why a contact cannot be changed, with the contact that prevents it, if any. */
type ContactBlock =
  | 'erased'
  | 'merged'
  | 'test'
  | 'same_contact'
  | 'other_channel'
  | 'not_merged'
  | 'blocked'
  | 'identity_taken';
export type ContactBlocked = Failure<ContactBlock> & { readonly contactId?: string };

/** What keeps a contact from being changed: it is a tombstone. */
export function contactBlockedBy(contact: ContactRecord): ContactBlocked | null {
  if (contact.erased) return failure('erased');
  if (contact.mergedInto === undefined) return null;
  return { ...failure('merged'), contactId: contact.mergedInto };
}

/** Whom these are or were merged into; nobody where they are forgotten. */
export async function findRoots(
  contacts: Contacts,
  ids: readonly string[],
): Promise<ContactRecord[]> {
  const roots = new Map<string, ContactRecord>();
  const asked = new Set<string>();
  let next = [...new Set(ids)];
  while (next.length > 0) {
    for (const id of next) asked.add(id);
    const found = await contacts.find({ _id: { $in: next } }, { ...majorityRead }).toArray();
    for (const one of found) if (!one.mergedInto && !one.erased) roots.set(one._id, one);
    const led = found.flatMap(({ mergedInto }) => mergedInto ?? []);
    next = [...new Set(led)].filter((id) => !asked.has(id));
  }
  return [...roots.values()];
}

/** The contact's own id first, then its members' and theirs. */
export async function mergeTreeIds(
  contacts: Contacts,
  root: Pick<ContactRecord, '_id' | 'members'>,
  session?: Session,
): Promise<ContactRecord['_id'][]> {
  const ids = [root._id];
  let next = [...(root.members ?? [])];
  while (next.length > 0) {
    ids.push(...next);
    const found = await contacts
      .find({ _id: { $in: next } }, { projection: { members: 1 }, ...(session && { session }) })
      .toArray();
    next = found.flatMap(({ members = [] }) => members);
  }
  return ids;
}

export async function readMembers(
  contacts: Contacts,
  ids: readonly string[],
  session: Session,
): Promise<ContactRecord[]> {
  if (ids.length === 0) return [];
  const found = await contacts.find({ _id: { $in: [...ids] } }, { session }).toArray();
  const byId = new Map(found.map((member) => [member._id, member]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Shape = Pick<ContactRecord, 'registers' | 'beneath' | 'pins' | 'members'>;

/** What is empty is not there at all, so that a change and its inverse leave the same document. */
export function contactUpdate({ registers, beneath = {}, pins = {}, members = [] }: Shape) {
  const optional = { beneath, pins, members };
  const isEmpty = (value: object) => Object.keys(value).length === 0;
  const entries = Object.entries(optional);
  const set = Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
  const unset = entries.filter(([, value]) => isEmpty(value)).map(([name]) => [name, '']);
  return {
    $set: { registers, ...set },
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset) }),
  } as const;
}

/** The contact with these members and no others. */
export const withMembers = (contact: ContactRecord, members: readonly ContactRecord[]): Shape => ({
  ...resolveLayers({
    written: writtenRegisters(contact),
    pins: contact.pins ?? {},
    members: members.map(({ registers }) => registers),
  }),
  members: members.map(({ _id }) => _id),
});
