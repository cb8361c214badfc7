/**
 * Merges one contact into another, and reverts a merge.
 *
 * Promises: each is one transaction with its audit row, and unmerge is the exact inverse of merge. The merged contact keeps its
 * data and points to the survivor. The survivor shows the register with the greater stamp and keeps its own values in
 * `beneath`. Merges create no cycle: each writes both contacts, so a concurrent merge conflicts and is retried. Data that
 * arrives after the merge belongs to the survivor and stays with it.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/audited-change.ts';
import { newId } from '../../base/ids.ts';
import type { Actor, AuditEntry } from '../../domain/audit/audit.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { indexesOf, inTransaction, type Session } from '../db/connection.ts';
import { createMergedChats } from './merged-chats.ts';
import {
  mergeTreeIds,
  readMembers,
  contactBlockedBy,
  withMembers,
  contactUpdate,
  type ContactBlocked,
} from './merge-tree.ts';
import { activeContact, peopleCollections, type MergeRecord } from './records.ts';

export const mergeIndexes = indexesOf('merges', {
  by_survivor: { key: { survivorId: 1, createdAt: -1 } },
  by_merged: { key: { mergedId: 1, createdAt: -1 } },
});

function createMergeContext(context: StoreContext) {
  const { connection, clock, audit } = context;
  return {
    ...peopleCollections(connection),
    audit,
    mergedChats: createMergedChats(connection),
    clock,
  };
}
type MergeContext = ReturnType<typeof createMergeContext>;

type MergeResult = Result<MergeRecord, ContactBlocked | Failure<'not_found'>>;

export function createMerges(context: StoreContext) {
  const { connection } = context;
  const mergeContext = createMergeContext(context);
  return {
    merge: (survivorId: string, mergedId: string, actor: Actor): Promise<MergeResult> =>
      inTransaction(connection, (session) =>
        merge(mergeContext, { survivorId, mergedId, actor }, session),
      ),
    /** `mergeId`: null reverts the survivor's last merge. */
    unmerge: (survivorId: string, mergeId: string | null, actor: Actor): Promise<MergeResult> =>
      inTransaction(connection, (session) =>
        unmerge(mergeContext, { survivorId, mergeId, actor }, session),
      ),
  };
}

const read = ({ contacts }: MergeContext, _id: string, session: Session) =>
  contacts.findOne({ _id }, { session });

function findBlocker(survivor: ContactRecord, merged: ContactRecord): ContactBlocked | null {
  if (survivor._id === merged._id) return failure('same_contact');
  const gone = contactBlockedBy(survivor) ?? contactBlockedBy(merged);
  if (gone) return gone;
  // A test contact is deleted with its test event, so it must not be merged with a real contact.
  if (survivor.test ?? merged.test) return failure('test');
  return survivor.channelId === merged.channelId ? null : failure('other_channel');
}

async function merge(
  mergeContext: MergeContext,
  { survivorId, mergedId, actor }: { survivorId: string; mergedId: string; actor: Actor },
  session: Session,
): Promise<MergeResult> {
  const { contacts, merges, mergedChats, clock } = mergeContext;
  const survivor = await read(mergeContext, survivorId, session);
  const merged = await read(mergeContext, mergedId, session);
  if (!survivor || !merged) return failure('not_found');
  actor.checkPrecondition?.(survivor);
  const blocked = findBlocker(survivor, merged);
  if (blocked) return blocked;
  const now = clock.now();
  const record: MergeRecord = {
    _id: newId(),
    survivorId,
    mergedId,
    channelId: survivor.channelId,
    chat: await mergedChats.give({ survivorId, merged, now }, session),
    createdAt: now,
    createdBy: whoOf(actor),
    undoneAt: null,
  };
  const members = [...(survivor.members ?? []), mergedId];
  await setMembers(mergeContext, { contact: survivor, members }, session);
  await contacts.updateOne(
    { _id: mergedId, ...activeContact },
    { $set: { mergedInto: survivorId, mergeId: record._id, gone: true } },
    { session },
  );
  await settleConflicts(mergeContext, { survivor, merged, record }, session);
  await merges.insertOne(record, { session });
  await addAuditRow(mergeContext, { actor, action: 'contact.merge', record }, session);
  return success(record);
}

