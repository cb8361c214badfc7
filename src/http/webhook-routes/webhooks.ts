/** /v1/admin/webhooks */
import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { producerNames } from '../../admin/payloads/payload.ts';
import type { Caller } from '../../domain/access/token.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  webhookStatuses,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../requests/query.ts';
import { webhookOfPath, requireChannelAccess } from '../auth/authorization.ts';
import { WithEtag } from '../requests/etag.ts';
import { resourceRoute } from '../routing/resource.ts';
import { listRoute } from '../routing/list.ts';
import { route, type Route } from '../routing/route.ts';
import {
  changeObject,
  count,
  emptyBody,
  strictObject,
  id,
  idParams,
  name,
  stringEnum,
} from '../routing/schemas.ts';
import { ofWebhook, webhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks';
const status = stringEnum(webhookStatuses);
const profile = stringEnum(producerNames);

const newWebhook = strictObject({
  ...webhook.answer.properties,
  url: Type.String({ description: 'The secret URL, shown only once.' }),
  key: Type.String({ description: 'The path key, shown only once.' }),
});

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

export const filterOf = (query: Static<TObject<typeof filters>>, { restriction }: Caller) => ({
  ...query,
  id: restriction?.webhookIds,
  ...parseDateRange(query),
});

/** What the lists of webhooks have in common. */
export const listOptions = {
  scope: 'viewer',
  restriction: 'narrowed',
  sortable: {
    // Folded, so that the order is the one that people expect.
    name: 'nameKey',
    status: 'status',
    createdAt: 'createdAt',
    updatedAt: 'updatedAt',
  },
  sortBy: '-createdAt',
  filters,
} as const;

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
    ...ofWebhook(admin.webhooks),
    summary: 'Rename a webhook or change its channel',
    body: changeObject({ name, channelId: id }),
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
  listRoute(webhook, {
    ...listOptions,
    path,
    summary: 'List webhooks',
    list: ({ query, caller }, page) => admin.webhooks.list(filterOf(query, caller), page),
  }),
  route({
    method: 'GET',
    path: `${path}/counts`,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'Count webhooks by status, with the search and filters of the list',
    query: strictObject(filters),
    answer: strictObject({
      total: count,
      byStatus: strictObject(
        Object.fromEntries(webhookStatuses.map((one) => [one, count])) as Record<
          WebhookStatus,
          typeof count
        >,
      ),
    }),
    handle: ({ query, caller }) => admin.webhooks.counts(filterOf(query, caller)),
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
    ...ofWebhook(admin.webhooks),
    summary: summaries[verb],
    ...emptyBody,
    handle: ({ params, caller }) => change(params.id, caller),
  });
}

const restoreRoute = (admin: Admin): Route =>
  resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/:id/restore`,
    scope: 'operator',
    ...ofWebhook(admin.webhooks),
    summary:
      'Restore an archived webhook: paused if it was ever active, otherwise in its former setup state; keys that are neither revoked nor expired become valid again',
    body: strictObject({
      channelId: Type.Optional({
        ...id,
        description: 'Another channel, for example if the former one was deleted.',
      }),
    }),
    allowsEmptyBody: true,
    handle: ({ params, body, caller }) => {
      requireChannelAccess(caller, body.channelId);
      return admin.webhooks.restore(params.id, body, caller);
    },
  });
