/**
 * Converse: the chat each lead belongs to and the message it leaves there.
 *
 * Promises: at most one open chat for each contact; one message for each event, whatever was left half done before;
 * a chat is listed only once its message is stored.
 */
import { newDelivery } from '../domain/delivery.ts';
import { messageIdOf, type MessageRecord } from '../domain/message.ts';
import type { ChatStore } from '../store/chats.ts';
import type { MessageStore } from '../store/messages.ts';
import { dateOf, type Introduce, type Speaker } from './introduce.ts';
import type { Lease } from './lease.ts';
import type { Lead } from './read.ts';
import type { Earlier, Seat } from './seat.ts';

export type ConverseDeps = {
  readonly chats: Pick<ChatStore, 'getMany' | 'touch'>;
  readonly messages: MessageStore;
  readonly introduce: Introduce;
  readonly seat: Seat;
  readonly now: () => Date;
  /** Told when there is something to deliver outside. */
  readonly wakeCourier: () => void;
};

export type Conversed = { readonly chatId: string; readonly messageId: string };

export type Converse = (
  leads: readonly Lead[],
  contactOf: ReadonlyMap<string, string>,
  lease: Lease,
) => Promise<ReadonlyMap<string, Conversed>>;

export function createConverse(deps: ConverseDeps): Converse {
  const { chats, messages, introduce, seat } = deps;

  return async function converse(leads, contactOf, lease) {
    const speakers = await introduce(leads, contactOf, lease);
    const earlier = await findEarlier(leads);
    const chatOf = await seat(speakers, earlier, lease);
    await say(speakers, { chatOf, earlier, lease });
    return new Map(
      speakers.map(({ lead: { event } }) => [
        event._id,
        { chatId: chatOf.get(event._id) ?? '', messageId: messageIdOf(event._id) },
      ]),
    );
  };

  /** Messages of an attempt before this one, in chats that are still open or not. A first attempt has none. */
  async function findEarlier(leads: readonly Lead[]): Promise<Earlier> {
    const again = leads.filter(({ event }) => event.attempts > 1 || event.generation > 0);
    if (again.length === 0) return { messages: new Map(), openChats: new Map() };
    const found = await messages.getMany(again.map(({ event }) => messageIdOf(event._id)));
    const seats = await chats.getMany(found.map(({ chatId }) => chatId));
    return {
      messages: new Map(found.map((message) => [message.eventId, message])),
      openChats: new Map(seats.filter(({ open }) => open).map((chat) => [chat._id, chat])),
    };
  }

  async function say(
    speakers: readonly Speaker[],
    said: { chatOf: ReadonlyMap<string, string>; earlier: Earlier; lease: Lease },
  ): Promise<void> {
    const { chatOf, earlier, lease } = said;
    const fresh = speakers.filter(({ lead }) => !earlier.messages.has(lead.event._id));
    const records = fresh.map((speaker) =>
      messageOf(speaker, {
        chatId: chatOf.get(speaker.lead.event._id) ?? '',
        createdAt: deps.now(),
      }),
    );
    lease.require();
    if (records.length > 0) await messages.insert(records);
    if (records.some(({ delivery }) => delivery)) deps.wakeCourier();
    const moves = speakers.flatMap(({ lead, contactId }) => {
      const message = earlier.messages.get(lead.event._id);
      const to = chatOf.get(lead.event._id) ?? '';
      return !message || message.chatId === to
        ? []
        : [{ messageId: message._id, chatId: to, contactId, channelId: lead.channelId }];
    });
    if (moves.length > 0) {
      lease.require();
      await messages.move(moves);
    }
    const latest = new Map<string, Date>();
    for (const { lead } of speakers) {
      const chatId = chatOf.get(lead.event._id) ?? '';
      const at = dateOf(lead);
      if (at > (latest.get(chatId) ?? new Date(0))) latest.set(chatId, at);
    }
    lease.require();
    await chats.touch([...latest].map(([chatId, at]) => ({ chatId, at })));
  }
}

const messageOf = (
  { lead, contactId }: Speaker,
  { chatId, createdAt }: { chatId: string; createdAt: Date },
): MessageRecord => ({
  _id: messageIdOf(lead.event._id),
  eventId: lead.event._id,
  webhookId: lead.event.webhookId,
  channelId: lead.channelId,
  contactId,
  chatId,
  typeUser: 'client',
  content: { type: 'text', message: lead.text },
  date: dateOf(lead),
  createdAt,
  ...(lead.goesOutside && { delivery: newDelivery() }),
});
