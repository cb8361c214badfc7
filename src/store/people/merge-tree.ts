/** Reads and updates of a contact and the contacts that were merged into it. */
import { failure, type Failure } from '../../base/result.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { resolveLayers, writtenRegisters } from '../../domain/people/register-layers.ts';
import type { Collection } from '../db/collection.ts';
import type { Session } from '../db/connection.ts';

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
  | 'identity_taken'
  | 'too_many_fields'
  | 'too_many_identities'
  | 'too_many_members';
export type ContactBlocked = Failure<ContactBlock> & { readonly contactId?: string };

/** Returns the failure when the contact is a tombstone; null otherwise. */
export function contactBlockedBy(contact: ContactRecord): ContactBlocked | null {
  if (contact.erased) return failure('erased');
  if (contact.mergedInto === undefined) return null;
  return { ...failure('merged'), contactId: contact.mergedInto };
}

/** Maps each id to its contact, or to the survivor of a merged one. Erased and unknown contacts are absent. */
export async function findSurvivors(contacts: Contacts, ids: readonly string[]) {
  const read = new Map<string, ContactRecord | null>();
  let next = [...new Set(ids)];
  while (next.length > 0) {
    for (const id of next) read.set(id, null);
    const found = await contacts.find({ _id: { $in: next } }).toArray();
    for (const one of found) read.set(one._id, one);
    const survivorIds = found.flatMap(({ mergedInto }) => mergedInto ?? []);
    next = [...new Set(survivorIds)].filter((id) => !read.has(id));
  }
  const survivorOf = (id: string): ContactRecord | null => {
    const visited = new Set<string>();
    let contact = read.get(id) ?? null;
    while (contact?.mergedInto !== undefined && !visited.has(contact._id)) {
      visited.add(contact._id);
      contact = read.get(contact.mergedInto) ?? null;
    }
    return contact === null || contact.mergedInto !== undefined || contact.erased ? null : contact;
  };
  return new Map(
    [...new Set(ids)].flatMap((id) => {
      const contact = survivorOf(id);
      return contact ? [[id, contact] as const] : [];
    }),
  );
}

/** Returns the contacts themselves or their survivors, each once. Erased and unknown contacts are absent. */
export async function findRoots(contacts: Contacts, ids: readonly string[]) {
  const survivors = await findSurvivors(contacts, ids);
  return [...new Map([...survivors.values()].map((one) => [one._id, one])).values()];
}

/** Returns the contact's id, then the ids of its direct and indirect members. */
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

/** Length of the longest chain of merges that is followed. A longer chain is a cycle. */
const maxMerges = 20;

/** Returns the contact or what it was merged into in the end; null when that does not exist. */
export async function followMerges(contacts: Contacts, id: string, session: Session) {
  let found = await contacts.findOne({ _id: id }, { session });
  for (let merges = 0; found?.mergedInto !== undefined && merges < maxMerges; merges += 1)
    found = await contacts.findOne({ _id: found.mergedInto }, { session });
  return found;
}

export async function readMembers(contacts: Contacts, ids: readonly string[], session: Session) {
  if (ids.length === 0) return [];
  const found = await contacts.find({ _id: { $in: [...ids] } }, { session }).toArray();
  const byId = new Map(found.map((member) => [member._id, member]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Shape = Pick<ContactRecord, 'registers' | 'beneath' | 'pins' | 'members'>;

/** Returns the update to this shape. Empty fields are removed, so that a change and its inverse leave the same document. */
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

export const withMembers = (contact: ContactRecord, members: readonly ContactRecord[]): Shape => ({
  ...resolveLayers({
    written: writtenRegisters(contact),
    pins: contact.pins ?? {},
    members: members.map(({ registers }) => registers),
  }),
  members: members.map(({ _id }) => _id),
});
