/** /v1/admin/webhooks/:id/activate, /schedule and /rollback: activation of mapping versions. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { WithEtag } from '../requests/etag.ts';
import { parseDate } from '../requests/query.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import { strictObject, idParams } from '../routing/schemas.ts';
import { schedule, webhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks/:id';

const overlap = {
  dedupOverlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_160,
      description:
        'How long resends are still known as the version before knew them, where that differs; 0 if it was wrong. As the settings say, unless it is given.',
    }),
  ),
};

export const activationFields = {
  processSamples: Type.Optional(
    Type.Boolean({ description: 'Turn the kept samples into events; asking twice does it once.' }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Not now, but then; another activation or archiving takes this away.',
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

export const activationRoutes = (admin: Admin): Route[] => [
  resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/activate`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Activate a mapping version (the newest by default) and the webhook with it, now or at a time',
    params: idParams,
    find: (params) => admin.webhooks.get(params.id),
    body: activationBody,
    allowsEmptyBody: true,
    handle: ({ params, body, caller }) => admin.activate(params.id, parseActivation(body), caller),
  }),
  resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/rollback`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Make the version active again that was before this one; once more goes one further back',
    params: idParams,
    find: (params) => admin.webhooks.get(params.id),
    body: strictObject(overlap),
    allowsEmptyBody: true,
    handle: ({ params, body, caller }) => admin.rollback(params.id, body, caller),
  }),
  route({
    method: 'GET',
    path: `${path}/schedule`,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read which version is to be activated, and when',
    params: idParams,
    find: (params) => admin.webhooks.get(params.id),
    answer: schedule.answer,
    etagOf: webhook.etagOf,
    handle: async ({ params }) => {
      const found = await admin.schedules.get(params.id);
      // The webhook's: by that one the schedule is taken back.
      return new WithEtag(schedule.present(found.schedule), webhook.etagOf(found.webhook), false);
    },
  }),
  resourceRoute(webhook, {
    method: 'DELETE',
    path: `${path}/schedule`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Take back an activation that was to happen at a time',
    params: idParams,
    find: async (params) => (await admin.schedules.get(params.id)).webhook,
    handle: ({ params, caller }) => admin.schedules.cancel(params.id, caller),
  }),
];
