/**
 * Converse: the chat each lead belongs to and the message it leaves there.
 *
 * Promises: at most one open chat for each contact; one message for each event, whatever was left half done before;
 * a chat is listed only once its message is stored.
 */
import { newDelivery } from '../../domain/messages/delivery.ts';
import { messageIdOf, type MessageRecord } from '../../domain/messages/message.ts';
import type { ChatStore } from '../../store/chats/chats.ts';
import type { MessageStore } from '../../store/chats/messages.ts';
import type { Amend } from './update-messages.ts';
import type { EarlierMessages, FindEarlier } from './earlier-messages.ts';
import { dateOf, type Introduce, type PendingMessage } from './prepare-messages.ts';
import type { Lease } from '../claim/lease.ts';
import type { Lead } from '../read/read-event.ts';
import type { Seat } from './assign-chats.ts';

export type ConverseDeps = {
  readonly chats: Pick<ChatStore, 'touch'>;
  readonly messages: Pick<MessageStore, 'insert' | 'getMany'>;
  readonly introduce: Introduce;
  readonly findEarlier: FindEarlier;
  readonly seat: Seat;
  readonly amend: Amend;
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
  const { chats, messages, introduce, findEarlier, seat, amend } = deps;

  return async function converse(leads, contactOf, lease) {
    const speakers = await introduce(leads, contactOf, lease);
    const earlier = await findEarlier(speakers);
    const chatOf = new Map(await seat(speakers, earlier, lease));
    for (const { eventId, chatId } of await say(speakers, { chatOf, earlier, lease }))
      chatOf.set(eventId, chatId);
    const amended = speakers.flatMap((speaker) => {
      const { _id } = speaker.lead.event;
      const message = earlier.messages.get(_id);
      return message ? [{ speaker, message, chatId: chatOf.get(_id) ?? '' }] : [];
    });
    for (const [id, chatId] of await amend(amended, lease)) chatOf.set(id, chatId);
    lease.require();
    await touch(speakers, chatOf);
    return new Map(
      speakers.map(({ lead: { event } }) => [
        event._id,
        { chatId: chatOf.get(event._id) ?? '', messageId: messageIdOf(event._id) },
      ]),
    );
  };

  /** Returns the messages that another attempt had left by now: what it chose for them is where they are. */
  async function say(
    speakers: readonly PendingMessage[],
    said: { chatOf: ReadonlyMap<string, string>; earlier: EarlierMessages; lease: Lease },
  ): Promise<readonly MessageRecord[]> {
    const { chatOf, earlier, lease } = said;
    const fresh = speakers.filter(({ lead }) => !earlier.messages.has(lead.event._id));
    const records = fresh.map((speaker) =>
      messageOf(speaker, {
        chatId: chatOf.get(speaker.lead.event._id) ?? '',
        createdAt: deps.now(),
      }),
    );
    lease.require();
    const known = records.length > 0 ? await messages.insert(records) : [];
    if (records.some(({ delivery }) => delivery)) deps.wakeCourier();
    return known.length > 0 ? messages.getMany(known) : [];
  }

  async function touch(
    speakers: readonly PendingMessage[],
    chatOf: ReadonlyMap<string, string>,
  ): Promise<void> {
    const latest = new Map<string, Date>();
    for (const { lead } of speakers) {
      const chatId = chatOf.get(lead.event._id) ?? '';
      const at = dateOf(lead);
      const known = latest.get(chatId);
      if (known === undefined || at > known) latest.set(chatId, at);
    }
    await chats.touch([...latest].map(([chatId, at]) => ({ chatId, at })));
  }
}

const messageOf = (
  { lead, contactId }: PendingMessage,
  { chatId, createdAt }: { chatId: string; createdAt: Date },
): MessageRecord => ({
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
  ...(lead.goesOutside && { delivery: newDelivery() }),
});
