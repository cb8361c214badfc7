/**
 * Moves the survivor's messages out of a chat that an unmerge gives back to the other contact.
 *
 * Promises: one transaction moves a bounded number of messages. Of a larger chat all but the last are moved before the unmerge, to a
 * chat of the survivor that is closed until then. When the process dies, every message is still the survivor's, and the next attempt
 * continues with the same chat.
 */
import { derivedId } from '../../base/ids.ts';
import { emptyOpening, type ChatRecord } from '../../domain/messages/chat.ts';
import { inTransaction, type Connection } from '../db/connection.ts';
import { mergeTreeIds } from './merge-tree.ts';
import { peopleCollections, type MergeRecord, type MergeWork } from './records.ts';

/** Of one transaction. */
const maxMoved = 500;
/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const earliest = new Date(-8.64e15);

type Foreign = {
  readonly merge: MergeRecord;
  /** Ids of the contacts whose messages stay in the chat. */
  readonly treeIds: readonly string[];
};

const targetIdOf = ({ _id }: MergeRecord): string => derivedId('unmerge', _id);

/** Moves at most `limit` messages, the oldest first. Returns their dates. */
async function moveMessages(
  { messages, events, session }: MergeWork,
  chatId: string,
  { merge, treeIds, since, limit }: Foreign & { readonly since: Date; readonly limit: number },
): Promise<Date[]> {
  const found = await messages
    .find(
      { chatId, date: { $gte: since }, contactId: { $nin: [...treeIds] } },
      { projection: { date: 1 }, sort: { date: 1, _id: 1 }, limit, session },
    )
    .toArray();
  const ofFound = { _id: { $in: found.map(({ _id }) => _id) } };
  const toTarget = { $set: { chatId: targetIdOf(merge) } };
  await messages.updateMany(ofFound, toTarget, { session });
  await events.updateMany(
    { ...ofFound, 'effects.chatId': chatId },
    { $set: { 'effects.chatId': targetIdOf(merge) } },
    { session },
  );
  return found.map(({ date }) => date);
}

/** Returns the target with these messages; null when there is none. */
async function targetWith(
  { chats, session }: MergeWork,
  dates: readonly Date[],
  { merge, chat }: { readonly merge: MergeRecord; readonly chat: ChatRecord },
): Promise<ChatRecord | null> {
  const target = await chats.findOne({ _id: targetIdOf(merge) }, { session });
  const times = [...dates, target?.startedAt, target?.lastMessageAt].flatMap((date) => date ?? []);
  if (times.length === 0) return null;
  const sorted = times.map(Number).toSorted((one, other) => one - other);
  return {
    ...chat,
    _id: targetIdOf(merge),
    contactId: merge.survivorId,
    startedAt: new Date(sorted.at(0) ?? 0),
    lastMessageAt: new Date(sorted.at(-1) ?? 0),
  };
}

const storeTarget = ({ chats, session }: MergeWork, target: ChatRecord) =>
  chats.replaceOne({ _id: target._id }, target, { upsert: true, session });

/** In the transaction of the unmerge, after the chat was restored. */
export async function moveForeignMessages(
  work: MergeWork,
  [before, chat]: readonly [ChatRecord, ChatRecord],
  foreign: Foreign,
): Promise<void> {
  const dates = await moveMessages(work, chat._id, {
    ...foreign,
    since: earliest,
    limit: 0,
  });
  const target = await targetWith(work, dates, { merge: foreign.merge, chat });
  if (!target) return;
  const isOpened = chat.opening.stamp !== before.opening.stamp;
  await storeTarget(work, {
    ...target,
    opening: isOpened ? chat.opening : emptyOpening(target.startedAt),
    labelIds: chat.labelIds.filter((id) => !before.labelIds.includes(id)),
  });
}

/** Before the transaction of the unmerge: leaves it with at most `maxMoved` messages, and those that arrive until then. */
export async function moveMessagesAhead(
  connection: Connection,
  merge: MergeRecord,
  now: Date,
): Promise<void> {
  const collections = peopleCollections(connection);
  for (let from: Date | null = earliest; from;) {
    const since: Date = from;
    from = await inTransaction(connection, (session) =>
      moveBatch({ ...collections, session }, { merge, since, now }),
    );
  }
}

type Batch = { readonly merge: MergeRecord; readonly since: Date; readonly now: Date };

/** Returns the date of the last message that was moved; null when one transaction takes the rest. */
async function moveBatch(
  work: MergeWork,
  { merge: given, since, now }: Batch,
): Promise<Date | null> {
  const { contacts, chats, merges, messages, session } = work;
  const merge = await merges.findOne({ _id: given._id, undoneAt: null }, { session });
  if (merge?.chat?.fate !== 'moved') return null;
  const { before } = merge.chat;
  const chat = await chats.findOne({ _id: before._id }, { session });
  const merged = await contacts.findOne({ _id: merge.mergedId }, { session });
  if (chat?.channelId !== before.channelId || !merged) return null;
  const treeIds = await mergeTreeIds(contacts, merged, session);
  const where = { chatId: chat._id, date: { $gte: since }, contactId: { $nin: treeIds } };
  const limit = maxMoved + 1;
  if ((await messages.countDocuments(where, { limit, session })) < limit) return null;
  const dates = await moveMessages(work, chat._id, { merge, treeIds, since, limit: maxMoved });
  const target = await targetWith(work, dates, { merge, chat });
  if (!target) return null;
  const { open: _open, ...closed } = target;
  await storeTarget(work, { ...closed, status: 'closed', closedAt: now });
  return dates.at(-1) ?? null;
}
