/**
 * Merges one contact into another, and reverts a merge.
 *
 * Promises: each is one transaction with its audit row, and unmerge is the exact inverse of merge. Before, an unmerge moves most
 * messages of a large chat. The merged contact keeps its
 * data and points to the survivor. The survivor shows the register with the greater stamp and keeps its own values in
 * `beneath`. Merges create no cycle: each writes both contacts, so a concurrent merge conflicts and is retried. Data that
 * arrives after the merge belongs to the survivor and stays with it.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { maxMembers, type ContactRecord } from '../../domain/people/contact.ts';
import { indexesOf, inTransaction, type Session, type Db } from '../db/connection.ts';
import { moveMessagesAhead } from './foreign-messages.ts';
import { giveChat, restoreChats } from './merged-chats.ts';
import {
  mergeTreeIds,
  readMembers,
  contactBlockedBy,
  withMembers,
  contactUpdate,
  type ContactBlocked,
} from './merge-tree.ts';
import { activeContact, peopleCollections, type MergeRecord, type MergeWork } from './records.ts';
import { addAuditRow } from '../audit/audit.ts';

export const mergeIndexes = indexesOf('merges', {
  by_survivor: { key: { survivorId: 1, createdAt: -1 } },
  by_merged: { key: { mergedId: 1, createdAt: -1 } },
});

type MergeResult = Result<MergeRecord, ContactBlocked | Failure<'not_found'>>;

export function createMerges(db: Db) {
  const collections = peopleCollections(db.connection);
  const run = (work: (work: MergeWork) => Promise<MergeResult>) =>
    inTransaction(db.connection, (session) => work({ ...collections, session }));

  async function addMergeRow(
    action: 'contact.merge' | 'contact.unmerge',
    { survivorId, mergedId, _id: mergeId }: MergeRecord,
    { actor, session }: { readonly actor: Actor; readonly session: Session },
  ): Promise<void> {
    const apart = { mergeId, mergedId, mergedInto: null };
    const together = { mergeId, mergedId, mergedInto: survivorId };
    const [before, after] = action === 'contact.merge' ? [apart, together] : [together, apart];
    const target = { type: 'contact', id: survivorId } as const;
    await addAuditRow(db, { actor, action, target, before, after }, session);
  }

  return {
    merge: (survivorId: string, mergedId: string, actor: Actor) =>
      run(async (work): Promise<MergeResult> => {
        const { session } = work;
        const merged = await merge(work, { survivorId, mergedId, actor, now: db.clock.now() });
        if (merged.ok) await addMergeRow('contact.merge', merged.value, { actor, session });
        return merged;
      }),

    /** `mergeId`: null reverts the survivor's last merge. */
    unmerge: async (
      survivorId: string,
      mergeId: string | null,
      actor: Actor,
    ): Promise<MergeResult> => {
      const ahead = await run((work) => findMerge(work, { survivorId, mergeId, actor }));
      if (!ahead.ok) return ahead;
      await moveMessagesAhead(db.connection, ahead.value, db.clock.now());
      return run(async (work): Promise<MergeResult> => {
        const { session } = work;
        const undone = await unmerge(work, { survivorId, mergeId, actor, now: db.clock.now() });
        if (undone.ok) await addMergeRow('contact.unmerge', undone.value, { actor, session });
        return undone;
      });
    },
  };
}

const read = ({ contacts, session }: MergeWork, _id: string) =>
  contacts.findOne({ _id }, { session });

function findBlocker(survivor: ContactRecord, merged: ContactRecord): ContactBlocked | null {
  if (survivor._id === merged._id) return failure('same_contact');
  const gone = contactBlockedBy(survivor) ?? contactBlockedBy(merged);
  if (gone) return gone;
  // A test contact is deleted with its test event, so it must not be merged with a real contact.
  if (survivor.test ?? merged.test) return failure('test');
  return survivor.channelId === merged.channelId ? null : failure('other_channel');
}

type Merge = {
  readonly survivorId: string;
  readonly mergedId: string;
  readonly actor: Actor;
  readonly now: Date;
};

