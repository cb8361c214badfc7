/** /v1/chat/live */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { chatStatuses } from '../../domain/messages/chat.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import { streamRoute, type Route } from '../routing/route.ts';
import { id, nullable, strictObject, stringEnum, time } from '../routing/schemas.ts';

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
  Awaited<ReturnType<Inbox['watchChats']>> extends AsyncIterable<infer Item> ? Item : never;

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

/** Its path must come before `/v1/chat/:chat_id`. */
export const liveChatsRoute = (inbox: Inbox): Route =>
  streamRoute({
    path: '/v1/chat/live',
    scope: 'inbox',
    restriction: 'narrowed',
    stream: 'sse',
    summary:
      'Stream chats that change or get a message (`change`); without a chat, some were deleted. `too_slow`: reconnect with the last id; ' +
      '`history_lost`: the changes since that id are not available',
    answer: change,
    handle: async ({ caller, signal, lastEventId }) =>
      presentChanges(
        await inbox.watchChats(caller.restriction?.channelIds, { signal, lastEventId }),
      ),
  });
