/**
 * Assigns a chat to each message: where the message already is, or else the open chat of its contact, or else one to open.
 *
 * The first chat of a contact has an id that follows from the contact, so it is opened after its messages and is listed at once.
 * A later chat is opened before its messages. Two workers may open one for the same contact at once; the unique index lets one
 * of them win, and both use it.
 */
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { opensBefore } from '../../domain/people/stamps.ts';
import { firstChatIdOf, type ChatRecord } from '../../domain/messages/chat.ts';
import type { ChatChange, ChatStore } from '../../store/chats/chats.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended } from '../contended.ts';
import type { PendingMessage } from './prepare-messages.ts';

export type AssignChatsDeps = {
  readonly chats: Pick<ChatStore, 'findOpen' | 'applyChanges'>;
  readonly clock: Clock;
  readonly lease: Lease;
};

type KnownChats = {
  /** The chats of messages that do not move, by event id. */
  readonly chatOf: ReadonlyMap<string, string>;
  /** The chats of such messages that may lack an opening or labels: another event opened them after a crash. By event id. */
  readonly unfinished: ReadonlyMap<string, ChatRecord>;
  /** Contacts that this set created, so that no chat of theirs has to be looked for. */
  readonly created: ReadonlySet<string>;
};

export type AssignedChats = {
  /** By event id. */
  readonly chatOf: ReadonlyMap<string, string>;
  /** The chats to open once their messages are stored, by id. */
  readonly unopened: ReadonlyMap<string, ChatRecord>;
};

/** Messages by contact. */
type Groups = ReadonlyMap<string, readonly PendingMessage[]>;

/** Throws Contended and LeaseLost. */
export async function assignChats(
  deps: AssignChatsDeps,
  pending: readonly PendingMessage[],
  known: KnownChats,
): Promise<AssignedChats> {
  await completeChats(deps, pending, known.unfinished);
  const unassigned = pending.filter(({ lead: { event } }) => !known.chatOf.has(event._id));
  const groups = groupByContact(unassigned);
  const { open, hasFirst } = await readChats(deps, groups, known.created);
  const unopened = new Map<string, ChatRecord>();
  const chatOfContact = new Map<string, string>();
  const later = new Map<string, readonly PendingMessage[]>();
  for (const [contactId, group] of groups) {
    const firstId = firstChatIdOf(contactId, channelIdOf(group));
    if (open.has(contactId) || hasFirst.has(firstId)) later.set(contactId, group);
    else {
      unopened.set(firstId, newChat(group, { _id: firstId, startedAt: deps.clock.now() }));
      chatOfContact.set(contactId, firstId);
    }
  }
  for (const [id, chatId] of await ensureOpenChats(deps, later, open))
    chatOfContact.set(id, chatId);
  return { chatOf: new Map([...known.chatOf, ...chatsOf(unassigned, chatOfContact)]), unopened };
}

/** Gives the chats the openings and labels of these messages. */
async function completeChats(
  { chats, lease }: AssignChatsDeps,
  pending: readonly PendingMessage[],
  chatOf: ReadonlyMap<string, ChatRecord>,
): Promise<void> {
  const changes = pending.flatMap((one) => {
    const chat = chatOf.get(one.lead.event._id);
    const change = combine([one]);
    return chat && hasChanges(chat, change) ? [{ chatId: chat._id, ...change }] : [];
  });
  if (changes.length === 0) return;
  lease.require();
  await chats.applyChanges([], changes);
}

/** Assigns the open chat of its contact to each message, opened now if need be. Throws Contended and LeaseLost. */
export async function assignOpenChats(
  deps: AssignChatsDeps,
  pending: readonly PendingMessage[],
): Promise<ReadonlyMap<string, string>> {
  const groups = groupByContact(pending);
  const open = byContact(requireUnmerged(await deps.chats.findOpen([...groups.keys()])));
  return chatsOf(pending, await ensureOpenChats(deps, groups, open));
}

const chatsOf = (
  pending: readonly PendingMessage[],
  chatOfContact: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    pending.map(({ lead, contactId }) => [lead.event._id, chatOfContact.get(contactId) ?? '']),
  );

