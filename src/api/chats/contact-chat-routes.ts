/** /v1/admin/contacts/:id/chats: chats and messages with their events, read-only. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { AppError } from '../../base/errors.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import { chatStatuses } from '../../domain/messages/chat.ts';
import { deliveryStates } from '../../domain/messages/delivery.ts';
import { eventIdOf, mediaTypes, type MessageRecord } from '../../domain/messages/message.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { reportedAnswer } from '../channels/delivery-routes.ts';
import { channelOf } from '../../http/auth/authorization.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { ChatView } from '../../store/chats/inbox.ts';
import {
  count,
  strictObject,
  id,
  nullable,
  text,
  stringMap,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { path as contactsPath } from '../people/contact-routes.ts';
import { getContact } from '../people/contacts.ts';
import { agentsById } from './agents.ts';
import { readChat } from './chats.ts';
import { maskFor, unreadCount } from './views.ts';

const path = `${contactsPath}/:id/chats/:chatId`;
const params = strictObject({ id, chatId: id });
const named = strictObject({ id, name: text, color: text });

type Named = { readonly _id: string; readonly name: string; readonly color: string };
const presentNamed = ({ _id, name, color }: Named) => ({ id: _id, name, color });

const { field, view } = viewsOf<ChatView>();
const chat = view({
  id,
  channelId: id,
  contactId: field(id, ({ contact, contactId }) => contact?._id ?? contactId),
  status: stringEnum(chatStatuses),
  test: field(Type.Boolean(), ({ test }) => test !== undefined),
  startedAt: time,
  closedAt: nullable(time),
  lastMessageAt: nullable(time),
  unread: unreadCount,
  sector: field(nullable(named), ({ sector }) => sector && presentNamed(sector)),
  labels: field(Type.Array(named), ({ labels }) => labels.map(presentNamed)),
  origin: field(nullable(text), ({ opening }) => opening.origin),
  campaign: field(nullable(text), ({ opening }) => opening.campaign),
  fields: field(stringMap, ({ opening }) =>
    Object.fromEntries(opening.fields.map(({ name, value }) => [name, value])),
  ),
});

const typeUser = stringEnum(['operator', 'client', 'bot', 'system']);
const deliveryAnswer = Type.Union(
  [
    strictObject({
      state: stringEnum(deliveryStates),
      reported: reportedAnswer,
      reason: nullable(text),
    }),
    Type.Null(),
  ],
  { description: 'Null if the channel is not external.' },
);
/** A message with the agent who wrote it or caused it; null if a program or an event did. */
type MessageView = MessageRecord & { readonly agent: AgentRecord | null };
const agentAnswer = nullable(strictObject({ id, name: text, lastName: nullable(text) }));
const fileAnswer = strictObject({ id, name: text, contentType: text, bytes: count });
const { field: messageField, view: messageView } = viewsOf<MessageView>();
const message = messageView({
  id,
  from: messageField(typeUser, (record) => record.typeUser),
  agent: messageField(
    agentAnswer,
    ({ agent }) => agent && { id: agent._id, name: agent.name, lastName: agent.lastName },
  ),
  type: messageField(stringEnum(['text', ...mediaTypes]), ({ content }) => content.type),
  text: messageField(text, ({ content }) => content.message),
  files: messageField(Type.Array(fileAnswer), ({ content: { files = [] } }) =>
    files.map(({ fileId, name, contentType, bytes }) => ({ id: fileId, name, contentType, bytes })),
  ),
  quotedId: nullable(id),
  at: messageField(time, ({ date }) => date),
  eventId: messageField(nullable(id), eventIdOf),
  webhookId: messageField(nullable(id), ({ webhookId }) => webhookId ?? null),
  delivery: messageField(deliveryAnswer, ({ delivery }) =>
    delivery
      ? {
          state: delivery.state,
          reported: delivery.reported ?? null,
          reason: delivery.reason,
        }
      : null,
  ),
});

type ChatOfContact = Static<typeof params>;

/** Throws `not_found` if there is no such chat or it belongs to another contact. */
async function requireChatOf(ctx: ApiContext, { id: contactId, chatId }: ChatOfContact) {
  const found = await readChat(ctx, chatId);
  const contactIds = await ctx.people.mergeTreeIds([contactId]);
  if (!contactIds.includes(found.contactId)) throw new AppError('not_found');
  return found;
}

async function listWithAgents(
  ctx: ApiContext,
  chatId: string,
  page: Page,
): Promise<Paged<MessageView>> {
  const found = await ctx.inbox.listMessages(chatId, page);
  const ids = new Set(found.results.flatMap(({ agentId }) => agentId ?? []));
  const agents = await agentsById(ctx, [...ids]);
  const results = found.results.map((one) => ({
    ...one,
    agent: agents.get(one.agentId ?? '') ?? null,
  }));
  return { ...found, results };
}

export const contactChatRoutes = (ctx: ApiContext): Route[] => {
  const restriction = channelOf((contactId) => getContact(ctx, contactId));
  return [
    route({
      method: 'GET',
      path,
      scope: 'inbox',
      restriction,
      operationId: 'getContactChat',
      tag: 'Contacts',
      schemaName: 'ContactChat',
      summary: 'Read a chat of a contact: state, labels and origin',
      params,
      answer: chat.answer,
      handle: async ({ params: given, caller }) => {
        const found = await requireChatOf(ctx, given);
        const { opening } = found;
        const fields = opening.fields.map((one) => ({ ...one, value: maskFor(caller)(one.value) }));
        return chat.present({ ...found, opening: { ...opening, fields } });
      },
    }),
    listRoute(message, {
      path: `${path}/messages`,
      scope: 'inbox',
      restriction,
      operationId: 'listContactChatMessages',
      tag: 'Contacts',
      schemaName: 'ContactChatMessage',
      summary: 'List the messages of a chat with their events, latest first',
      params,
      find: (given) => requireChatOf(ctx, given),
      sortable: { at: 'date' },
      sortBy: '-at',
      list: ({ params: given }, page) => listWithAgents(ctx, given.chatId, page),
    }),
  ];
};
