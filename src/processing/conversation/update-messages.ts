/**
 * Updates the messages that an earlier attempt stored. A later generation replaces their text and moves them to the chat
 * where they belong now. A chat that loses messages is listed by the messages that remain in it.
 *
 * May be cut short anywhere: an event keeps the chat of its effects until it is finished, so that the next attempt knows
 * which chat the message left.
 */
import { newDelivery } from '../../domain/messages/delivery.ts';
import type { EventMessage } from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import type { MessageStore, MessageMove } from '../../store/chats/messages.ts';
import { dateOf, type PendingMessage } from './prepare-messages.ts';
import type { Lease } from '../claim/lease.ts';

export type UpdateMessagesDeps = {
  readonly chats: Pick<ChatStore, 'lowerLastMessageAt' | 'raiseLastMessageAt'>;
  readonly messages: Pick<MessageStore, 'getMany' | 'rewrite' | 'move' | 'newestDates'>;
  readonly wakeDelivery: () => void;
  readonly lease: Lease;
};

type MessageUpdate = {
  readonly pending: PendingMessage;
  readonly stored: EventMessage;
  /** Where the message belongs now. */
  readonly chatId: string;
};

/** Returns the chats of the messages that had to move, by event id, as they are stored after the move. Throws LeaseLost. */
export async function updateMessages(
  deps: UpdateMessagesDeps,
  updates: readonly MessageUpdate[],
): Promise<ReadonlyMap<string, string>> {
  const { messages, lease } = deps;
  const later = updates.filter(({ pending: { lead } }) => lead.event.generation > 0);
  if (later.length > 0) {
    lease.require();
    await messages.rewrite(later.map(rewriteOf));
  }
  const movedTo = await moveMessages(deps, updates);
  const left = updates.flatMap(({ pending, stored, chatId }) => {
    const { _id, effects } = pending.lead.event;
    const current = movedTo.get(_id) ?? chatId;
    return [stored.chatId, effects?.chatId ?? current].filter((id) => id !== current);
  });
  if (left.length > 0) {
    lease.require();
    await relistChats(deps, [...new Set(left)]);
  }
  return movedTo;
}

async function moveMessages(
  { messages, lease, wakeDelivery }: UpdateMessagesDeps,
  updates: readonly MessageUpdate[],
): Promise<ReadonlyMap<string, string>> {
  const moves = updates.filter(({ stored, chatId }) => stored.chatId !== chatId).map(moveOf);
  if (moves.length === 0) return new Map();
  lease.require();
  await messages.move(moves);
  if (moves.some(({ delivery }) => delivery)) wakeDelivery();
  const moved = await messages.getMany(moves.map(({ messageId }) => messageId));
  return new Map(moved.map(({ eventId, chatId }) => [eventId, chatId]));
}

/** Reads the newest messages a second time, for those that were stored in between. */
async function relistChats(
  { chats, messages }: UpdateMessagesDeps,
  chatIds: readonly string[],
): Promise<void> {
  const newest = await messages.newestDates(chatIds);
  await chats.lowerLastMessageAt(
    chatIds.map((chatId) => ({ chatId, at: newest.get(chatId) ?? null })),
  );
  const since = await messages.newestDates(chatIds);
  if (since.size > 0)
    await chats.raiseLastMessageAt(
      [...since].map(([chatId, at]) => ({ chatId, at, mayBeClosed: true })),
    );
}

const rewriteOf = ({ pending: { lead }, stored }: MessageUpdate) => ({
  messageId: stored._id,
  generation: lead.event.generation,
  content: { type: 'text', message: lead.text } as const,
  date: dateOf(lead),
});

const moveOf = ({ pending: { lead, contactId }, stored, chatId }: MessageUpdate): MessageMove => ({
  messageId: stored._id,
  from: stored.chatId,
  generation: lead.event.generation,
  isOtherPerson: lead.event.generation > 0 && stored.contactId !== contactId,
  chatId,
  contactId,
  channelId: lead.channelId,
  ...(stored.channelId !== lead.channelId && {
    delivery: lead.goesOutside ? newDelivery(lead.event.trace) : null,
  }),
});
