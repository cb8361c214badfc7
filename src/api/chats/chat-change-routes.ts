/** /v1/chat: what is changed in chats. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { AppError, invalidField } from '../../base/errors.ts';
import { mayAccess } from '../../domain/access/token.ts';
import { mediaTypes } from '../../domain/messages/message.ts';
import { requireChannelAccess } from '../../http/auth/authorization.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  flag,
  emptyBody,
  id,
  nullable,
  strictObject,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { ofChat } from './chat-routes.ts';
import { requireContact } from './contacts.ts';
import {
  closeChat,
  joinChat,
  leaveChat,
  markRead,
  sendMessage,
  setLabels,
  startChat,
  takeChat,
  transferChat,
} from './conversations.ts';
import { chat, message, messagePresenter, presentChat } from './views.ts';

const path = '/v1/chat/:chat_id';

const startedChat = strictObject({ ...chat.properties, reused: Type.Boolean() });
/** Accepted because clients send it; there are no automatic texts. */
const sendsText = flag('Has no effect: there are no automatic messages.');

/** Its path must come before `/v1/chat/:chat_id`. */
export const chatStartRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path: '/v1/chat/start-with-contact',
    scope: 'inbox',
    restriction: 'narrowed',
    operationId: 'startChat',
    tag: 'Chats',
    summary: 'Start a chat with a contact, or return its open chat in the channel (200)',
    status: 201,
    body: strictObject(
      { contact_id: id, worker_id: id, sector_id: Type.Optional(nullable(id)) },
      {
        examples: [
          {
            contact_id: '0198c0de-0000-7000-8000-000000000001',
            worker_id: '0198c0de-0000-7000-8000-000000000002',
          },
        ],
      },
    ),
    answer: startedChat,
    alternative: { status: 200, when: (_body, result) => result.reused, answer: startedChat },
    handle: async ({ body, caller, executor }) => {
      const { channelId } = await requireContact(ctx, body.contact_id);
      // What is outside the token's restriction does not exist for it.
      const isOwn = [channelId, body.worker_id].every((one) =>
        mayAccess(caller, { channelId: one }),
      );
      if (!isOwn) throw new AppError('not_found');
      const started = await startChat(
        ctx,
        {
          contactId: body.contact_id,
          channelId: body.worker_id,
          sectorId: body.sector_id ?? null,
        },
        executor,
      );
      return { ...presentChat(started.chat, caller), reused: started.isReused };
    },
  }),
];

const newMessage = strictObject(
  {
    type: Type.Optional(
      stringEnum(['text', ...mediaTypes], { description: '`text`; with files it is theirs.' }),
    ),
    message: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description: 'The text, which is required without files; with files, the caption.',
      }),
    ),
    message_quoted_id: Type.Optional(nullable(id)),
  },
  {
    description:
      'As multipart, with up to ten files in the parts `images`, `documents`, `videos` and `audios`.',
    examples: [{ type: 'text', message: 'Olá, Ana!' }],
  },
);

/** Throws `invalid_field` unless there is a text to send. */
function requireText({ type, message: text }: Static<typeof newMessage>): void {
  if (type === undefined) throw invalidField('/type', 'field.required');
  if (type !== 'text') throw invalidField('/type', 'field.text_or_files');
  if (text === undefined) throw invalidField('/message', 'field.required');
  if (text.trim() === '') throw invalidField('/message', 'field.empty');
}

export const chatChangeRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    ...ofChat(ctx),
    operationId: 'sendMessage',
    tag: 'Chats',
    summary: 'Send a text or files to the contact of a chat',
    status: 201,
    body: newMessage,
    allowsFiles: true,
    answer: message,
    handle: async ({ params, body, files, executor, idempotencyKey }) => {
      if (files.length === 0) requireText(body);
      const sent = await sendMessage(
        ctx,
        {
          chatId: params.chat_id,
          type: files[0]?.type ?? 'text',
          text: body.message ?? '',
          files,
          quotedId: body.message_quoted_id ?? undefined,
          idempotencyKey,
        },
        executor,
      );
      return (await messagePresenter(ctx, [sent], {}))(sent);
    },
  }),
  ...statusRoutes(ctx),
  ...attendanceRoutes(ctx),
];

const statusRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'PATCH',
    path: `${path}/status`,
    ...ofChat(ctx),
    operationId: 'updateChatStatus',
    tag: 'Chats',
    summary: 'Take a chat (`in_chat`) or close it (`closed`)',
    body: strictObject(
      {
        status: stringEnum(['in_chat', 'closed']),
        closure_comment: Type.Optional(nullable(Type.String({ maxLength: 1_000 }))),
        send_message_on_finish_attendance: sendsText,
      },
      { examples: [{ status: 'in_chat' }] },
    ),
    answer: chat,
    handle: async ({ params, body, caller, executor }) => {
      const changed =
        body.status === 'in_chat'
          ? await takeChat(ctx, params.chat_id, executor)
          : await closeChat(
              ctx,
              { id: params.chat_id, comment: body.closure_comment ?? null },
              executor,
            );
      return presentChat(changed, caller);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/transfer`,
    ...ofChat(ctx),
    operationId: 'transferChat',
    tag: 'Chats',
    summary: 'Transfer a chat to an agent, a sector or another channel',
    body: strictObject(
      {
        worker_id: Type.Optional(nullable(id)),
        user_id: Type.Optional(nullable(id)),
        sector_id: Type.Optional(nullable(id)),
        annotation: Type.Optional(
          nullable(
            Type.String({
              maxLength: 5_000,
              description: 'Becomes a system message of the chat that is not sent to the contact.',
            }),
          ),
        ),
        keep_in_chat: flag('The status stays, and so does the agent who acts.'),
        send_message_on_transfer: sendsText,
      },
      {
        examples: [{ sector_id: '0198c0de-0000-7000-8000-000000000003' }],
      },
    ),
    answer: chat,
    handle: async ({ params, body, caller, executor }) => {
      const missing = { path: '/worker_id', message: 'field.missing_or_disabled' } as const;
      requireChannelAccess(caller, body.worker_id, missing);
      return presentChat(
        await transferChat(
          ctx,
          {
            id: params.chat_id,
            channelId: body.worker_id ?? undefined,
            agentId: body.user_id ?? undefined,
            sectorId: body.sector_id ?? undefined,
            annotation: body.annotation || null,
            isKept: body.keep_in_chat === true,
          },
          executor,
        ),
        caller,
      );
    },
  }),
];

const labelIds = Type.Array(id, { maxItems: 100 });

const attendanceRoutes = (ctx: ApiContext): Route[] => {
  const common = { ...ofChat(ctx), answer: chat } as const;
  const actions = {
    join: ['joinChat', 'Join a chat beside its agent', joinChat],
    leave: [
      'leaveChat',
      'Leave a chat; a chat that its agent leaves goes back to the queue',
      leaveChat,
    ],
    read: ['markChatRead', 'Mark the messages of a chat as read', markRead],
  } as const;
  return [
    route({
      ...common,
      method: 'PATCH',
      path: `${path}/label`,
      operationId: 'replaceChatLabels',
      tag: 'Chats',
      summary: 'Replace the labels of a chat',
      body: Type.Union([labelIds, strictObject({ label_template_ids: labelIds })], {
        examples: [{ label_template_ids: [] }],
      }),
      allowsList: true,
      handle: async ({ params, body, caller, executor }) => {
        const labels = Array.isArray(body) ? body : body.label_template_ids;
        const set = { id: params.chat_id, labelIds: labels };
        return presentChat(await setLabels(ctx, set, executor), caller);
      },
    }),
    ...Object.entries(actions).map(([action, [operationId, summary, act]]) =>
      route({
        ...common,
        ...emptyBody,
        method: 'POST',
        path: `${path}/${action}`,
        operationId,
        tag: 'Chats',
        summary,
        handle: async ({ params, caller, executor }) =>
          presentChat(await act(ctx, params.chat_id, executor), caller),
      }),
    ),
  ];
};
