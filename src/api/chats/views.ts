/** How the conversations API shows contacts, chats, messages and agents, with the field names of the platform family. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import { chatStatuses, maxUnread, type ChatRecord } from '../../domain/messages/chat.ts';
import type { ReportedState } from '../../domain/messages/delivery.ts';
import { filePathOf, mediaTypes, type MessageRecord } from '../../domain/messages/message.ts';
import type { Caller } from '../../domain/access/token.ts';
import { fieldsOf, type ContactRecord } from '../../domain/people/contact.ts';
import { splitPhone } from '../../domain/people/phone.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import {
  flag,
  count,
  id,
  nullable,
  strictObject,
  stringMap,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { agentsById } from './agents.ts';

const testMark = flag('Present and true if it belongs to a test event.');

const phones = { phone: nullable(text), phone_ddi: nullable(text) };

/** Who sees the answer. */
export type Viewer = Pick<Caller, 'maskContacts'>;

const masked = '***';
/** A number with more of them could be found by trial. */
const shownDigits = 2;
const maskNumber = (digits: string): string =>
  digits.slice(-shownDigits).padStart(digits.length, '*');

/** Returns a function that returns values as the viewer may see them. */
export const maskFor =
  ({ maskContacts }: Viewer) =>
  <Value extends string | null>(value: Value): string | Value =>
    value === null || !maskContacts ? value : masked;

const phoneOf = (contact: ContactRecord, { maskContacts }: Viewer) => {
  const e164 = contact.registers.phone?.value;
  if (e164 === undefined) return { phone: null, phone_ddi: null };
  const { ddi, national } = splitPhone(e164);
  return { phone: maskContacts ? maskNumber(national) : national, phone_ddi: ddi };
};

/** Only test data has the field `test`. */
const presentTestMark = ({ test }: { readonly test?: string }) =>
  test === undefined ? {} : { test: true };

const registerOf = (contact: ContactRecord | null, name: string): string | null =>
  contact?.registers[name]?.value ?? null;

