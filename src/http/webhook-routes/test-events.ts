/** /v1/admin/webhooks/:id/test-events */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { eventStates, type EventRecord } from '../../domain/events/event.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { localizeMessages } from '../localize-messages.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { listRoute } from '../routing/list.ts';
import { route, type Route } from '../routing/route.ts';
import { viewsOf } from '../routing/view.ts';
import {
  nothing,
  count,
  strictObject,
  id,
  mappingProblems,
  nullable,
  payload,
  text,
  time,
  stringEnum,
} from '../routing/schemas.ts';
import { ofWebhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks/:id/test-events';

const { field, view } = viewsOf<EventRecord>();
const testEvent = view({
  eventId: field(id, ({ _id }) => _id),
  version: field(Type.Integer(), ({ mappingVersion }) => mappingVersion),
  deliver: field(
    Type.Boolean({ description: 'Whether it is delivered to an external channel.' }),
    ({ test }) => test?.delivers === true,
  ),
  externalId: nullable(text),
  state: stringEnum(eventStates),
  reason: nullable(text),
  receivedAt: time,
  finishedAt: nullable(time),
  effects: nullable(strictObject({ contactId: id, chatId: id, messageId: id })),
  problems: field(mappingProblems, ({ problems }, language) =>
    localizeMessages(problems, language),
  ),
  items: nullable(count),
});
const testEventResource = resource(testEvent);

const params = strictObject({ id, eventId: id });

type Parts = Pick<Admin, 'testEvents' | 'webhooks'>;

export const testEventRoutes = ({ testEvents, webhooks }: Admin): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    ...ofWebhook(webhooks),
    summary:
      'Process a payload as a test event under any version (default: the newest); its contact, chat and message are marked as tests',
    status: 201,
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
    handle: async ({ params: named, body, caller, language }) =>
      testEvent.present(await testEvents.create(named.id, body, caller), language),
  }),
  listRoute(testEvent, {
    path,
    scope: 'viewer',
    ...ofWebhook(webhooks),
    summary: 'List the test events of a webhook',
    sortable: { receivedAt: 'receivedAt' },
    sortBy: '-receivedAt',
    list: ({ params: named }, page) => testEvents.list(named.id, page),
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
    ...ofWebhook(webhooks),
    summary:
      'Delete the test events of a webhook with their effects, up to 500; `left` counts those that stay: in progress, or for the next request',
    answer: strictObject({ deleted: count, left: count }),
    handle: ({ params: named, caller, signal }) => testEvents.removeAll(named.id, caller, signal),
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
    answer: nothing,
    handle: ({ params: named, caller }) =>
      testEvents.remove({ webhookId: named.id, eventId: named.eventId }, caller),
  }),
];
