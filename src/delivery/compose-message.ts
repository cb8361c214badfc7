/** Composes what is sent to a destination: the message, and the current fields of its contact. */
import type { OutgoingMessage } from '../channels/channel.ts';
import { fieldsOf, type ContactRecord } from '../domain/people/contact.ts';
import { eventIdOf, filePathOf, type MessageRecord } from '../domain/messages/message.ts';

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
    webhookId: message.webhookId ?? null,
    eventId: eventIdOf(message),
    chatId: message.chatId,
    contact: contact && contactOf(contact),
    from: message.typeUser,
    content: contentOf(message),
  };
}

function contentOf({ chatId, content }: MessageRecord): OutgoingMessage['content'] {
  const { type, message: text, files } = content;
  if (!files) return { type, text };
  const shown = files.map(({ fileId: id, ...file }) => ({
    id,
    ...file,
    path: filePathOf(chatId, id),
  }));
  return { type, text, files: shown };
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
