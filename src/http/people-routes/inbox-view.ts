/** How the inbox shows contacts, chats and messages, with the field names (snake_case) of the platform family. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { chatStatuses } from '../../domain/messages/chat.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import { fieldsOf, type ContactRecord } from '../../domain/people/contact.ts';
import { splitPhone } from '../../domain/people/phone.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import {
  count,
  id,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
  stringEnum,
} from '../routing/schemas.ts';

type ChatView = Awaited<ReturnType<Inbox['listChats']>>['results'][number];

const testMark = Type.Optional(
  Type.Boolean({ description: 'Present and true if it belongs to a test event.' }),
);

const phones = { phone: nullable(text), phone_ddi: nullable(text) };

const phoneOf = (contact: ContactRecord) => {
  const e164 = contact.registers.phone?.value;
  if (e164 === undefined) return { phone: null, phone_ddi: null };
  const { ddi, national } = splitPhone(e164);
  return { phone: national, phone_ddi: ddi };
};

/** Only test data has the field `test`. */
const presentTestMark = ({ test }: { readonly test?: string }) =>
  test === undefined ? {} : { test: true };

const registerOf = (contact: ContactRecord | null, name: string): string | null =>
  contact?.registers[name]?.value ?? null;

export const contact = strictObject({
  id,
  name: nullable(text),
  ...phones,
  email: nullable(text),
  document: nullable(text),
  external_id: nullable(text),
  fields: stringMap,
  created_at: time,
  updated_at: time,
  test: testMark,
});

export const presentContact = (record: ContactRecord): Static<typeof contact> => ({
  id: record._id,
  name: registerOf(record, 'name'),
  ...phoneOf(record),
  email: registerOf(record, 'email'),
  document: registerOf(record, 'document'),
  external_id: registerOf(record, 'externalId'),
  fields: fieldsOf(record.registers),
  ...presentTestMark(record),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

export const chat = strictObject({
  chat_id: id,
  worker: strictObject({ id, name: text }),
  sector: nullable(strictObject({ id, name: text, color: text })),
  user: Type.Null(),
  contact: nullable(strictObject({ id, name: nullable(text), ...phones })),
  name: nullable(text),
  phone: nullable(text),
  status: stringEnum(chatStatuses),
  date: time,
  started_at: time,
  closed_at: nullable(time),
  labels: Type.Array(strictObject({ label_template_id: id, label: text, color: text })),
  unread_count: count,
  context: strictObject({ origin: nullable(text), campaign: nullable(text), fields: stringMap }),
  test: testMark,
});

export const presentChat = (record: ChatView): Static<typeof chat> => ({
  chat_id: record._id,
  worker: { id: record.channelId, name: record.channel?.name ?? '' },
  sector: record.sector && {
    id: record.sector._id,
    name: record.sector.name,
    color: record.sector.color,
  },
  user: null,
  contact: record.contact && {
    id: record.contact._id,
    name: registerOf(record.contact, 'name'),
    ...phoneOf(record.contact),
  },
  name: registerOf(record.contact, 'name'),
  phone: record.contact && phoneOf(record.contact).phone,
  status: record.status,
  date: record.lastMessageAt ?? record.startedAt,
  started_at: record.startedAt,
  closed_at: record.closedAt ?? null,
  labels: record.labels.map(({ _id, name, color }) => ({
    label_template_id: _id,
    label: name,
    color,
  })),
  unread_count: record.unread,
  context: {
    origin: record.opening.origin,
    campaign: record.opening.campaign,
    fields: Object.fromEntries(record.opening.fields.map((field) => [field.name, field.value])),
  },
  ...presentTestMark(record),
});

export const message = strictObject({
  message_id: id,
  chat_id: id,
  type_user: stringEnum(['operator', 'client', 'bot', 'system']),
  content: strictObject({ type: text, message: text }),
  summary: strictObject({
    is_sent: Type.Boolean(),
    is_delivered: Type.Boolean(),
    is_seen: Type.Boolean(),
  }),
  date: time,
  has_quoted: Type.Boolean(),
});

/** An internal message counts as delivered; an external one when its destination accepted it. */
const isDelivered = ({ delivery }: MessageRecord): boolean =>
  !delivery || delivery.state === 'delivered';

export const presentMessage = (
  record: MessageRecord,
  lastReplyAt: Date | null,
): Static<typeof message> => ({
  message_id: record._id,
  chat_id: record.chatId,
  type_user: record.typeUser,
  content: { type: record.content.type, message: record.content.message },
  summary: {
    is_sent: isDelivered(record),
    is_delivered: isDelivered(record),
    // A client's message counts as seen once a later reply exists.
    is_seen: lastReplyAt !== null && record.date <= lastReplyAt,
  },
  date: record.date,
  has_quoted: false,
});
