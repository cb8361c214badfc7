/** /v1/admin/webhooks */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { producerNames } from '../../admin/payloads/payload.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  webhookStatuses,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { webhookOfPath, requireChannelAccess } from '../auth/authorization.ts';
import { WithEtag } from '../requests/etag.ts';
import { resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import { count, strictObject, id, idParams, name, pageSchema } from '../routing/schemas.ts';
import { webhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks';
const status = Type.Unsafe<WebhookStatus>({ type: 'string', enum: [...webhookStatuses] });
const profile = Type.Unsafe<string>({ type: 'string', enum: [...producerNames] });

const newWebhook = strictObject({
  ...webhook.answer.properties,
  url: Type.String({ description: 'The secret URL, shown only once.' }),
  key: Type.String({ description: 'The path key, shown only once.' }),
});

const sortable = {
  // Folded, so that the order is the one that people expect.
  name: 'nameKey',
  status: 'status',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};
const filters = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      description: 'Words or parts of words of the name; case and accents are ignored.',
    }),
  ),
  name: commaList(filterText),
  channelId: commaList(id),
  status: commaList(status),
  producerProfile: commaList(filterText),
  ...dateRange,
};

export const webhookRoutes = (admin: Admin): Route[] => [
  ...readingRoutes(admin),
  route({
    method: 'POST',
    path,
    scope: 'operator',
    restriction: 'narrowed',
    summary: 'Create a webhook; only this response contains its URL and key',
    status: 201,
    body: strictObject({ name, channelId: id, producerProfile: Type.Optional(profile) }),
    answer: newWebhook,
    handle: async ({ body, caller, language, baseUrl }) => {
      requireChannelAccess(caller, body.channelId);
      const { webhook: made, key } = await admin.webhooks.create(body, caller);
      const { data, tag } = webhook.show(made, language);
      return new WithEtag({ ...data, url: `${baseUrl}/v1/webhook/${key}`, key }, tag);
    },
  }),
  resourceRoute(webhook, {
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Rename a webhook or change its channel',
    params: idParams,
    find: ({ id: webhookId }) => admin.webhooks.get(webhookId),
    body: Type.Object(
      { name: Type.Optional(name), channelId: Type.Optional(id) },
      { additionalProperties: false, minProperties: 1 },
    ),
    handle: ({ params, body, caller }) => {
      requireChannelAccess(caller, body.channelId);
      return admin.webhooks.rename(params.id, body, caller);
    },
  }),
  transition(admin, 'pause'),
  transition(admin, 'resume'),
  transition(admin, 'archive'),
  restoreRoute(admin),
];

const readingRoutes = (admin: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'List webhooks',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(webhook.answer),
    handle: async ({ query, caller, language }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const within = { id: caller.restriction?.webhookIds };
      const found = await admin.webhooks.list(
        { ...query, ...within, ...parseDateRange(query) },
        wanted,
      );
      return presentPage(found, wanted, (one) => webhook.present(one, language));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/counts`,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'Count webhooks by status, with the search and filters of the list',
    query: Type.Object(filters, { additionalProperties: false }),
    answer: strictObject({
      total: count,
      byStatus: strictObject(
        Object.fromEntries(webhookStatuses.map((one) => [one, count])) as Record<
          WebhookStatus,
          typeof count
        >,
      ),
    }),
    handle: ({ query, caller }) =>
      admin.webhooks.counts({
        ...query,
        id: caller.restriction?.webhookIds,
        ...parseDateRange(query),
      }),
  }),
  resourceRoute(webhook, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read a webhook',
    params: idParams,
    handle: ({ params }) => admin.webhooks.get(params.id),
  }),
];

const summaries = {
  pause: 'Pause an active webhook: new events are held',
  resume: 'Resume a paused webhook: held events are processed',
  archive: 'Archive a webhook: its keys are rejected, its history stays, and held events stay held',
} as const;

function transition(admin: Admin, verb: keyof typeof summaries): Route {
  const change: (id: string, actor: Actor) => Promise<Webhook> = admin.webhooks[verb];
  return resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/:id/${verb}`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: summaries[verb],
    params: idParams,
    find: (params) => admin.webhooks.get(params.id),
    body: strictObject({}),
    allowsEmptyBody: true,
    handle: ({ params, caller }) => change(params.id, caller),
  });
}

const restoreRoute = (admin: Admin): Route =>
  resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/:id/restore`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Restore an archived webhook: paused if it was ever active, otherwise in its former setup state; keys that are neither revoked nor expired become valid again',
    params: idParams,
    find: (params) => admin.webhooks.get(params.id),
    body: Type.Object(
      {
        channelId: Type.Optional({
          ...id,
          description: 'Another channel, for example if the former one was deleted.',
        }),
      },
      { additionalProperties: false },
    ),
    allowsEmptyBody: true,
    handle: ({ params, body, caller }) => {
      requireChannelAccess(caller, body.channelId);
      return admin.webhooks.restore(params.id, body, caller);
    },
  });
