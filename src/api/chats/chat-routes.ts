/** /v1/chat: what is read of chats and messages. Literal paths must come before `:chat_id`. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { AppError, orNotFound } from '../../base/errors.ts';
import { chatStatuses } from '../../domain/messages/chat.ts';
import { narrowIds } from '../../domain/access/token.ts';
import {
  listQuery,
  pageSchema,
  dateParameter,
  parseDateParameter,
  presentPage,
  parsePaging,
  commaList,
  filterText,
} from '../../http/requests/query.ts';
import { openFile } from '../../store/chats/files.ts';
import { fileRoute, route, streamRoute, type Route } from '../../http/routing/route.ts';
import {
  flag,
  count,
  id,
  nullable,
  strictObject,
  stringEnum,
  time,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import type { LiveStreams } from '../live-streams.ts';
import {
  countUnread,
  listChats,
  listMessages,
  readChat,
  requireChat,
  searchChat,
  searchChats,
} from './chats.ts';
import { agentsById } from './agents.ts';
import { chat, message, messagePresenter, presentChat, presentUser, user } from './views.ts';

const wantedStatus = stringEnum(['my_chats', ...chatStatuses]);

export const onlyTests = flag('`true`: only those of test events, which are otherwise left out.');

const chatSort = { date: 'lastMessageAt', started_at: 'startedAt', closed_at: 'closedAt' };
const messageSort = { date: 'date' };

const lookedThrough =
  'The start of a name or a whole number searches all chats; otherwise the first 1,000 that the other filters leave are ' +
  'searched. If `total_exact` is false, narrow by date.';

const chatQuery = strictObject({
  ...listQuery(Object.keys(chatSort), {
    filter_label_template_id: commaList(id),
    filter_worker_id: commaList(id),
    filter_user_id: commaList(filterText),
    filter_sector_id: commaList(id),
    filter_name: Type.Optional({
      ...filterText,
      description: `A part of the contact’s name; case is ignored. ${lookedThrough}`,
    }),
    filter_phone: Type.Optional(
      Type.String({
        pattern: '[0-9]',
        maxLength: 40,
        description: `A part of the contact’s number. ${lookedThrough}`,
      }),
    ),
    filter_protocol: commaList(filterText),
    filter_date_start: dateParameter,
    filter_date_end: dateParameter,
    filter_unread_conversations: flag(
      `\`true\`: only chats with unread messages. ${lookedThrough}`,
    ),
  }).properties,
  test: onlyTests,
  status: Type.Array(wantedStatus, {
    minItems: 1,
    maxItems: 20,
    description:
      '`my_chats` alone (the open chats of the agent who acts; without an agent, every open chat), or one or several states.',
  }),
});

/** A number with its area code. */
const wholeNumberDigits = 10;

const onlyAlone: AppError['details'] = {
  fields: [{ path: 'status', message: 'field.my_chats_alone' }],
};

export const chatRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat',
    scope: 'inbox',
    restriction: 'narrowed',
    heavy: { kind: 'search', when: ['filter_name', 'filter_phone'] },
    operationId: 'listChats',
    tag: 'Chats',
    schemaName: 'Chat',
    summary: 'List chats, latest activity first',
    query: chatQuery,
    answer: pageSchema(chat),
    handle: async ({ query, caller, executor }) => {
      if (query.status.includes('my_chats') && query.status.length > 1) {
        throw new AppError('invalid_query', { details: onlyAlone });
      }
      // A search by parts would reveal the digits one by one.
      const digits = query.filter_phone?.replaceAll(/\D/g, '');
      const isPart = digits !== undefined && digits.length < wholeNumberDigits;
      if (isPart && caller.maskContacts) throw new AppError('forbidden');
      const wanted = parsePaging(query, chatSort, '-date');
      const filter = {
        statuses: query.status,
        agentId: executor.agentId,
        labelIds: query.filter_label_template_id,
        channelIds: narrowIds(caller.restriction?.channelIds, query.filter_worker_id),
        agentIds: query.filter_user_id,
        sectorIds: query.filter_sector_id,
        protocols: query.filter_protocol,
        name: query.filter_name,
        phoneDigits: digits,
        from: parseDateParameter('filter_date_start', query.filter_date_start),
        to: parseDateParameter('filter_date_end', query.filter_date_end, 'end'),
        ...(query.filter_unread_conversations && { isUnread: true as const }),
        test: query.test === true,
      };
      return presentPage(await listChats(ctx, filter, wanted), wanted, (record) =>
        presentChat(record, caller),
      );
    },
  }),
  liveChatsRoute(ctx),
  ...searchRoutes(ctx),
  ...detailRoutes(ctx),
];

type ChatParams = { readonly chat_id: string };
/** What the routes under the id of a chat have in common. */
export function ofChat(ctx: ApiContext) {
  const find = (params: ChatParams) => requireChat(ctx, params.chat_id);
  const restriction = async (params: ChatParams) => ({ channelId: (await find(params)).channelId });
  return { scope: 'inbox', restriction, params: strictObject({ chat_id: id }), find } as const;
}

const wordsToFind = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Words that all occur in the message; case is ignored.',
});

const searchRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat/search',
    scope: 'inbox',
    restriction: 'narrowed',
    heavy: { kind: 'search' },
    operationId: 'searchMessages',
    tag: 'Chats',
    schemaName: 'ChatSearch',
    summary: 'Search the messages of the 1,000 chats that were active last',
    query: strictObject({
      ...listQuery(Object.keys(messageSort), {}).properties,
      query: wordsToFind,
    }),
    answer: pageSchema(message),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, messageSort, '-date');
      const search = { query: query.query, channelIds: caller.restriction?.channelIds };
      const found = await searchChats(ctx, search, wanted);
      const present = await messagePresenter(ctx, found.results, {});
      return presentPage(found, wanted, present);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id/search',
    ...ofChat(ctx),
    heavy: { kind: 'search' },
    operationId: 'searchChatMessages',
    tag: 'Chats',
    summary: 'Search the messages of a chat',
    query: strictObject({
      ...listQuery(Object.keys(messageSort), {}).properties,
      query: wordsToFind,
    }),
    answer: pageSchema(message),
    handle: async ({ params, query }) => {
      const wanted = parsePaging(query, messageSort, '-date');
      const found = await searchChat(ctx, { chatId: params.chat_id, query: query.query }, wanted);
      const { readAt } = await requireChat(ctx, params.chat_id);
      const context = { ...(readAt && { readAt }), lastReplyAt: found.lastReplyAt };
      const present = await messagePresenter(ctx, found.results, context);
      return presentPage(found, wanted, present);
    },
  }),
];

const attendant = strictObject({ ...user.properties, entered_at: nullable(time) });

const detailRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat/unread-summary',
    scope: 'inbox',
    restriction: 'narrowed',
    operationId: 'countUnreadChats',
    tag: 'Chats',
    summary: 'Count the chats with unread messages, of the 1,000 open chats that were active last',
    answer: strictObject({ total: count, by_status: Type.Record(Type.String(), count) }),
    handle: async ({ caller }) => {
      const counts = await countUnread(ctx, caller.restriction?.channelIds);
      return {
        total: counts.reduce((sum, one) => sum + one.count, 0),
        by_status: Object.fromEntries(counts.map((one) => [one._id, one.count])),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id',
    ...ofChat(ctx),
    operationId: 'getChat',
    tag: 'Chats',
    summary: 'Read the messages of a chat, oldest first',
    query: listQuery(Object.keys(messageSort), {}),
    answer: pageSchema(message),
    handle: async ({ params, query }) => {
      const wanted = parsePaging(query, messageSort, 'date');
      const [found, { readAt }] = await Promise.all([
        listMessages(ctx, params.chat_id, wanted),
        requireChat(ctx, params.chat_id),
      ]);
      const { lastReplyAt } = found;
      const context = { ...(readAt && { readAt }), lastReplyAt };
      const present = await messagePresenter(ctx, found.results, context);
      return presentPage(found, wanted, present);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id/details',
    ...ofChat(ctx),
    operationId: 'getChatDetails',
    tag: 'Chats',
    summary: 'Read a chat as the list shows it',
    answer: chat,
    handle: async ({ params, caller }) => presentChat(await readChat(ctx, params.chat_id), caller),
  }),
  fileRoute({
    path: '/v1/chat/:chat_id/files/:file_id',
    ...ofChat(ctx),
    operationId: 'getChatFile',
    tag: 'Chats',
    summary: 'Read a file of a chat, as an attachment',
    params: strictObject({ chat_id: id, file_id: id }),
    handle: async ({ params }) => orNotFound(await openFile(ctx, params.chat_id, params.file_id)),
  }),
  attendantsRoute(ctx),
];

const attendantsRoute = (ctx: ApiContext): Route =>
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id/attendants',
    ...ofChat(ctx),
    operationId: 'getChatAttendants',
    tag: 'Chats',
    summary: 'Read which agents are in a chat',
    answer: strictObject({
      primary_user: nullable(attendant),
      secondary_users: Type.Array(attendant),
    }),
    handle: async ({ params }) => {
      const { agent, joined = [] } = await requireChat(ctx, params.chat_id);
      const all = [...(agent ? [agent] : []), ...joined];
      const agents = await agentsById(
        ctx,
        all.map(({ agentId }) => agentId),
      );
      const present = (one: { readonly agentId: string; readonly enteredAt: Date | null }) => {
        const found = agents.get(one.agentId);
        return found ? [{ ...presentUser(found), entered_at: one.enteredAt }] : [];
      };
      const [primary = null] = agent ? present(agent) : [];
      return { primary_user: primary, secondary_users: joined.flatMap(present) };
    },
  });

const change = strictObject({
  at: time,
  chat: Type.Optional(
    strictObject({
      chat_id: id,
      worker_id: id,
      contact_id: id,
      user_id: nullable(id),
      status: stringEnum(chatStatuses),
      date: time,
    }),
  ),
});

type LiveChange =
  Awaited<ReturnType<LiveStreams['watchChats']>> extends AsyncIterable<infer Item> ? Item : never;

function presentChange(data: LiveChange['data']): Static<typeof change> {
  if (!('chat' in data) || data.chat === null) return { at: data.at };
  const { _id, channelId, contactId, agent, status, lastMessageAt, startedAt } = data.chat;
  return {
    at: data.at,
    chat: {
      chat_id: _id,
      worker_id: channelId,
      contact_id: contactId,
      user_id: agent?.agentId ?? null,
      status,
      date: lastMessageAt ?? startedAt,
    },
  };
}

async function* presentChanges(items: AsyncIterable<LiveChange>) {
  for await (const { data, ...item } of items) yield { ...item, data: presentChange(data) };
}

const liveChatsRoute = (ctx: ApiContext): Route =>
  streamRoute({
    path: '/v1/chat/live',
    scope: 'inbox',
    restriction: 'narrowed',
    stream: 'sse',
    operationId: 'watchChats',
    tag: 'Chats',
    summary:
      'Stream chats that change or get a message (`change`); without a chat, some were deleted. `too_slow`: reconnect with the last id; ' +
      '`history_lost`: the changes since that id are not available',
    answer: change,
    handle: async ({ caller, signal, lastEventId }) =>
      presentChanges(
        await ctx.live.watchChats(caller.restriction?.channelIds, { signal, lastEventId }),
      ),
  });