export const contact = strictObject({
  id,
  contact_id: id,
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

export function presentContact(record: ContactRecord, viewer: Viewer): Static<typeof contact> {
  const mask = maskFor(viewer);
  const fields = Object.entries(fieldsOf(record.registers));
  return {
    id: record._id,
    contact_id: record._id,
    name: registerOf(record, 'name'),
    ...phoneOf(record, viewer),
    email: mask(registerOf(record, 'email')),
    document: mask(registerOf(record, 'document')),
    external_id: mask(registerOf(record, 'externalId')),
    fields: Object.fromEntries(fields.map(([name, value]) => [name, mask(value)])),
    ...presentTestMark(record),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export const user = strictObject({ user_id: id, name: text, last_name: nullable(text) });

export const presentUser = ({ _id, name, lastName }: AgentRecord): Static<typeof user> => ({
  user_id: _id,
  name,
  last_name: lastName,
});

export const unreadCount = Type.Integer({
  minimum: 0,
  maximum: maxUnread,
  description: `Unread messages. ${maxUnread} stands for ${maxUnread} or more.`,
});

export const chat = strictObject({
  chat_id: id,
  worker: strictObject({ id, name: text }),
  sector: nullable(strictObject({ id, name: text, color: text })),
  user: nullable(user),
  contact: nullable(strictObject({ id, name: nullable(text), ...phones })),
  name: nullable(text),
  phone: nullable(text),
  status: stringEnum(chatStatuses),
  date: time,
  started_at: time,
  closed_at: nullable(time),
  labels: Type.Array(strictObject({ label_template_id: id, label: text, color: text })),
  unread_count: unreadCount,
  context: strictObject({ origin: nullable(text), campaign: nullable(text), fields: stringMap }),
  test: testMark,
});

export const presentChat = (record: ChatView, viewer: Viewer): Static<typeof chat> => ({
  chat_id: record._id,
  worker: { id: record.channelId, name: record.channel?.name ?? '' },
  sector: record.sector && {
    id: record.sector._id,
    name: record.sector.name,
    color: record.sector.color,
  },
  user: record.user && presentUser(record.user),
  contact: record.contact && {
    id: record.contact._id,
    name: registerOf(record.contact, 'name'),
    ...phoneOf(record.contact, viewer),
  },
  name: registerOf(record.contact, 'name'),
  phone: record.contact && phoneOf(record.contact, viewer).phone,
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
    fields: Object.fromEntries(
      record.opening.fields.map(({ name, value }) => [name, maskFor(viewer)(value)]),
    ),
  },
  ...presentTestMark(record),
});

const file = strictObject({
  file_id: id,
  name: text,
  content_type: text,
  bytes: count,
  path: Type.String({ description: 'Where its bytes are read, with a token.' }),
});

export const message = strictObject({
  message_id: id,
  chat_id: id,
  type_user: stringEnum(['operator', 'client', 'bot', 'system']),
  content: strictObject({
    type: stringEnum(['text', ...mediaTypes]),
    message: text,
    files: Type.Optional(Type.Array(file)),
  }),
  summary: strictObject({
    is_sent: Type.Boolean(),
    is_delivered: Type.Boolean(),
    is_seen: Type.Boolean(),
  }),
  date: time,
  has_quoted: Type.Boolean(),
  message_quoted_id: nullable(id),
  user: nullable(user),
});

/** An internal message counts as sent; an external one when its destination accepted it. */
const isSent = ({ delivery }: MessageRecord): boolean =>
  !delivery || delivery.state === 'delivered';

/** A destination that reports accepts a message before it reaches the person. */
const isDelivered = (message: MessageRecord): boolean =>
  isSent(message) && !isUnderWay(message.delivery?.reported);

const isUnderWay = (reported: ReportedState | undefined): boolean =>
  reported === 'accepted' || reported === 'sent';

type MessageContext = {
  readonly readAt: Date | undefined;
  /** The date of the last message of an agent. */
  readonly lastReplyAt: Date | null;
  readonly agents: ReadonlyMap<string, AgentRecord>;
};

/**
 * A client's message counts as seen once a later reply exists, or the chat was marked as read after it was stored; a sent one
 * once its destination reports it.
 */
const isSeen = (
  { typeUser, createdAt, delivery }: MessageRecord,
  { readAt, lastReplyAt }: MessageContext,
): boolean =>
  delivery?.reported === 'read' ||
  (typeUser === 'client' &&
    ((lastReplyAt !== null && createdAt <= lastReplyAt) ||
      (readAt !== undefined && createdAt <= readAt)));

function presentContent({ chatId, content }: MessageRecord): Static<typeof message>['content'] {
  return {
    type: content.type,
    message: content.message,
    ...(content.files && {
      files: content.files.map(({ fileId, name, contentType, bytes }) => ({
        file_id: fileId,
        name,
        content_type: contentType,
        bytes,
        path: filePathOf(chatId, fileId),
      })),
    }),
  };
}

function presentMessage(record: MessageRecord, context: MessageContext): Static<typeof message> {
  const agent = record.agentId === undefined ? undefined : context.agents.get(record.agentId);
  return {
    message_id: record._id,
    chat_id: record.chatId,
    type_user: record.typeUser,
    content: presentContent(record),
    summary: {
      is_sent: isSent(record),
      is_delivered: isDelivered(record),
      is_seen: isSeen(record, context),
    },
    date: record.date,
    has_quoted: record.quotedId !== undefined,
    message_quoted_id: record.quotedId ?? null,
    user: agent ? presentUser(agent) : null,
  };
}

/** Returns a presenter of messages of one or several chats. */
export async function messagePresenter(
  ctx: ApiContext,
  records: readonly MessageRecord[],
  chat: Pick<ChatRecord, 'readAt'> & { readonly lastReplyAt?: Date | null },
) {
  const ids = new Set(records.flatMap(({ agentId }) => agentId ?? []));
  const agents = await agentsById(ctx, [...ids]);
  const context = { readAt: chat.readAt, lastReplyAt: chat.lastReplyAt ?? null, agents };
  return (record: MessageRecord) => presentMessage(record, context);
}
