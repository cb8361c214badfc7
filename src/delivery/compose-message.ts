/** Composes what is sent to a destination: the message, and the current fields of its contact. */
import type { OutgoingMessage } from '../channels/channel.ts';
import { fieldsOf, type ContactRecord } from '../domain/people/contact.ts';
import type { MessageRecord } from '../domain/messages/message.ts';

export function composeMessage(
  message: MessageRecord,
  contact: ContactRecord | null,
): OutgoingMessage {
  return {
    type: 'message',
    id: message._id,
    test: message.test !== undefined,
    date: message.date.toISOString(),
    channelId: message.channelId,
    webhookId: message.webhookId,
    eventId: message.eventId,
    chatId: message.chatId,
    contact: contact && contactOf(contact),
    content: { type: message.content.type, text: message.content.message },
  };
}

function contactOf({ _id, registers }: ContactRecord): OutgoingMessage['contact'] {
  const valueOf = (name: string) => registers[name]?.value ?? null;
  return {
    id: _id,
    externalId: valueOf('externalId'),
    name: valueOf('name'),
    phone: valueOf('phone'),
    email: valueOf('email'),
    document: valueOf('document'),
    fields: fieldsOf(registers),
  };
}
