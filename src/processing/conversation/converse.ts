/**
 * Converse: the chat of each lead, and its message there.
 *
 * Promises: at most one open chat for each contact; one message for each event, also after an attempt that ended half way;
 * a chat is listed only once its message is stored.
 */
import type { Clock } from '../../base/clock.ts';
import { newDelivery } from '../../domain/messages/delivery.ts';
import { messageIdOf, type EventMessage } from '../../domain/messages/message.ts';
import type { ChatStore, ChatTouch } from '../../store/chats/chats.ts';
import type { MessageStore } from '../../store/chats/messages.ts';
import type { Lease } from '../claim/lease.ts';
import { Contended } from '../contended.ts';
import type { Lead } from '../read/read-event.ts';
import { assignChats, type AssignChatsDeps } from './assign-chats.ts';
import { findEarlierMessages, type EarlierMessagesDeps } from './earlier-messages.ts';
import { leaveClosedChats } from './leave-closed-chats.ts';
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
    readonly chats: Pick<ChatStore, 'raiseLastMessageAt'>;
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
  contactOf: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Conversed>> {
  const pending = await prepareMessages(deps, leads, contactOf);
  const earlier = await findEarlierMessages(deps, pending);
  const chatOf = new Map(await assignChats(deps, pending, earlier));
  const unstored = pending.filter(({ lead }) => !earlier.messages.has(lead.event._id));
  for (const { eventId, chatId } of await insertMessages(deps, unstored, chatOf))
    chatOf.set(eventId, chatId);
  const updates = pending.flatMap((message) => {
    const { _id } = message.lead.event;
    const stored = earlier.messages.get(_id);
    return stored ? [{ pending: message, stored, chatId: chatOf.get(_id) ?? '' }] : [];
  });
  for (const [eventId, chatId] of await updateMessages(deps, updates)) chatOf.set(eventId, chatId);
  deps.lease.require();
  const isSettled = ({ lead: { event } }: PendingMessage) =>
    event.effects !== null && earlier.chatOf.has(event._id);
  if (!(await touchChats(deps, { pending, isSettled }, chatOf))) {
    const fresh = pending.filter((one) => !isSettled(one));
    const moved = await leaveClosedChats(deps, fresh, chatOf);
    for (const [eventId, chatId] of moved) chatOf.set(eventId, chatId);
    deps.lease.require();
    const late = pending.filter(({ lead }) => moved.has(lead.event._id));
    if (!(await touchChats(deps, { pending: late, isSettled }, chatOf)))
      throw new Contended('A chat was closed as soon as it was opened.');
  }
  return new Map(
    pending.map(({ lead: { event }, problems }) => [
      event._id,
      { chatId: chatOf.get(event._id) ?? '', messageId: messageIdOf(event._id), problems },
    ]),
  );
}

/** Returns the messages that another attempt inserted first; they stay in the chats that it chose. */
async function insertMessages(
  { messages, lease, clock, wakeDelivery }: ConverseDeps,
  fresh: readonly PendingMessage[],
  chatOf: ReadonlyMap<string, string>,
): Promise<readonly EventMessage[]> {
  const records = fresh.map((pending) =>
    messageOf(pending, {
      chatId: chatOf.get(pending.lead.event._id) ?? '',
      createdAt: clock.now(),
    }),
  );
  lease.require();
  const existing = records.length > 0 ? await messages.insert(records) : [];
  if (records.some(({ delivery }) => delivery)) wakeDelivery();
  return existing.length > 0 ? messages.getMany(existing) : [];
}

type Touched = {
  readonly pending: readonly PendingMessage[];
  /** Whether the message belongs to its chat in any state. */
  readonly isSettled: (message: PendingMessage) => boolean;
};

/**
 * Lists the chats by the latest message of this set. Returns false when a person closed one of the chats before its message
 * was stored: nobody would see the message there.
 */
function touchChats(
  { chats }: ConverseDeps,
  { pending, isSettled }: Touched,
  chatOf: ReadonlyMap<string, string>,
): Promise<boolean> {
  const touches = new Map<string, ChatTouch>();
  for (const one of pending) {
    const { lead } = one;
    const chatId = chatOf.get(lead.event._id) ?? '';
    const known = touches.get(chatId);
    const at = dateOf(lead);
    touches.set(chatId, {
      chatId,
      at: known && known.at > at ? known.at : at,
      mayBeClosed: known?.mayBeClosed !== false && isSettled(one),
    });
  }
  return chats.raiseLastMessageAt([...touches.values()]);
}

const messageOf = (
  { lead, contactId }: PendingMessage,
  { chatId, createdAt }: { chatId: string; createdAt: Date },
): EventMessage => ({
  _id: messageIdOf(lead.event._id),
  eventId: lead.event._id,
  webhookId: lead.event.webhookId,
  channelId: lead.channelId,
  contactId,
  chatId,
  ...(lead.event.test && { test: lead.event.test.id }),
  typeUser: 'client',
  content: { type: 'text', message: lead.text },
  date: dateOf(lead),
  createdAt,
  ...(lead.event.generation > 0 && { generation: lead.event.generation }),
  ...(lead.goesOutside && { delivery: newDelivery(lead.event.trace) }),
});
