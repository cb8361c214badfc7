/**
 * Converse: the chat of each lead, and its message there.
 *
 * Promises: at most one open chat for each contact; one message for each event, also after an attempt that ended half way;
 * a chat is listed only once its message is stored.
 */
import type { Clock } from '../../base/clock.ts';
import { newDelivery } from '../../domain/messages/delivery.ts';
import type { EventMessage } from '../../domain/messages/message.ts';
import type { ChatStore, ChatTouch } from '../../store/chats/chats.ts';
import type { MessageStore } from '../../store/chats/messages.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended } from '../contended.ts';
import type { Enriched } from '../contacts/enrich.ts';
import type { Lead } from '../read/read-event.ts';
import { assignChats, type AssignChatsDeps, type AssignedChats } from './assign-chats.ts';
import { findEarlierMessages, type EarlierMessagesDeps } from './earlier-messages.ts';
import { moveFromClosedChats } from './move-from-closed-chats.ts';
import {
  dateOf,
  prepareMessages,
  type PendingMessage,
  type PrepareMessagesDeps,
} from './prepare-messages.ts';
import { updateMessages, type UpdateMessagesDeps } from './update-messages.ts';

export type ConverseDeps = PrepareMessagesDeps &
  EarlierMessagesDeps &
  AssignChatsDeps &
  UpdateMessagesDeps & {
    readonly chats: Pick<ChatStore, 'open' | 'raiseLastMessageAt'>;
    readonly messages: Pick<MessageStore, 'insert' | 'getMany'>;
    readonly clock: Clock;
    /** Called when a message is due for outbound delivery. */
    readonly wakeDelivery: () => void;
    readonly lease: Lease;
  };

type Conversed = {
  readonly chatId: string;
  readonly messageId: string;
  readonly problems: PendingMessage['problems'];
};

/** Returns the chat and the message of each event, by event id. Throws Contended and LeaseLost. */
export async function converse(
  deps: ConverseDeps,
  leads: readonly Lead[],
  { contactOf, created }: Enriched,
): Promise<ReadonlyMap<string, Conversed>> {
  const pending = await prepareMessages(deps, leads, contactOf);
  const earlier = await findEarlierMessages(deps, pending);
  const assigned = await assignChats(deps, pending, { ...earlier, created });
  const chatOf = new Map(assigned.chatOf);
  const unstored = pending.filter(({ lead }) => !earlier.messages.has(lead.event._id));
  for (const { eventId, chatId } of await insertMessages(deps, unstored, chatOf))
    chatOf.set(eventId, chatId);
  const updates = pending.flatMap((message) => {
    const { _id } = message.lead.event;
    const stored = earlier.messages.get(_id);
    return stored ? [{ pending: message, stored, chatId: chatOf.get(_id) ?? '' }] : [];
  });
  for (const [eventId, chatId] of await updateMessages(deps, updates)) chatOf.set(eventId, chatId);
  const isSettled = ({ lead: { event } }: PendingMessage) =>
    event.effects !== null && earlier.chatOf.has(event._id);
  const isChosen = ({ lead: { event } }: PendingMessage) =>
    !earlier.chatOf.has(event._id) && chatOf.get(event._id) === assigned.chatOf.get(event._id);
  await listChats(deps, { pending, isSettled, isChosen, unopened: assigned.unopened }, chatOf);
  return new Map(
    pending.map(({ lead: { event }, problems }) => [
      event._id,
      { chatId: chatOf.get(event._id) ?? '', messageId: event._id, problems },
    ]),
  );
}

type Stored = {
  readonly pending: readonly PendingMessage[];
  /** Whether the message belongs to its chat in any state. */
  readonly isSettled: (message: PendingMessage) => boolean;
  /** Whether this attempt chose the chat, because it was that of the contact. */
  readonly isChosen: (message: PendingMessage) => boolean;
};

/**
 * Lists the chats by their messages, which are stored. Where a chat is no longer open or no longer that of the contact, or
 * another was opened first, the messages move, and `chatOf` changes.
 */
async function listChats(
  deps: ConverseDeps,
  stored: Stored & { readonly unopened: AssignedChats['unopened'] },
  chatOf: Map<string, string>,
): Promise<void> {
  const { pending, isSettled, unopened } = stored;
  const isUnopened = ({ lead }: PendingMessage) => unopened.has(chatOf.get(lead.event._id) ?? '');
  const lost = await openChats(deps, { pending: pending.filter(isUnopened), unopened }, chatOf);
  const others = pending.filter((one) => !isUnopened(one));
  deps.lease.require();
  if ((await touchChats(deps, { ...stored, pending: others }, chatOf)) && lost.size === 0) return;
  const fresh = pending.filter((one) => !isSettled(one));
  const placed = await moveFromClosedChats(deps, fresh, { ...stored, chatOf, lost });
  for (const [eventId, chatId] of placed) chatOf.set(eventId, chatId);
  deps.lease.require();
  const late = pending.filter(({ lead }) => placed.has(lead.event._id));
  if (!(await touchChats(deps, { pending: late, isSettled, isChosen: () => true }, chatOf)))
    throw new Contended('A chat was closed as soon as it was opened.');
}

