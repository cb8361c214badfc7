/** /v1/admin/contacts/:id/chats: chats and messages with their events, read-only. */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { chatStatuses, type ChatStatus } from '../../domain/messages/chat.ts';
import { deliveryStates, type DeliveryState } from '../../domain/messages/delivery.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import { listQuery, presentPage, parsePaging } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
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

type Named = { readonly _id: string; readonly name: string; readonly color: string };
const presentNamed = ({ _id, name, color }: Named) => ({ id: _id, name, color });

type ChatView = Awaited<ReturnType<Admin['chats']['get']>>;
const field = fieldOf<ChatView>();
const chat = createView({
  id: field(id, ({ _id }) => _id),
  channelId: field(id, ({ channelId }) => channelId),
  contactId: field(id, ({ contact, contactId }) => contact?._id ?? contactId),
  status: field(
    Type.Unsafe<ChatStatus>({ type: 'string', enum: [...chatStatuses] }),
    ({ status }) => status,
  ),
  test: field(Type.Boolean(), ({ test }) => test !== undefined),
  startedAt: field(time, ({ startedAt }) => startedAt.toISOString()),
  closedAt: field(nullable(time), ({ closedAt }) => isoDate(closedAt)),
  lastMessageAt: field(nullable(time), ({ lastMessageAt }) => isoDate(lastMessageAt)),
  unread: field(count, ({ unread }) => unread),
  sector: field(nullable(named), ({ sector }) => sector && presentNamed(sector)),
  labels: field(Type.Array(named), ({ labels }) => labels.map(presentNamed)),
  origin: field(nullable(text), ({ opening }) => opening.origin),
  campaign: field(nullable(text), ({ opening }) => opening.campaign),
  fields: field(stringMap, ({ opening }) =>
    Object.fromEntries(opening.fields.map(({ name, value }) => [name, value])),
  ),
});

const typeUser = Type.Unsafe<MessageRecord['typeUser']>({
  type: 'string',
  enum: ['operator', 'client', 'bot', 'system'],
});
const deliveryAnswer = Type.Union(
  [
    strictObject({
      state: Type.Unsafe<DeliveryState>({ type: 'string', enum: [...deliveryStates] }),
      reason: nullable(text),
    }),
    Type.Null(),
  ],
  { description: 'Null if the channel is not external.' },
);
const messageField = fieldOf<MessageRecord>();
const message = createView({
  id: messageField(id, ({ _id }) => _id),
  from: messageField(typeUser, (record) => record.typeUser),
  text: messageField(text, ({ content }) => content.message),
  at: messageField(time, ({ date }) => date.toISOString()),
  eventId: messageField(id, ({ eventId }) => eventId),
  webhookId: messageField(id, ({ webhookId }) => webhookId),
  delivery: messageField(deliveryAnswer, ({ delivery }) =>
    delivery ? { state: delivery.state, reason: delivery.reason } : null,
  ),
});

const sortable = { at: 'date' };

export const contactChatRoutes = ({ contacts, chats }: Admin): Route[] => {
  const restriction = async ({ id: contactId }: { id: string }) => ({
    channelId: (await contacts.get(contactId)).channelId,
  });
  return [
    route({
      method: 'GET',
      path,
      scope: 'inbox',
      restriction,
      summary: 'Read a chat of a contact: state, labels and origin',
      params,
      answer: chat.answer,
      handle: async ({ params: given }) => chat.present(await chats.get(given.id, given.chatId)),
    }),
    route({
      method: 'GET',
      path: `${path}/messages`,
      scope: 'inbox',
      restriction,
      summary: 'List the messages of a chat with their events, latest first',
      params,
      find: (given) => chats.get(given.id, given.chatId),
      query: listQuery(Object.keys(sortable), {}),
      answer: pageSchema(message.answer),
      handle: async ({ params: given, query }) => {
        const wanted = parsePaging(query, sortable, '-at');
        const found = await chats.listMessages(given.id, given.chatId, wanted);
        return presentPage(found, wanted, message.present);
      },
    }),
  ];
};
