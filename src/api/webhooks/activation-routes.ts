/** /v1/admin/webhooks/:id/activate, /schedule and /rollback: activation of mapping versions. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { WithEtag } from '../../http/requests/etag.ts';
import { parseDate } from '../../http/requests/query.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { resourceRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { flag, strictObject, idParams } from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { activateVersion, rollbackVersion } from './activation.ts';
import { cancelSchedule, readSchedule } from './scheduled-activations.ts';
import { ofWebhook, schedule, webhook, webhookRecord } from './webhook-view.ts';

const path = '/v1/admin/webhooks/:id';

const overlap = {
  dedupOverlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_160,
      description:
        'Hours in which the event id recipe of the previous version still recognises resends, if the recipes differ; 0 if the previous recipe was wrong. Default: the settings.',
    }),
  ),
};

export const activationFields = {
  processSamples: flag('Turns the kept samples into events; repeats have no effect.'),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Activates at this time; another activation or archiving cancels it.',
    }),
  ),
  ...overlap,
};

const activationBody = strictObject({
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  ...activationFields,
});

/** Returns the activation that the body describes, with its time as a date. */
export function parseActivation({ at, ...rest }: Static<typeof activationBody>) {
  const date = at === undefined ? null : parseDate(at, 'begin');
  return { ...rest, ...(date && { at: date }) };
}

export const activationRoutes = (ctx: ApiContext): Route[] => [
  webhookRecord(ctx).act('activate', {
    scope: 'operator',
    operationId: 'activateWebhook',
    tag: 'Webhooks',
    summary:
      'Activate a mapping version (default: the newest) and the webhook, now or at a given time',
    body: activationBody,
    handle: ({ params, body, caller }) =>
      activateVersion(ctx, { ...parseActivation(body), ...params }, caller),
  }),
  webhookRecord(ctx).act('rollback', {
    scope: 'operator',
    operationId: 'rollbackWebhook',
    tag: 'Webhooks',
    summary: 'Activate the previous version again; repeated calls go further back',
    body: strictObject(overlap),
    handle: ({ params, body, caller }) => rollbackVersion(ctx, { ...body, ...params }, caller),
  }),
  route({
    method: 'GET',
    path: `${path}/schedule`,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'getWebhookSchedule',
    tag: 'Webhooks',
    summary: 'Read the scheduled activation',
    answer: schedule.answer,
    etagOf: webhook.etagOf,
    handle: async ({ params }) => {
      const found = await readSchedule(ctx, params.id);
      // The webhook's: by that one the schedule is taken back.
      return new WithEtag(schedule.present(found.schedule), webhook.etagOf(found.webhook), {
        isWhole: false,
      });
    },
  }),
  resourceRoute(webhook, {
    method: 'DELETE',
    path: `${path}/schedule`,
    scope: 'operator',
    restriction: webhookOfPath,
    operationId: 'deleteWebhookSchedule',
    tag: 'Webhooks',
    summary: 'Cancel the scheduled activation',
    params: idParams,
    find: async (params) => (await readSchedule(ctx, params.id)).webhook,
    handle: ({ params, caller }) => cancelSchedule(ctx, params.id, caller),
  }),
];
