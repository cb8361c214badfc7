/** /v1/admin/webhooks/:id/test-events */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { eventStates, type EventRecord, type EventState } from '../../domain/events/event.ts';
import { listQuery, presentPage, parsePaging } from '../requests/query.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
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

const effectIds = strictObject({ contactId: id, chatId: id, messageId: id });
const problem = strictObject({ target: text, code: text, message: text });
const field = fieldOf<EventRecord>();
const testEvent = createView({
  eventId: field(id, ({ _id }) => _id),
  version: field(Type.Integer(), ({ mappingVersion }) => mappingVersion),
  deliver: field(
    Type.Boolean({ description: 'Whether it is delivered to an external channel.' }),
    ({ test }) => test?.delivers === true,
  ),
  externalId: field(nullable(text), ({ externalId }) => externalId),
  state: field(
    Type.Unsafe<EventState>({ type: 'string', enum: [...eventStates] }),
    ({ state }) => state,
  ),
  reason: field(nullable(text), ({ reason }) => reason),
  receivedAt: field(time, ({ receivedAt }) => receivedAt.toISOString()),
  finishedAt: field(nullable(time), ({ finishedAt }) => isoDate(finishedAt)),
  effects: field(
    nullable(effectIds),
    ({ effects }) =>
      effects && {
        contactId: effects.contactId,
        chatId: effects.chatId,
        messageId: effects.messageId,
      },
  ),
  problems: field(Type.Array(problem), ({ problems }) =>
    problems.map(({ target, code, message }) => ({ target, code, message })),
  ),
  items: field(nullable(count), ({ items }) => items),
});
const testEventResource = resource(testEvent);

const sortable = { receivedAt: 'receivedAt' };
const params = strictObject({ id, eventId: id });

type Parts = Pick<Admin, 'testEvents' | 'webhooks'>;

export const testEventRoutes = ({ testEvents, webhooks }: Admin): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Process a payload as a test event under any version (default: the newest); its contact, chat and message are marked as tests',
    status: 201,
    params: idParams,
    find: (named) => webhooks.get(named.id),
    body: strictObject({
      payload: Type.Optional(payload),
      sampleId: Type.Optional(id),
      eventId: Type.Optional(id),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      deliver: Type.Optional(
        Type.Boolean({
          description:
            'Also delivers it to the external channel, marked as a test; default: false.',
        }),
      ),
    }),
    answer: testEvent.answer,
    handle: async ({ params: named, body, caller }) =>
      testEvent.present(await testEvents.create(named.id, body, caller)),
  }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'List the test events of a webhook',
    params: idParams,
    find: (named) => webhooks.get(named.id),
    query: listQuery(Object.keys(sortable), {}),
    answer: pageSchema(testEvent.answer),
    handle: async ({ params: named, query }) => {
      const wanted = parsePaging(query, sortable, '-receivedAt');
      return presentPage(await testEvents.list(named.id, wanted), wanted, testEvent.present);
    },
  }),
  resourceRoute(testEventResource, {
    method: 'GET',
    path: `${path}/:eventId`,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read a test event and its result',
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
    restriction: webhookOfPath,
    summary: 'Delete all test events of a webhook with their effects; those in progress stay',
    params: idParams,
    find: (named) => webhooks.get(named.id),
    answer: strictObject({ deleted: count, left: count }),
    handle: ({ params: named, caller }) => testEvents.removeAll(named.id, caller),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:eventId`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Delete a test event with its contact, chat, message and items',
    params,
    find: (named) => testEvents.get({ webhookId: named.id, eventId: named.eventId }),
    etagOf: testEventResource.etagOf,
    answer: strictObject({}),
    handle: async ({ params: named, caller }) => {
      await testEvents.remove({ webhookId: named.id, eventId: named.eventId }, caller);
      return {};
    },
  }),
];