/** Opens the chats of these messages. Returns the ids of those that could not be opened. */
async function openChats(
  { chats, lease }: ConverseDeps,
  { pending, unopened }: Pick<Stored, 'pending'> & Pick<AssignedChats, 'unopened'>,
  chatOf: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const dates = latestDates(pending, chatOf);
  const records = [...dates].flatMap(([chatId, lastMessageAt]) => {
    const chat = unopened.get(chatId);
    return chat ? [{ ...chat, lastMessageAt }] : [];
  });
  if (records.length === 0) return new Set();
  lease.require();
  return chats.open(records);
}

/** Returns the date of the latest of these messages in each chat. */
function latestDates(
  pending: readonly PendingMessage[],
  chatOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, Date> {
  const dates = new Map<string, Date>();
  for (const { lead } of pending) {
    const chatId = chatOf.get(lead.event._id) ?? '';
    const known = dates.get(chatId);
    const at = dateOf(lead);
    dates.set(chatId, known && known > at ? known : at);
  }
  return dates;
}

/** Returns the messages that another attempt inserted first; they stay in the chats that it chose. */
async function insertMessages(
  { messages, lease, clock, wakeDelivery }: ConverseDeps,
  fresh: readonly PendingMessage[],
  chatOf: ReadonlyMap<string, string>,
): Promise<readonly EventMessage[]> {
  const quotedIn = await readQuoted(messages, fresh);
  const records = fresh.map((pending) => {
    const chatId = chatOf.get(pending.lead.event._id) ?? '';
    const quotedId = quotedOf(pending, (id) => quotedIn.get(id) === chatId);
    return messageOf(pending, { chatId, quotedId, createdAt: clock.now() });
  });
  lease.require();
  const existing = records.length > 0 ? await messages.insert(records) : [];
  if (records.some(({ delivery }) => delivery)) wakeDelivery();
  return existing.length > 0 ? messages.getMany(existing) : [];
}

/** Returns the chat of each message that one of these says it answers. */
async function readQuoted(
  messages: Pick<MessageStore, 'getMany'>,
  pending: readonly PendingMessage[],
): Promise<ReadonlyMap<string, string>> {
  const ids = pending.flatMap(({ lead }) => lead.reply?.quotedId ?? []);
  const found = ids.length === 0 ? [] : await messages.getMany([...new Set(ids)]);
  return new Map(found.map(({ _id, chatId }) => [_id, chatId]));
}

/** The sender claims it, so it counts only in the own chat of the person. */
function quotedOf({ lead }: PendingMessage, isInChat: (id: string) => boolean): string | null {
  const quotedId = lead.reply?.quotedId ?? null;
  return quotedId !== null && isInChat(quotedId) ? quotedId : null;
}

/**
 * Lists the chats by the latest message of this set. Returns false when a person closed one of the chats before its message
 * was stored: nobody would see the message there. Also when a chat has become that of another contact, which sees it.
 */
function touchChats(
  { chats }: ConverseDeps,
  { pending, isSettled, isChosen }: Stored,
  chatOf: ReadonlyMap<string, string>,
): Promise<boolean> {
  const mustBeOpen = new Set(
    pending.filter((one) => !isSettled(one)).map(({ lead }) => chatOf.get(lead.event._id)),
  );
  const owners = new Map(
    pending
      .filter(isChosen)
      .map(({ lead, contactId }) => [chatOf.get(lead.event._id) ?? '', contactId]),
  );
  const touches = [...latestDates(pending, chatOf)].map(([chatId, at]): ChatTouch => ({
    chatId,
    at,
    mayBeClosed: !mustBeOpen.has(chatId),
    contactId: owners.get(chatId),
  }));
  return touches.length === 0 ? Promise.resolve(true) : chats.raiseLastMessageAt(touches);
}

type Quoted = { readonly quotedId: string | null };

const messageOf = (
  { lead, contactId }: PendingMessage,
  { chatId, quotedId, createdAt }: Pick<EventMessage, 'chatId' | 'createdAt'> & Quoted,
): EventMessage => ({
  _id: lead.event._id,
  eventId: lead.event._id,
  webhookId: lead.event.webhookId,
  channelId: lead.channelId,
  contactId,
  chatId,
  ...(lead.event.test && { test: lead.event.test.id }),
  typeUser: 'client',
  ...(quotedId !== null && { quotedId }),
  content: { type: 'text', message: lead.text },
  date: dateOf(lead),
  createdAt,
  ...(lead.event.generation > 0 && { generation: lead.event.generation }),
  ...(lead.goesOutside && { delivery: newDelivery(lead.event.trace) }),
});
