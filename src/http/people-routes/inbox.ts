/** /v1/chat: read operations. Literal paths must come before `:chat_id`. */
import { Type } from 'typebox';
import { AppError } from '../../base/errors.ts';
import { chatStatuses } from '../../domain/messages/chat.ts';
import type { Inbox } from '../../inbox/inbox.ts';
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
} from '../requests/query.ts';
import { channelOf, channelOfPath } from '../auth/authorization.ts';
import { listRoute } from '../routing/list.ts';
import { route, type Route } from '../routing/route.ts';
import { strictObject, id, idParams, stringEnum } from '../routing/schemas.ts';
import {
  chat,
  contact,
  message,
  presentChat,
  presentContact,
  presentMessage,
} from './inbox-view.ts';

const wantedStatus = stringEnum(['my_chats', ...chatStatuses]);

const onlyTests = Type.Optional(
  Type.Boolean({ description: '`true`: only those of test events, which are otherwise left out.' }),
);

const chatSort = { date: 'lastMessageAt', started_at: 'startedAt', closed_at: 'closedAt' };
const messageSort = { date: 'date' };

const lookedThrough =
  'The start of a name or a whole number searches all chats; otherwise the first 1,000 that the other filters leave are ' +
  'searched. If `total_exact` is false, narrow by date.';

const chatQuery = Type.Object(
  {
    ...listQuery(Object.keys(chatSort), {
      filter_label_template_id: commaList(id),
      filter_worker_id: commaList(id),
      filter_user_id: commaList(filterText),
      filter_sector_id: commaList(id),
      filter_name: Type.Optional({
        ...filterText,
        description: `A part of the contact’s name, in any case. ${lookedThrough}`,
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
      filter_unread_conversations: Type.Optional(
        Type.Boolean({
          description: `\`true\`: only chats with unread messages. ${lookedThrough}`,
        }),
      ),
    }).properties,
    test: onlyTests,
    status: Type.Array(wantedStatus, {
      minItems: 1,
      maxItems: 20,
      description: '`my_chats` alone (every chat that is not closed), or one or several states.',
    }),
  },
  { additionalProperties: false },
);

const onlyAlone: AppError['details'] = {
  fields: [{ path: 'status', message: 'my_chats must be the only value' }],
};

export const inboxRoutes = (inbox: Inbox): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat',
    scope: 'inbox',
    restriction: 'narrowed',
    summary: 'List chats, latest activity first',
    query: chatQuery,
    answer: pageSchema(chat),
    handle: async ({ query, caller }) => {
      if (query.status.includes('my_chats') && query.status.length > 1) {
        throw new AppError('invalid_query', { details: onlyAlone });
      }
      const wanted = parsePaging(query, chatSort, '-date');
      const filter = {
        statuses: query.status,
        labelIds: query.filter_label_template_id,
        channelIds: narrowIds(caller.restriction?.channelIds, query.filter_worker_id),
        userIds: query.filter_user_id,
        sectorIds: query.filter_sector_id,
        protocols: query.filter_protocol,
        name: query.filter_name,
        phoneDigits: query.filter_phone?.replaceAll(/\D/g, ''),
        from: parseDateParameter('filter_date_start', query.filter_date_start),
        to: parseDateParameter('filter_date_end', query.filter_date_end, 'end'),
        ...(query.filter_unread_conversations && { isUnread: true as const }),
        test: query.test === true,
      };
      return presentPage(await inbox.listChats(filter, wanted), wanted, presentChat);
    },
  }),
  ...contactRoutes(inbox),
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id',
    scope: 'inbox',
    restriction: async (params) =>
      channelOfPath({ id: (await inbox.getChat(params.chat_id)).channelId }),
    summary: 'Read the messages of a chat, oldest first',
    params: strictObject({ chat_id: id }),
    find: (params) => inbox.getChat(params.chat_id),
    query: listQuery(Object.keys(messageSort), {}),
    answer: pageSchema(message),
    handle: async ({ params, query }) => {
      const wanted = parsePaging(query, messageSort, 'date');
      const found = await inbox.listMessages(params.chat_id, wanted);
      return presentPage(found, wanted, (one) => presentMessage(one, found.lastReplyAt));
    },
  }),
];

const contactRoutes = (inbox: Inbox): Route[] => [
  listRoute(
    { answer: contact, present: presentContact },
    {
      path: '/v1/chat/contacts',
      scope: 'inbox',
      restriction: 'narrowed',
      summary: 'List contacts, newest first',
      // Not by the last change: each event would then update an index.
      sortable: { created_at: 'createdAt' },
      sortBy: '-created_at',
      filters: { test: onlyTests },
      list: ({ query, caller }, page) => {
        const channelIds = caller.restriction?.channelIds;
        return inbox.listContacts({ channelIds, test: query.test === true }, page);
      },
    },
  ),
  route({
    method: 'GET',
    path: '/v1/chat/contacts/by-phone',
    scope: 'inbox',
    restriction: 'narrowed',
    summary: 'Find a contact by its number; of several channels, the contact changed last',
    query: strictObject({
      phone_ddi: Type.String({
        pattern: '^[1-9][0-9]{0,2}$',
        description: 'The country code without a plus sign.',
      }),
      phone: Type.String({
        pattern: '[0-9]',
        maxLength: 40,
        description: 'The national digits; a Brazilian mobile’s ninth digit may be missing.',
      }),
    }),
    findsOne: true,
    answer: contact,
    handle: async ({ query, caller }) => {
      const e164 = `+${query.phone_ddi}${query.phone.replaceAll(/\D/g, '')}`;
      return presentContact(await inbox.getByPhone(e164, caller.restriction?.channelIds));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/contacts/:id',
    scope: 'inbox',
    restriction: channelOf(inbox.getContact),
    summary: 'Read a contact, or the one that it was merged into',
    params: idParams,
    answer: contact,
    handle: async ({ params }) => presentContact(await inbox.getContact(params.id)),
  }),
];
