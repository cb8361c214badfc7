/**
 * Moves or closes the open chat of a contact that is merged, and reverts it.
 *
 * Promises: a person has at most one open chat at any time. A chat that is restored has its state from before the merge.
 * Messages that were written after the merge stay with the contact to which they were written.
 */
import { derivedId } from '../../base/ids.ts';
import { emptyOpening, type ChatRecord } from '../../domain/messages/chat.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { moveForeignMessages } from './foreign-messages.ts';
import type { MergedChat, MergeRecord, MergeWork } from './records.ts';

const forwardIdOf = (contactId: string): string => derivedId('forward', contactId);

type Pair = { readonly survivorId: string; readonly merged: ContactRecord; readonly now: Date };

/** Moves the open chat of the merged contact to the survivor, or closes it where the survivor has one. */
export async function giveChat(
  { chats, session }: MergeWork,
  { survivorId, merged, now }: Pair,
): Promise<MergedChat | null> {
  const findOpen = (contactId: string) => chats.findOne({ contactId, open: true }, { session });
  const before = await findOpen(merged._id);
  const fate = before && (await findOpen(survivorId)) ? 'closed' : 'moved';
  if (before) {
    const update =
      fate === 'moved'
        ? { $set: { contactId: survivorId } }
        : { $set: { status: 'closed' as const, closedAt: now }, $unset: { open: '' as const } };
    await chats.updateOne({ _id: before._id }, update, { session });
  }
  await chats.insertOne(forwardingChat({ survivorId, merged, now }), { session });
  return before && { before, fate };
}

const forwardingChat = ({ survivorId, merged, now }: Pair): ChatRecord => ({
  _id: forwardIdOf(merged._id),
  channelId: merged.channelId,
  contactId: merged._id,
  forwardsTo: survivorId,
  status: 'ura_webhook',
  open: true,
  opening: emptyOpening(now),
  labelIds: [],
  lastMessageAt: null,
  startedAt: now,
  closedAt: null,
});

type Back = {
  readonly merge: MergeRecord;
  /** Ids of the contacts whose messages stay in the restored chat. */
  readonly treeIds: readonly string[];
};

export async function restoreChats(work: MergeWork, back: Back): Promise<void> {
  const { chats, session } = work;
  await chats.deleteOne({ _id: forwardIdOf(back.merge.mergedId) }, { session });
  if (!back.merge.chat) return;
  const { before, fate } = back.merge.chat;
  const chat = await chats.findOne({ _id: before._id }, { session });
  // A chat that was transferred to another channel stays there.
  if (chat?.channelId !== before.channelId) return;
  const kept = fate === 'moved' ? restoredChat(before, chat) : { ...chat, ...openStatusOf(before) };
  await chats.replaceOne({ _id: before._id }, kept, { session });
  if (fate === 'moved') await moveForeignMessages(work, [before, chat], back);
  await updateLastMessageAt(work, before._id, before.lastMessageAt);
}

/** What a person sets in a chat, and events do not. */
const setByPeople = [
  'agent',
  'joined',
  'sectorId',
  'removedLabelIds',
  'isStarted',
  'readAt',
  'closureComment',
  'closedBy',
  'lastSentId',
] as const;

/** As before the merge, with what people have set since then. A chat that was closed since then stays closed. */
function restoredChat(before: ChatRecord, chat: ChatRecord): ChatRecord {
  const { status, closedAt, open, labelIds } = chat;
  const kept = Object.fromEntries(
    setByPeople.flatMap((field) => (chat[field] === undefined ? [] : [[field, chat[field]]])),
  );
  const own = { ...(chat.removedLabelIds && { labelIds }), ...kept, status };
  if (open) return { ...before, ...own };
  const { open: _open, ...ended } = before;
  return { ...ended, ...own, closedAt };
}

/** Sets `lastMessageAt` to the newest message of the chat, or to `atLeast` when this is later. */
async function updateLastMessageAt(
  { chats, messages, session }: MergeWork,
  chatId: string,
  atLeast: Date | null,
): Promise<void> {
  const newest = await messages.findOne(
    { chatId },
    { projection: { date: 1 }, sort: { date: -1 }, session },
  );
  const times = [atLeast, newest?.date].flatMap((time) => (time ? [+time] : []));
  const lastMessageAt = times.length > 0 ? new Date(Math.max(...times)) : null;
  await chats.updateOne({ _id: chatId }, { $set: { lastMessageAt } }, { session });
}

const openStatusOf = ({ status, closedAt }: ChatRecord) =>
  ({ status, closedAt, open: true }) as const;
