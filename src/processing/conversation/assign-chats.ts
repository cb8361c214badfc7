/**
 * Assigns a chat to each message: where the message already is, or else the open chat of its contact, opened if need be.
 * Two workers may open one for the same contact at once; the unique index lets one of them win, and both use it.
 */
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { ChatChange, ChatStore } from '../../store/chats/chats.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended } from '../contended.ts';
import type { EarlierMessages } from './earlier-messages.ts';
import type { PendingMessage } from './prepare-messages.ts';

export type AssignChatsDeps = {
  readonly chats: Pick<ChatStore, 'findOpen' | 'applyChanges'>;
  readonly clock: Clock;
  readonly lease: Lease;
};

/** Returns the chat id of each event. Throws Contended and LeaseLost. */
export async function assignChats(
  deps: AssignChatsDeps,
  pending: readonly PendingMessage[],
  earlier: Pick<EarlierMessages, 'chatOf'>,
): Promise<ReadonlyMap<string, string>> {
  const chatOf = new Map(earlier.chatOf);
  const unassigned = pending.filter(({ lead: { event } }) => !chatOf.has(event._id));
  const open = await ensureOpenChats(deps, unassigned);
  for (const { lead, contactId } of unassigned) {
    const chat = open.get(contactId);
    if (!chat) throw new Contended('A chat was closed as soon as it was opened.');
    chatOf.set(lead.event._id, chat._id);
  }
  return chatOf;
}

/** Returns the open chat of each contact; a second round uses the chats that other workers opened first. */
async function ensureOpenChats(
  deps: AssignChatsDeps,
  pending: readonly PendingMessage[],
): Promise<ReadonlyMap<string, ChatRecord>> {
  const { chats, lease } = deps;
  const groups = new Map<string, PendingMessage[]>();
  for (const message of pending) {
    groups.set(message.contactId, [...(groups.get(message.contactId) ?? []), message]);
  }
  const open = byContact(requireUnmerged(await chats.findOpen([...groups.keys()])));
  lease.require();
  const lost = await applyGroups(deps, groups, open);
  if (lost.size === 0) return open;
  for (const chat of requireUnmerged(await chats.findOpen([...lost])))
    open.set(chat.contactId, chat);
  lease.require();
  const again = new Map([...groups].filter(([contactId]) => lost.has(contactId)));
  await applyGroups(deps, again, open);
  return open;
}

/** Opens the missing chats, adds them to `open` and changes those that differ. Returns contacts whose chat another worker opened. */
async function applyGroups(
  { chats, clock }: AssignChatsDeps,
  groups: ReadonlyMap<string, readonly PendingMessage[]>,
  open: Map<string, ChatRecord>,
): Promise<ReadonlySet<string>> {
  const opened: ChatRecord[] = [];
  const changes: ChatChange[] = [];
  for (const [contactId, group] of groups) {
    const chat = open.get(contactId);
    const { opening, labelIds } = combine(group);
    if (!chat) opened.push(newChat(group, { contactId, startedAt: clock.now() }));
    else if (hasChanges(chat, { opening, labelIds }))
      changes.push({ chatId: chat._id, opening, labelIds });
  }
  if (opened.length + changes.length === 0) return new Set<string>();
  const lost = await chats.applyChanges(opened, changes);
  for (const chat of opened) if (!lost.has(chat.contactId)) open.set(chat.contactId, chat);
  return lost;
}

/** A contact that was merged since this set identified it has to be identified again. */
function requireUnmerged(found: readonly ChatRecord[]): readonly ChatRecord[] {
  if (found.some(({ forwardsTo }) => forwardsTo !== undefined))
    throw new Contended('A contact was merged while its event was processed.');
  return found;
}

const byContact = (found: readonly ChatRecord[]): Map<string, ChatRecord> =>
  new Map(found.map((chat) => [chat.contactId, chat]));

/** The messages of one contact together: the earliest opening, and all labels. */
function combine(group: readonly PendingMessage[]): Omit<ChatChange, 'chatId'> {
  const [first, ...rest] = group.map(({ opening }) => opening);
  if (!first) throw new Error('A group has at least one lead.');
  return {
    opening: rest.reduce((least, next) => (next.stamp < least.stamp ? next : least), first),
    labelIds: [...new Set(group.flatMap(({ labelIds }) => labelIds))],
  };
}

function hasChanges(chat: ChatRecord, { opening, labelIds }: Omit<ChatChange, 'chatId'>): boolean {
  const settled = [...chat.labelIds, ...(chat.removedLabelIds ?? [])];
  return opening.stamp < chat.opening.stamp || labelIds.some((id) => !settled.includes(id));
}

function newChat(
  group: readonly PendingMessage[],
  { contactId, startedAt }: { contactId: string; startedAt: Date },
): ChatRecord {
  const { opening, labelIds } = combine(group);
  const { channelId = '', event } = group[0]?.lead ?? {};
  return {
    _id: newId(),
    channelId,
    ...(event?.test && { test: event.test.id }),
    contactId,
    status: 'ura_webhook',
    open: true,
    opening,
    labelIds,
    lastMessageAt: null,
    startedAt,
    closedAt: null,
  };
}