async function merge(
  work: MergeWork,
  { survivorId, mergedId, actor, now }: Merge,
): Promise<MergeResult> {
  const { contacts, merges, session } = work;
  const survivor = await read(work, survivorId);
  const merged = await read(work, mergedId);
  if (!survivor || !merged) return failure('not_found');
  actor.checkPrecondition?.(survivor);
  const blocked = findBlocker(survivor, merged);
  if (blocked) return blocked;
  const treeIds = [
    ...(await mergeTreeIds(contacts, survivor, session)),
    ...(await mergeTreeIds(contacts, merged, session)),
  ];
  if (treeIds.length > maxMembers + 1) return failure('too_many_members');
  const record: MergeRecord = {
    _id: newId(),
    survivorId,
    mergedId,
    channelId: survivor.channelId,
    chat: await giveChat(work, { survivorId, merged, now }),
    createdAt: now,
    createdBy: whoOf(actor),
    undoneAt: null,
  };
  await setMembers(work, survivor, [...(survivor.members ?? []), mergedId]);
  await contacts.updateOne(
    { _id: mergedId, ...activeContact },
    { $set: { mergedInto: survivorId, mergeId: record._id, gone: true } },
    { session },
  );
  await settleConflicts(work, treeIds, record);
  await merges.insertOne(record, { session });
  return success(record);
}

async function setMembers(work: MergeWork, contact: ContactRecord, members: readonly string[]) {
  const { contacts, session } = work;
  const update = contactUpdate(withMembers(contact, await readMembers(contacts, members, session)));
  await contacts.updateOne({ _id: contact._id, ...activeContact }, update, { session });
}

/** Resolves conflicts whose contacts are all merged into one. */
async function settleConflicts(
  { conflicts, session }: MergeWork,
  treeIds: readonly string[],
  { _id: mergeId, createdAt: resolvedAt }: MergeRecord,
): Promise<void> {
  // None of the contacts of the conflict is another person's.
  const within = { $in: [...treeIds], $not: { $elemMatch: { $nin: [...treeIds] } } };
  await conflicts.updateMany(
    { contactIds: within, resolvedAt: null },
    { $set: { resolvedAt, resolution: 'merged', mergeId } },
    { session },
  );
}

type Unmerge = Omit<Merge, 'mergedId'> & { readonly mergeId: string | null };

/** Returns the merge to undo. */
async function findMerge(
  work: MergeWork,
  { survivorId, mergeId, actor }: Omit<Unmerge, 'now'>,
): Promise<MergeResult> {
  const { merges, session } = work;
  const survivor = await read(work, survivorId);
  if (!survivor) return failure('not_found');
  actor.checkPrecondition?.(survivor);
  const blocked = contactBlockedBy(survivor);
  if (blocked) return blocked;
  const where = mergeId === null ? { mergedId: survivor.members?.at(-1) ?? '' } : { _id: mergeId };
  const record = await merges.findOne({ ...where, survivorId, undoneAt: null }, { session });
  return record ? success(record) : failure(mergeId === null ? 'not_merged' : 'not_found');
}

async function unmerge(
  work: MergeWork,
  { survivorId, mergeId, actor, now: undoneAt }: Unmerge,
): Promise<MergeResult> {
  const { contacts, conflicts, merges, session } = work;
  const named = await findMerge(work, { survivorId, mergeId, actor });
  if (!named.ok) return named;
  const record = named.value;
  const { mergedId } = record;
  const survivor = await read(work, survivorId);
  const merged = await read(work, mergedId);
  if (!survivor || !merged) return failure('not_found');
  const treeIds = await mergeTreeIds(contacts, merged, session);
  const left = (survivor.members ?? []).filter((id) => id !== mergedId);
  await setMembers(work, survivor, left);
  await contacts.updateOne(
    { _id: mergedId },
    { $unset: { mergedInto: '', mergeId: '', gone: '' } },
    { session },
  );
  await restoreChats(work, { merge: record, treeIds });
  await conflicts.updateMany(
    { contactIds: { $in: treeIds }, mergeId: record._id },
    { $set: { resolvedAt: null }, $unset: { resolution: '', mergeId: '' } },
    { session },
  );
  const undone = { undoneAt, undoneBy: whoOf(actor) };
  await merges.updateOne({ _id: record._id }, { $set: undone }, { session });
  return success({ ...record, ...undone });
}

const whoOf = ({ tokenId, name }: Actor) => ({ tokenId, name });