function groupByContact(pending: readonly PendingMessage[]): Groups {
  const groups = new Map<string, PendingMessage[]>();
  for (const message of pending) {
    const group = groups.get(message.contactId);
    if (group) group.push(message);
    else groups.set(message.contactId, [message]);
  }
  return groups;
}

/** `open`: the open chats by contact. `hasFirst`: the ids of first chats that exist, in any state. */
async function readChats(
  { chats }: AssignChatsDeps,
  groups: Groups,
  created: ReadonlySet<string>,
): Promise<{ open: Map<string, ChatRecord>; hasFirst: ReadonlySet<string> }> {
  const known = [...groups].filter(([contactId]) => !created.has(contactId));
  if (known.length === 0) return { open: new Map(), hasFirst: new Set() };
  const contactIds = known.map(([contactId]) => contactId);
  const firstIds = known.map(([contactId, group]) => firstChatIdOf(contactId, channelIdOf(group)));
  const found = requireUnmerged(await chats.findOpen(contactIds, firstIds));
  const open = found.filter((chat) => chat.open && groups.has(chat.contactId));
  return { open: byContact(open), hasFirst: new Set(found.map(({ _id }) => _id)) };
}

/** Returns the id of the open chat of each contact; a second round uses the chats that other workers opened first. */
async function ensureOpenChats(
  deps: AssignChatsDeps,
  groups: Groups,
  open: Map<string, ChatRecord>,
): Promise<ReadonlyMap<string, string>> {
  const { chats, lease } = deps;
  lease.require();
  const lost = await applyGroups(deps, groups, open);
  if (lost.size > 0) {
    for (const chat of requireUnmerged(await chats.findOpen([...lost])))
      open.set(chat.contactId, chat);
    lease.require();
    await applyGroups(deps, new Map([...groups].filter(([id]) => lost.has(id))), open);
  }
  return new Map([...groups.keys()].map((id) => [id, requireOpen(open.get(id))._id]));
}

function requireOpen(chat: ChatRecord | undefined): ChatRecord {
  if (!chat) throw new Contended('A chat was closed as soon as it was opened.');
  return chat;
}

/** Opens the missing chats, adds them to `open` and changes those that differ. Returns contacts whose chat another worker opened. */
async function applyGroups(
  { chats, clock }: AssignChatsDeps,
  groups: Groups,
  open: Map<string, ChatRecord>,
): Promise<ReadonlySet<string>> {
  const opened: ChatRecord[] = [];
  const changes: ChatChange[] = [];
  for (const [contactId, group] of groups) {
    const chat = open.get(contactId);
    const { opening, labelIds } = combine(group);
    if (!chat) opened.push(newChat(group, { _id: newId(), startedAt: clock.now() }));
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

const channelIdOf = (group: readonly PendingMessage[]): string => group[0]?.lead.channelId ?? '';

/** The messages of one contact together: the earliest opening, and all labels. */
function combine(group: readonly PendingMessage[]): Omit<ChatChange, 'chatId'> {
  const [first, ...rest] = group.map(({ opening }) => opening);
  if (!first) throw new Error('A group has at least one lead.');
  return {
    opening: rest.reduce(
      (least, next) => (opensBefore(next.stamp, least.stamp) ? next : least),
      first,
    ),
    labelIds: [...new Set(group.flatMap(({ labelIds }) => labelIds))],
  };
}

function hasChanges(chat: ChatRecord, { opening, labelIds }: Omit<ChatChange, 'chatId'>): boolean {
  const settled = [...chat.labelIds, ...(chat.removedLabelIds ?? [])];
  return (
    opensBefore(opening.stamp, chat.opening.stamp) || labelIds.some((id) => !settled.includes(id))
  );
}

function newChat(
  group: readonly PendingMessage[],
  made: Pick<ChatRecord, '_id' | 'startedAt'>,
): ChatRecord {
  const { opening, labelIds } = combine(group);
  const [first] = group;
  return {
    ...made,
    channelId: channelIdOf(group),
    ...(first?.lead.event.test && { test: first.lead.event.test.id }),
    contactId: first?.contactId ?? '',
    status: 'ura_webhook',
    open: true,
    opening,
    labelIds,
    lastMessageAt: null,
    closedAt: null,
  };
}
