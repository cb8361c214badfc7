/** /v1/admin/contacts/:id/chats: reading, with the events that the messages come from. */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentChat, presentMessage } from '../../admin/people/chats.ts';
import { chatStatuses, type ChatStatus } from '../../domain/messages/chat.ts';
import { deliveryStates, type DeliveryState } from '../../domain/messages/delivery.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import { listQuery, presentPage, parsePaging } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  strictObject,
  id,
  nullable,
  pageSchema,
  text,
  stringMap,
  time,
} from '../routing/schemas.ts';
import { path as contactsPath } from './contacts.ts';

const path = `${contactsPath}/:id/chats/:chatId`;
const params = strictObject({ id, chatId: id });
const named = strictObject({ id, name: text, color: text });

const chat = strictObject({
  id,
  channelId: id,
  contactId: id,
  status: Type.Unsafe<ChatStatus>({ type: 'string', enum: [...chatStatuses] }),
  test: Type.Boolean(),
  startedAt: time,
  closedAt: nullable(time),
  lastMessageAt: nullable(time),
  unread: count,
  sector: nullable(named),
  labels: Type.Array(named),
  origin: nullable(text),
  campaign: nullable(text),
  fields: stringMap,
});

const message = strictObject({
  id,
  from: Type.Unsafe<MessageRecord['typeUser']>({
    type: 'string',
    enum: ['operator', 'client', 'bot', 'system'],
  }),
  text,
  at: time,
  eventId: id,
  webhookId: id,
  delivery: Type.Union(
    [
      strictObject({
        state: Type.Unsafe<DeliveryState>({ type: 'string', enum: [...deliveryStates] }),
        reason: nullable(text),
      }),
      Type.Null(),
    ],
    { description: 'Null where its channel does not lead outside.' },
  ),
});

const sortable = { at: 'date' };

export const contactChatRoutes = ({ contacts, chats }: Admin): Route[] => {
  const reach = async ({ id: contactId }: { id: string }) => ({
    channelId: (await contacts.get(contactId)).channelId,
  });
  return [
    route({
      method: 'GET',
      path,
      scope: 'inbox',
      reach,
      summary: 'Read a chat of a contact: its state, labels and how it began',
      params,
      answer: chat,
      handle: async ({ params: given }) => presentChat(await chats.get(given.id, given.chatId)),
    }),
    route({
      method: 'GET',
      path: `${path}/messages`,
      scope: 'inbox',
      reach,
      summary: 'Read the messages of a chat with the events that they come from, latest first',
      params,
      exists: (given) => chats.get(given.id, given.chatId),
      query: listQuery(Object.keys(sortable), {}),
      answer: pageSchema(message),
      handle: async ({ params: given, query }) => {
        const wanted = parsePaging(query, sortable, '-at');
        const found = await chats.listMessages(given.id, given.chatId, wanted);
        return presentPage(found, wanted, presentMessage);
      },
    }),
  ];
};
