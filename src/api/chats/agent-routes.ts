/** /v1/admin/agents */
import { Type } from 'typebox';
import { agentStatuses, type AgentRecord } from '../../domain/agents/agent.ts';
import { commaList, filterText } from '../../http/requests/query.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import type { Route } from '../../http/routing/route.ts';
import {
  strictObject,
  changeObject,
  id,
  idParams,
  name,
  nullable,
  stringEnum,
  text,
  time,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { ApiContext } from '../context.ts';
import { changeAgent, createAgent, removeAgent } from './agents.ts';

const path = '/v1/admin/agents';
const status = stringEnum(agentStatuses);
const sectorIds = Type.Array(id, { maxItems: 200 });

const agent = viewsOf<AgentRecord>().view({
  id,
  name,
  lastName: nullable(text),
  email: nullable(text),
  status,
  sectorIds: Type.Array(id),
  createdAt: time,
  updatedAt: time,
});

const optional = {
  lastName: nullable(name),
  email: nullable(Type.String({ format: 'email', maxLength: 320 })),
  sectorIds,
};

export const agentRoutes = (ctx: ApiContext): Route[] => {
  const one = recordRoutes(agent, {
    path: `${path}/:id`,
    params: idParams,
    find: (params) => ctx.agents.get(params.id),
  });
  return [
    resourceRoute(agent, {
      method: 'POST',
      path,
      scope: 'admin',
      operationId: 'createAgent',
      tag: 'Agents',
      summary: 'Create an agent',
      status: 201,
      body: strictObject(
        { name, ...Type.Partial(Type.Object(optional)).properties },
        { examples: [{ name: 'Bia', lastName: 'Lima' }] },
      ),
      handle: ({ body, caller }) => createAgent(ctx, body, caller),
    }),
    listRoute(agent, {
      path,
      scope: 'viewer',
      restriction: 'anything',
      operationId: 'listAgents',
      tag: 'Agents',
      summary: 'List agents',
      sortable: { name: 'name', createdAt: 'createdAt' },
      sortBy: 'name',
      filters: {
        status: commaList(status),
        sectorId: commaList(id),
        search: Type.Optional({
          ...filterText,
          description: 'A part of a name or of the email address; case is ignored.',
        }),
      },
      list: ({ query }, page) => ctx.agents.list(query, page),
    }),
    one.read({
      scope: 'viewer',
      restriction: 'anything',
      operationId: 'getAgent',
      tag: 'Agents',
      schemaName: 'Agent',
      summary: 'Read an agent',
    }),
    one.change({
      scope: 'admin',
      operationId: 'updateAgent',
      tag: 'Agents',
      summary: 'Change, disable or enable an agent; a disabled agent cannot act',
      body: changeObject({ name, status, ...optional }),
      handle: ({ params, body, caller }) => changeAgent(ctx, { ...body, ...params }, caller),
    }),
    one.remove({
      scope: 'admin',
      operationId: 'deleteAgent',
      tag: 'Agents',
      summary: 'Delete an agent without open chats; its chats and messages keep the name',
      handle: ({ params, caller }) => removeAgent(ctx, params.id, caller),
    }),
  ];
};
