/** Lists to choose from: agents, channels, labels and sectors, without pages. Also the context of official channels. */
import { Type } from 'typebox';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import { agentStatuses } from '../../domain/agents/agent.ts';
import type { Inbox } from './inbox.ts';
import { filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { id, nullable, strictObject, stringEnum, text } from '../../http/routing/schemas.ts';
import {
  leanLabel,
  leanSector,
  presentLeanLabel,
  presentLeanSector,
} from './named-record-routes.ts';
import { presentUser, user } from './views.ts';
import { ofChat } from './chat-routes.ts';

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

const usersPaths = ['/v1/user/all', '/v1/chat/users', '/v1/chat/transfer/users'] as const;
const sectorUsersPaths = [
  '/v1/chat/transfer/sectors/:sector_id/users',
  '/v1/sector/:sector_id/users',
] as const;

const common = { method: 'GET', scope: 'inbox', restriction: 'anything' } as const;

export const directoryRoutes = (inbox: Inbox): Route[] => [
  ...usersPaths.map((path) =>
    route({
      ...common,
      path,
      summary: 'List the active agents',
      answer: Type.Array(user),
      handle: async () => (await inbox.listActiveAgents({})).map(presentUser),
    }),
  ),
  ...sectorUsersPaths.map((path) =>
    route({
      ...common,
      path,
      summary: 'List the active agents of a sector',
      params: strictObject({ sector_id: id }),
      find: (params) => inbox.sectors.get(params.sector_id),
      answer: Type.Array(user),
      handle: async ({ params }) =>
        (await inbox.listActiveAgents({ sectorId: [params.sector_id] })).map(presentUser),
    }),
  ),
  listRoute(
    { answer: wholeUser, present: presentWholeUser },
    {
      path: '/v1/user',
      scope: 'inbox',
      restriction: 'anything',
      summary: 'List agents',
      sortable: { name: 'name' },
      sortBy: 'name',
      filters: { search: Type.Optional(filterText) },
      list: ({ query: { search } }, page) =>
        inbox.listAgents(search === undefined ? {} : { search }, page),
    },
  ),
  route({
    ...common,
    path: '/v1/chat/workers',
    restriction: 'narrowed',
    summary: 'List the enabled channels',
    answer: Type.Array(worker),
    handle: async ({ caller }) =>
      (await inbox.listChannels(caller.restriction?.channelIds)).map(({ _id, name }) => ({
        worker_id: _id,
        name,
        is_official: false,
      })),
  }),
  ...['/v1/chat/sectors', '/v1/chat/transfer/sectors', '/v1/sector/all'].map((path) =>
    route({
      ...common,
      path,
      summary: 'List the active sectors',
      answer: Type.Array(leanSector),
      handle: async () => (await inbox.sectors.listActive()).map(presentLeanSector),
    }),
  ),
  ...['/v1/chat/label-templates', '/v1/label-template/all'].map((path) =>
    route({
      ...common,
      path,
      summary: 'List the active labels',
      answer: Type.Array(leanLabel),
      handle: async () => (await inbox.labels.listActive()).map(presentLeanLabel),
    }),
  ),
  ...officialRoutes(inbox),
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
const officialRoutes = (inbox: Inbox): Route[] => [
  route({
    ...common,
    path: '/v1/chat/official-opening/context',
    summary: 'Read whether a channel needs an official template to open a chat: none does',
    query: Type.Partial(strictObject({ worker_id: id, contact_id: id }), {
      additionalProperties: false,
    }),
    answer: officialContext,
    handle: () => Promise.resolve(notOfficial),
  }),
  route({
    ...ofChat(inbox),
    method: 'GET',
    path: '/v1/chat/:chat_id/official-conversation/context',
    summary: 'Read whether a chat needs an official template: none does',
    answer: officialContext,
    handle: () => Promise.resolve(notOfficial),
  }),
];
