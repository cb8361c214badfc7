/** Lists to choose from: agents, channels, labels and sectors, without pages. Also the context of official channels. */
import { Type } from 'typebox';
import { type AgentRecord, agentStatuses } from '../../domain/agents/agent.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import { filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { id, nullable, strictObject, stringEnum, text } from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import {
  leanLabel,
  leanSector,
  presentLeanLabel,
  presentLeanSector,
} from './named-record-routes.ts';
import { presentUser, user } from './views.ts';
import { ofChat } from './chat-routes.ts';
import { readChannelPage } from '../../store/channels/channels.ts';

const worker = strictObject({ worker_id: id, name: text, is_official: Type.Boolean() });
const wholeUser = strictObject({
  ...user.properties,
  email: nullable(text),
  status: stringEnum(agentStatuses),
  sector_ids: Type.Array(id),
});

const presentWholeUser = (agent: AgentRecord) => ({
  ...presentUser(agent),
  email: agent.email,
  status: agent.status,
  sector_ids: [...agent.sectorIds],
});

/** The same list at each path that clients of the platform family ask. */
const users = [
  { path: '/v1/user/all', operationId: 'listActiveUsers', tag: 'Users' },
  { path: '/v1/chat/users', operationId: 'listChatUsers', tag: 'Chats' },
  { path: '/v1/chat/transfer/users', operationId: 'listTransferUsers', tag: 'Chats' },
] as const;
const sectorUsers = [
  {
    path: '/v1/chat/transfer/sectors/:sector_id/users',
    operationId: 'listTransferSectorUsers',
    tag: 'Chats',
  },
  { path: '/v1/sector/:sector_id/users', operationId: 'listSectorUsers', tag: 'Sectors' },
] as const;
const sectorLists = [
  { path: '/v1/chat/sectors', operationId: 'listChatSectors', tag: 'Chats' },
  { path: '/v1/chat/transfer/sectors', operationId: 'listTransferSectors', tag: 'Chats' },
  { path: '/v1/sector/all', operationId: 'listActiveSectors', tag: 'Sectors' },
] as const;
const labelLists = [
  { path: '/v1/chat/label-templates', operationId: 'listChatLabels', tag: 'Chats' },
  { path: '/v1/label-template/all', operationId: 'listActiveLabels', tag: 'Labels' },
] as const;

const common = { method: 'GET', scope: 'inbox', restriction: 'anything' } as const;

/** Channels in a list without pages. */
const maxChannels = 1_000;

/** By name; of all channels when undefined. */
async function listEnabledChannels(
  ctx: ApiContext,
  ids: readonly string[] | undefined,
): Promise<readonly ChannelRecord[]> {
  const page = { skip: 0, limit: maxChannels, sort: { name: 1 } } as const;
  return (await readChannelPage(ctx, { ...(ids && { id: ids }), enabled: true }, page)).results;
}

export const directoryRoutes = (ctx: ApiContext): Route[] => [
  ...users.map((named) =>
    route({
      ...common,
      ...named,
      summary: 'List the active agents',
      answer: Type.Array(user),
      handle: async () => (await ctx.agents.listActive({})).map(presentUser),
    }),
  ),
  ...sectorUsers.map((named) =>
    route({
      ...common,
      ...named,
      summary: 'List the active agents of a sector',
      params: strictObject({ sector_id: id }),
      find: (params) => ctx.sectors.get(params.sector_id),
      answer: Type.Array(user),
      handle: async ({ params }) =>
        (await ctx.agents.listActive({ sectorId: [params.sector_id] })).map(presentUser),
    }),
  ),
  listRoute(
    { answer: wholeUser, present: presentWholeUser },
    {
      path: '/v1/user',
      scope: 'inbox',
      restriction: 'anything',
      operationId: 'listUsers',
      tag: 'Users',
      schemaName: 'User',
      summary: 'List agents',
      sortable: { name: 'name' },
      sortBy: 'name',
      filters: { search: Type.Optional(filterText) },
      list: ({ query: { search } }, page) =>
        ctx.agents.list(search === undefined ? {} : { search }, page),
    },
  ),
  route({
    ...common,
    path: '/v1/chat/workers',
    restriction: 'narrowed',
    operationId: 'listChatWorkers',
    tag: 'Chats',
    summary: 'List the enabled channels',
    answer: Type.Array(worker),
    handle: async ({ caller }) =>
      (await listEnabledChannels(ctx, caller.restriction?.channelIds)).map(({ _id, name }) => ({
        worker_id: _id,
        name,
        is_official: false,
      })),
  }),
  ...sectorLists.map((named) =>
    route({
      ...common,
      ...named,
      summary: 'List the active sectors',
      answer: Type.Array(leanSector),
      handle: async () => (await ctx.sectors.listActive()).map(presentLeanSector),
    }),
  ),
  ...labelLists.map((named) =>
    route({
      ...common,
      ...named,
      summary: 'List the active labels',
      answer: Type.Array(leanLabel),
      handle: async () => (await ctx.labels.listActive()).map(presentLeanLabel),
    }),
  ),
  ...officialRoutes(ctx),
];

const officialContext = strictObject({
  is_official: Type.Boolean(),
  requires_template: Type.Boolean(),
  official_window: Type.Null(),
  templates: Type.Array(strictObject({})),
});
const notOfficial = {
  is_official: false,
  requires_template: false,
  official_window: null,
  templates: [],
};

/** No kind of channel has official templates. */
const officialRoutes = (ctx: ApiContext): Route[] => [
  route({
    ...common,
    path: '/v1/chat/official-opening/context',
    operationId: 'getOfficialOpeningContext',
    tag: 'Chats',
    summary: 'Read whether a channel needs an official template to open a chat: none does',
    query: Type.Partial(strictObject({ worker_id: id, contact_id: id }), {
      additionalProperties: false,
    }),
    answer: officialContext,
    handle: () => Promise.resolve(notOfficial),
  }),
  route({
    ...ofChat(ctx),
    method: 'GET',
    path: '/v1/chat/:chat_id/official-conversation/context',
    operationId: 'getOfficialChatContext',
    tag: 'Chats',
    summary: 'Read whether a chat needs an official template: none does',
    answer: officialContext,
    handle: () => Promise.resolve(notOfficial),
  }),
];
