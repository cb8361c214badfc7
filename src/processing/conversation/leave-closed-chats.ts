/**
 * Moves messages out of chats that a person closed after the messages were assigned to them: nobody reads a closed chat. They
 * go to the open chat of their contact, opened if need be.
 */
import { messageIdOf } from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import { assignChats, type AssignChatsDeps } from './assign-chats.ts';
import type { PendingMessage } from './prepare-messages.ts';
import { updateMessages, type UpdateMessagesDeps } from './update-messages.ts';

type LeaveClosedChatsDeps = AssignChatsDeps &
  UpdateMessagesDeps & { readonly chats: Pick<ChatStore, 'getMany'> };

/** `pending`: messages that must be in an open chat. Returns their new chats, by event id. Throws Contended and LeaseLost. */
export async function leaveClosedChats(
  deps: LeaveClosedChatsDeps,
  pending: readonly PendingMessage[],
  chatOf: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const chats = await deps.chats.getMany([...new Set(chatOf.values())]);
  // A chat that is gone was erased with its person, and must not be replaced.
  const closed = new Set(chats.filter((chat) => !chat.open).map(({ _id }) => _id));
  const isLate = ({ lead: { event } }: PendingMessage) => closed.has(chatOf.get(event._id) ?? '');
  const late = new Map(pending.filter(isLate).map((one) => [one.lead.event._id, one]));
  const assigned = await assignChats(deps, [...late.values()], { chatOf: new Map() });
  const stored = await deps.messages.getMany([...late.keys()].map(messageIdOf));
  const updates = stored.flatMap((message) => {
    const one = late.get(message.eventId);
    const chatId = assigned.get(message.eventId);
    return one && chatId !== undefined ? [{ pending: one, stored: message, chatId }] : [];
  });
  return updateMessages(deps, updates);
}
