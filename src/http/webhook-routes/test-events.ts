/** /v1/admin/webhooks/:id/test-events */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentTestEvent } from '../../admin/events/test-events.ts';
import { eventStates, type EventState } from '../../domain/events/event.ts';
import { listQuery, presentPage, parsePaging } from '../requests/query.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  payload,
  text,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/webhooks/:id/test-events';

const testEvent = strictObject({
  eventId: id,
  version: Type.Integer(),
  deliver: Type.Boolean({ description: 'Whether an outside channel is told of it.' }),
  externalId: nullable(text),
  state: Type.Unsafe<EventState>({ type: 'string', enum: [...eventStates] }),
  reason: nullable(text),
  receivedAt: time,
  finishedAt: nullable(time),
  effects: nullable(strictObject({ contactId: id, chatId: id, messageId: id })),
  problems: Type.Array(strictObject({ target: text, code: text, message: text })),
  items: nullable(count),
});

const one = resource({ answer: testEvent, present: presentTestEvent });

const sortable = { receivedAt: 'receivedAt' };
const params = strictObject({ id, eventId: id });

type Parts = Pick<Admin, 'testEvents' | 'webhooks'>;

export const testEventRoutes = ({ testEvents, webhooks }: Admin): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    reach: webhookOfPath,
    summary:
      'Process a payload as a test under any version, the newest by default: it makes a contact, a chat and a message that are marked, and meets nobody real',
    status: 201,
    params: idParams,
    exists: (named) => webhooks.get(named.id),
    body: strictObject({
      payload: Type.Optional(payload),
      sampleId: Type.Optional(id),
      eventId: Type.Optional(id),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      deliver: Type.Optional(
        Type.Boolean({ description: 'Tell the outside channel too, marked as a test; false.' }),
      ),
    }),
    answer: testEvent,
    handle: async ({ params: named, body, caller }) =>
      presentTestEvent(await testEvents.create(named.id, body, caller)),
  }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    reach: webhookOfPath,
    summary: 'List the test events of a webhook',
    params: idParams,
    exists: (named) => webhooks.get(named.id),
    query: listQuery(Object.keys(sortable), {}),
    answer: pageSchema(testEvent),
    handle: async ({ params: named, query }) => {
      const wanted = parsePaging(query, sortable, '-receivedAt');
      return presentPage(await testEvents.list(named.id, wanted), wanted, presentTestEvent);
    },
  }),
  resourceRoute(one, {
    method: 'GET',
    path: `${path}/:eventId`,
    scope: 'viewer',
    reach: webhookOfPath,
    summary: 'Read what became of a test event',
    params,
    handle: ({ params: named }) => testEvents.get({ webhookId: named.id, eventId: named.eventId }),
  }),
  ...deletingRoutes({ testEvents, webhooks }),
];

const deletingRoutes = ({ testEvents, webhooks }: Parts): Route[] => [
  route({
    method: 'DELETE',
    path,
    scope: 'operator',
    reach: webhookOfPath,
    summary: 'Delete every test event of a webhook with all that they made; those in hand are left',
    params: idParams,
    exists: (named) => webhooks.get(named.id),
    answer: strictObject({ deleted: count, left: count }),
    handle: ({ params: named, caller }) => testEvents.removeAll(named.id, caller),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:eventId`,
    scope: 'operator',
    reach: webhookOfPath,
    summary: 'Delete a test event with its contact, chat, message and items',
    params,
    exists: (named) => testEvents.get({ webhookId: named.id, eventId: named.eventId }),
    tagOf: one.tagOf,
    answer: strictObject({}),
    handle: async ({ params: named, caller }) => {
      await testEvents.remove({ webhookId: named.id, eventId: named.eventId }, caller);
      return {};
    },
  }),
];
