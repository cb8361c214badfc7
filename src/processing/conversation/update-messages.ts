/**
 * Amend: what becomes of messages that were there before this attempt. A later generation gives them its text, and moves
 * them to where they belong now; chats that they leave are listed by what remains in them.
 *
 * May be cut short anywhere: an event keeps the chat of its effects until it is finished, so that the next attempt knows
 * which chat was left.
 */
import { newDelivery } from '../../domain/messages/delivery.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import type { MessageStore, MessageMove } from '../../store/chats/messages.ts';
import { dateOf, type PendingMessage } from './prepare-messages.ts';
import type { Lease } from '../claim/lease.ts';

export type AmendDeps = {
  readonly chats: Pick<ChatStore, 'recede' | 'touch'>;
  readonly messages: Pick<MessageStore, 'getMany' | 'rewrite' | 'move' | 'newestIn'>;
  readonly wakeCourier: () => void;
};

export type Amended = {
  readonly speaker: PendingMessage;
  readonly message: MessageRecord;
  readonly chatId: string;
};

/** Resolves to the chats that messages which should have moved are in, by event id. */
export type Amend = (
  amended: readonly Amended[],
  lease: Lease,
) => Promise<ReadonlyMap<string, string>>;

export function createAmend({ chats, messages, wakeCourier }: AmendDeps): Amend {
  return async function amend(amended, lease) {
    const later = amended.filter(({ speaker: { lead } }) => lead.event.generation > 0);
    if (later.length > 0) {
      lease.require();
      await messages.rewrite(later.map(rewriteOf));
    }
    const places = await move(amended, lease);
    const left = amended.flatMap(({ speaker, message, chatId }) => {
      const { _id, effects } = speaker.lead.event;
      const place = places.get(_id) ?? chatId;
      return [message.chatId, effects?.chatId ?? place].filter((id) => id !== place);
    });
    if (left.length > 0) {
      lease.require();
      await leave([...new Set(left)]);
    }
    return places;
  };

  async function move(
    amended: readonly Amended[],
    lease: Lease,
  ): Promise<ReadonlyMap<string, string>> {
    const moves = amended.filter(({ message, chatId }) => message.chatId !== chatId).map(moveOf);
    if (moves.length === 0) return new Map();
    lease.require();
    await messages.move(moves);
    if (moves.some(({ delivery }) => delivery)) wakeCourier();
    const moved = await messages.getMany(moves.map(({ messageId }) => messageId));
    return new Map(moved.map(({ eventId, chatId }) => [eventId, chatId]));
  }

  /** Looks again afterwards, for what was said there meanwhile. */
  async function leave(chatIds: readonly string[]): Promise<void> {
    const newest = await messages.newestIn(chatIds);
    await chats.recede(chatIds.map((chatId) => ({ chatId, at: newest.get(chatId) ?? null })));
    const since = await messages.newestIn(chatIds);
    if (since.size > 0) await chats.touch([...since].map(([chatId, at]) => ({ chatId, at })));
  }
}

const rewriteOf = ({ speaker: { lead }, message }: Amended) => ({
  messageId: message._id,
  generation: lead.event.generation,
  content: { type: 'text', message: lead.text } as const,
  date: dateOf(lead),
});

const moveOf = ({ speaker: { lead, contactId }, message, chatId }: Amended): MessageMove => ({
  messageId: message._id,
  from: message.chatId,
  generation: lead.event.generation,
  isOtherPerson: lead.event.generation > 0 && message.contactId !== contactId,
  chatId,
  contactId,
  channelId: lead.channelId,
  ...(message.channelId !== lead.channelId && {
    delivery: lead.goesOutside ? newDelivery() : null,
  }),
});