async function setMembers(
  { contacts }: MergeContext,
  { contact, members }: { contact: ContactRecord; members: readonly string[] },
  session: Session,
): Promise<void> {
  const update = contactUpdate(withMembers(contact, await readMembers(contacts, members, session)));
  await contacts.updateOne({ _id: contact._id, ...activeContact }, update, { session });
}

type Settlement = {
  readonly survivor: ContactRecord;
  readonly merged: ContactRecord;
  readonly record: MergeRecord;
};

/** Resolves conflicts whose contacts are all merged into one. */
async function settleConflicts(
  { contacts, conflicts }: MergeContext,
  { survivor, merged, record }: Settlement,
  session: Session,
): Promise<void> {
  const ids = [
    ...(await mergeTreeIds(contacts, survivor, session)),
    ...(await mergeTreeIds(contacts, merged, session)),
  ];
  const one = new Set(ids);
  const open = await conflicts
    .find({ contactIds: { $in: ids }, resolvedAt: null }, { session })
    .toArray();
  const over = open.filter(({ contactIds }) => contactIds.every((id) => one.has(id)));
  if (over.length === 0) return;
  await conflicts.updateMany(
    { _id: { $in: over.map(({ _id }) => _id) } },
    { $set: { resolvedAt: record.createdAt, resolution: 'merged', mergeId: record._id } },
    { session },
  );
}

async function unmerge(
  mergeContext: MergeContext,
  given: { survivorId: string; mergeId: string | null; actor: Actor },
  session: Session,
): Promise<MergeResult> {
  const { contacts, conflicts, merges, mergedChats, clock } = mergeContext;
  const { survivorId, mergeId, actor } = given;
  const survivor = await read(mergeContext, survivorId, session);
  if (!survivor) return failure('not_found');
  actor.checkPrecondition?.(survivor);
  const blocked = contactBlockedBy(survivor);
  if (blocked) return blocked;
  const { members = [] } = survivor;
  const where = mergeId === null ? { mergedId: members.at(-1) ?? '' } : { _id: mergeId };
  const record = await merges.findOne({ ...where, survivorId, undoneAt: null }, { session });
  if (!record) return failure(mergeId === null ? 'not_merged' : 'not_found');
  const { mergedId, chat } = record;
  const merged = await read(mergeContext, mergedId, session);
  if (!merged) return failure('not_found');
  const treeIds = await mergeTreeIds(contacts, merged, session);
  const left = members.filter((id) => id !== mergedId);
  await setMembers(mergeContext, { contact: survivor, members: left }, session);
  await contacts.updateOne(
    { _id: mergedId },
    { $unset: { mergedInto: '', mergeId: '', gone: '' } },
    { session },
  );
  await mergedChats.restoreChats({ chat, survivorId, mergedId, treeIds }, session);
  await conflicts.updateMany(
    { contactIds: { $in: treeIds }, mergeId: record._id },
    { $set: { resolvedAt: null }, $unset: { resolution: '', mergeId: '' } },
    { session },
  );
  const undoneAt = clock.now();
  const undone = { undoneAt, undoneBy: whoOf(actor) };
  await merges.updateOne({ _id: record._id }, { $set: undone }, { session });
  await addAuditRow(mergeContext, { actor, action: 'contact.unmerge', record }, session);
  return success({ ...record, ...undone });
}

type MergeAudit = Pick<AuditEntry, 'actor'> & {
  readonly action: 'contact.merge' | 'contact.unmerge';
  readonly record: MergeRecord;
};

const whoOf = ({ tokenId, name }: Actor) => ({ tokenId, name });

async function addAuditRow(
  { audit }: MergeContext,
  { actor, action, record }: MergeAudit,
  session: Session,
): Promise<void> {
  const { survivorId, mergedId, _id: mergeId } = record;
  const apart = { mergeId, mergedId, mergedInto: null };
  const together = { mergeId, mergedId, mergedInto: survivorId };
  const [before, after] = action === 'contact.merge' ? [apart, together] : [together, apart];
  const target = { type: 'contact', id: survivorId } as const;
  await audit.add({ actor, action, target, before, after }, session);
}
