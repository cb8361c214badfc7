/** /v1/chat: the reading side. Literal paths stand before `:chat_id`. */
import { Type } from 'typebox';
import { AppError } from '../../base/errors.ts';
import { chatStatuses } from '../../domain/chat.ts';
import { presentContact, type Inbox, type WantedStatus } from '../../inbox/inbox.ts';
import { narrowed } from '../../domain/token.ts';
import { listQuery, moment, momentOf, paged, pageOf, several, word } from '../query.ts';
import { ofChannel } from '../reach.ts';
import { route, type Route } from '../route.ts';
import { count, exactly, id, idParams, orNull, page, text, texts, time } from '../shapes.ts';

const wantedStatus = Type.Unsafe<WantedStatus>({
  type: 'string',
  enum: ['my_chats', ...chatStatuses],
});

const testMark = Type.Optional(
  Type.Boolean({ description: 'Only there, and true, where it is of a test event.' }),
);
const onlyTests = Type.Optional(
  Type.Boolean({ description: '`true`: those of test events, which are left out otherwise.' }),
);

const phones = { phone: orNull(text), phone_ddi: orNull(text) };
const contact = exactly({
  id,
  name: orNull(text),
  ...phones,
  email: orNull(text),
  document: orNull(text),
  external_id: orNull(text),
  fields: texts,
  created_at: time,
  updated_at: time,
  test: testMark,
});

const chat = exactly({
  chat_id: id,
  worker: exactly({ id, name: text }),
  sector: orNull(exactly({ id, name: text, color: text })),
  user: Type.Null(),
  contact: orNull(exactly({ id, name: orNull(text), ...phones })),
  name: orNull(text),
  phone: orNull(text),
  status: Type.Unsafe<string>({ type: 'string', enum: [...chatStatuses] }),
  date: time,
  started_at: time,
  closed_at: orNull(time),
  labels: Type.Array(exactly({ label_template_id: id, label: text, color: text })),
  unread_count: count,
  context: exactly({ origin: orNull(text), campaign: orNull(text), fields: texts }),
  test: testMark,
});

const message = exactly({
  message_id: id,
  chat_id: id,
  type_user: Type.Unsafe<string>({
    type: 'string',
    enum: ['operator', 'client', 'bot', 'system'],
  }),
  content: exactly({ type: text, message: text }),
  summary: exactly({
    is_sent: Type.Boolean(),
    is_delivered: Type.Boolean(),
    is_seen: Type.Boolean(),
  }),
  date: time,
  has_quoted: Type.Boolean(),
});

const chatSort = { date: 'lastMessageAt', started_at: 'startedAt', closed_at: 'closedAt' };
const messageSort = { date: 'date' };
/** Not by the last change: each event changes a contact, and would pay for that order. */
const contactSort = { created_at: 'createdAt' };

const lookedThrough =
  'By how a name begins, and by a whole number, all chats are found; otherwise the first 1,000 are looked through that the ' +
  'other filters leave. Where `total_exact` is false, dates lead further.';

const chatQuery = Type.Object(
  {
    ...listQuery(Object.keys(chatSort), {
      filter_label_template_id: several(id),
      filter_worker_id: several(id),
      filter_user_id: several(word),
      filter_sector_id: several(id),
      filter_name: Type.Optional({
        ...word,
        description: `A part of the contact’s name, in any case. ${lookedThrough}`,
      }),
      filter_phone: Type.Optional(
        Type.String({
          pattern: '[0-9]',
          maxLength: 40,
          description: `A part of the contact’s number. ${lookedThrough}`,
        }),
      ),
      filter_protocol: several(word),
      filter_date_start: moment,
      filter_date_end: moment,
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
  fields: [{ path: 'status', message: 'my_chats stands alone' }],
};

export const inboxRoutes = (inbox: Inbox): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat',
    scope: 'inbox',
    reach: 'narrowed',
    summary: 'List chats, the latest activity first',
    query: chatQuery,
    answer: page(chat),
    handle: async ({ query, caller }) => {
      if (query.status.includes('my_chats') && query.status.length > 1) {
        throw new AppError('invalid_query', { details: onlyAlone });
      }
      const wanted = pageOf(query, chatSort, '-date');
      const filter = {
        statuses: query.status,
        labelIds: query.filter_label_template_id,
        channelIds: narrowed(caller.reach?.channelIds, query.filter_worker_id),
        userIds: query.filter_user_id,
        sectorIds: query.filter_sector_id,
        protocols: query.filter_protocol,
        name: query.filter_name,
        phoneDigits: query.filter_phone?.replaceAll(/\D/g, ''),
        from: momentOf('filter_date_start', query.filter_date_start),
        to: momentOf('filter_date_end', query.filter_date_end, true),
        ...(query.filter_unread_conversations && { isUnread: true as const }),
        test: query.test === true,
      };
      return paged(await inbox.listChats(filter, wanted), wanted, (one) => one);
    },
  }),
  ...contactRoutes(inbox),
  route({
    method: 'GET',
    path: '/v1/chat/:chat_id',
    scope: 'inbox',
    reach: async (params) => ofChannel({ id: (await inbox.getChat(params.chat_id)).channelId }),
    summary: 'Read the messages of a chat, oldest first',
    params: exactly({ chat_id: id }),
    exists: (params) => inbox.getChat(params.chat_id),
    query: listQuery(Object.keys(messageSort), {}),
    answer: page(message),
    handle: async ({ params, query }) => {
      const wanted = pageOf(query, messageSort, 'date');
      const found = await inbox.listMessages(params.chat_id, wanted);
      return paged(found, wanted, (one) => one);
    },
  }),
];

const contactRoutes = (inbox: Inbox): Route[] => [
  route({
    method: 'GET',
    path: '/v1/chat/contacts',
    scope: 'inbox',
    reach: 'narrowed',
    summary: 'List contacts, the newest first',
    query: listQuery(Object.keys(contactSort), { test: onlyTests }),
    answer: page(contact),
    handle: async ({ query, caller }) => {
      const wanted = pageOf(query, contactSort, '-created_at');
      const filter = { channelIds: caller.reach?.channelIds, test: query.test === true };
      const found = await inbox.listContacts(filter, wanted);
      return paged(found, wanted, presentContact);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/contacts/by-phone',
    scope: 'inbox',
    reach: 'narrowed',
    summary: 'Find a contact by its number; of several channels’ the one that changed last',
    query: exactly({
      phone_ddi: Type.String({
        pattern: '^[1-9][0-9]{0,2}$',
        description: 'The country’s digits, without a plus.',
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
      return presentContact(await inbox.getByPhone(e164, caller.reach?.channelIds));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/chat/contacts/:id',
    scope: 'inbox',
    reach: async (params) => ofChannel({ id: (await inbox.getContact(params.id)).channelId }),
    summary: 'Read a contact, or the one that it was merged into',
    params: idParams,
    answer: contact,
    handle: async ({ params }) => presentContact(await inbox.getContact(params.id)),
  }),
];
