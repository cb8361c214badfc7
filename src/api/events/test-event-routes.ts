/** /v1/admin/webhooks/:id/test-events */
import { Type } from 'typebox';
import { effectIdsOf, eventStates, type EventRecord } from '../../domain/events/event.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { listRoute, recordRoutes } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  flag,
  count,
  strictObject,
  id,
  mappingProblems,
  nullable,
  payload,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { showProblems } from './event-view.ts';
import { createTestEvent, removeTestEvent, removeTestEvents } from './test-events.ts';
import { ofWebhook } from '../webhooks/webhook-view.ts';
import { effectIds } from './event-view.ts';

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
  effects: field(effectIds, effectIdsOf),
  problems: field(mappingProblems, ({ problems }, language) => showProblems(problems, language)),
  items: nullable(count),
});

export const testEventRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    ...ofWebhook(ctx),
    operationId: 'createWebhookTestEvent',
    tag: 'Test events',
    summary:
      'Process a payload as a test event under any version (default: the newest); its contact, chat and message are marked as tests',
    status: 201,
    body: strictObject({
      payload: Type.Optional(payload),
      sampleId: Type.Optional(id),
      eventId: Type.Optional(id),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      deliver: flag('Also delivers it to the external channel, marked as a test; default: false.'),
    }),
    answer: testEvent.answer,
    handle: async ({ params, body, caller, language }) =>
      testEvent.present(
        await createTestEvent(ctx, { ...body, webhookId: params.id }, caller),
        language,
      ),
  }),
  listRoute(testEvent, {
    path,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'listWebhookTestEvents',
    tag: 'Test events',
    summary: 'List the test events of a webhook',
    sortable: { receivedAt: 'receivedAt' },
    sortBy: '-receivedAt',
    list: ({ params }, page) => ctx.testEvents.list(params.id, page),
  }),
  route({
    method: 'DELETE',
    path,
    scope: 'operator',
    ...ofWebhook(ctx),
    operationId: 'deleteWebhookTestEvents',
    tag: 'Test events',
    summary:
      'Delete the test events of a webhook with their effects, up to 500; `left` counts those that stay: in progress, or for the next request',
    answer: strictObject({ deleted: count, left: count }),
    handle: ({ params, caller, signal }) =>
      removeTestEvents(ctx, { webhookId: params.id, signal }, caller),
  }),
  ...oneTestEventRoutes(ctx),
];

type Params = { readonly id: string; readonly eventId: string };
const keyOf = ({ id: webhookId, eventId }: Params) => ({ webhookId, eventId });

function oneTestEventRoutes(ctx: ApiContext): Route[] {
  const one = recordRoutes(testEvent, {
    path: `${path}/:eventId`,
    params: strictObject({ id, eventId: id }),
    restriction: webhookOfPath,
    find: (params) => ctx.testEvents.get({ _id: params.eventId, webhookId: params.id }),
  });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getWebhookTestEvent',
      tag: 'Test events',
      schemaName: 'WebhookTestEvent',
      summary: 'Read a test event and its result',
    }),
    one.remove({
      scope: 'operator',
      operationId: 'deleteWebhookTestEvent',
      tag: 'Test events',
      summary: 'Delete a test event with its contact, chat, message and items',
      handle: ({ params, caller }) => removeTestEvent(ctx, keyOf(params), caller),
    }),
  ];
}
