/**
 * Moves messages out of chats that are not open: a person closed them after the messages were assigned to them, or they could
 * not be opened, because another worker or a person opened one first; and out of chats that a person gave to another contact
 * since. The messages go to the open chat of their contact, opened if need be.
 */
import type { ChatStore } from '../../store/chats/chats.ts';
import { assignOpenChats, type AssignChatsDeps } from './assign-chats.ts';
import type { PendingMessage } from './prepare-messages.ts';
import { updateMessages, type UpdateMessagesDeps } from './update-messages.ts';

type MoveFromClosedChatsDeps = AssignChatsDeps &
  UpdateMessagesDeps & { readonly chats: Pick<ChatStore, 'getMany'> };

type Placed = {
  /** The chat of each message, by event id. */
  readonly chatOf: ReadonlyMap<string, string>;
  /** The chats that this set could not open. */
  readonly lost: ReadonlySet<string>;
  /** Whether the chat must be that of the contact. */
  readonly isChosen: (message: PendingMessage) => boolean;
};

/**
 * `pending`: messages that must be in an open chat. Returns the chats of those that were not, or whose chat another worker
 * opened, by event id. Throws Contended and LeaseLost.
 */
export async function moveFromClosedChats(
  deps: MoveFromClosedChatsDeps,
  pending: readonly PendingMessage[],
  { chatOf, lost, isChosen }: Placed,
): Promise<ReadonlyMap<string, string>> {
  const { chats, messages, lease } = deps;
  const chatIds = new Set(pending.map(({ lead: { event } }) => chatOf.get(event._id) ?? ''));
  const found = await chats.getMany([...chatIds]);
  // An erasure deletes a chat, and takes its events from this set.
  if (found.length < chatIds.size) await lease.verify();
  const open = new Map(found.filter((chat) => chat.open).map((chat) => [chat._id, chat]));
  const isLate = (one: PendingMessage) => {
    const { event } = one.lead;
    const chatId = chatOf.get(event._id) ?? '';
    const chat = open.get(chatId);
    const isPlaced = chat && !(isChosen(one) && chat.contactId !== one.contactId);
    return lease.holds(event._id) && (lost.has(chatId) || !isPlaced);
  };
  const late = new Map(pending.filter(isLate).map((one) => [one.lead.event._id, one]));
  const stored = await messages.getMany([...late.keys()]);
  const assigned = await assignOpenChats(
    deps,
    stored.flatMap(({ eventId }) => late.get(eventId) ?? []),
  );
  const updates = stored.flatMap((message) => {
    const one = late.get(message.eventId);
    const chatId = assigned.get(message.eventId);
    return one && chatId !== undefined ? [{ pending: one, stored: message, chatId }] : [];
  });
  return new Map([...assigned, ...(await updateMessages(deps, updates))]);
}
