/** /v1/admin/webhooks */
import { Type, type Static, type TObject } from 'typebox';
import { producerNames } from '../samples/payload.ts';
import type { Caller } from '../../domain/access/token.ts';
import { noticeRules } from '../../domain/notices/rules.ts';
import {
  webhookFields,
  webhookStatuses,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../../http/requests/query.ts';
import { requireChannelAccess } from '../../http/auth/authorization.ts';
import { WithEtag } from '../../http/requests/etag.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  changeObject,
  count,
  strictObject,
  id,
  nullable,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { version } from '../mappings/mapping-routes.ts';
import { settingsView } from './setting-routes.ts';
import type { ApiContext } from '../context.ts';
import { webhook, webhookRecord } from './webhook-view.ts';
import {
  archiveWebhook,
  countWebhooks,
  createWebhook,
  listConfigurations,
  pauseWebhook,
  changeWebhook,
  restoreWebhook,
  resumeWebhook,
  type WebhookConfiguration,
  type WebhookTransition,
} from './webhooks.ts';
import { listWebhooks } from '../../store/webhooks/webhooks.ts';

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

const filterOf = (query: Static<TObject<typeof filters>>, { restriction }: Caller) => ({
  ...query,
  id: restriction?.webhookIds,
  ...parseDateRange(query),
});

/** What the lists of webhooks have in common. */
const listOptions = {
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

export const webhookRoutes = (ctx: ApiContext): Route[] => [
  configurationsRoute(ctx),
  ...readingRoutes(ctx),
  route({
    method: 'POST',
    path,
    scope: 'operator',
    restriction: 'narrowed',
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook; only this response contains its URL and key',
    status: 201,
    body: strictObject({
      ...webhookFields.properties,
      channelId: id,
      producerProfile: Type.Optional(profile),
    }),
    answer: newWebhook,
    handle: async ({ body, caller, language, baseUrl }) => {
      requireChannelAccess(caller, body.channelId);
      const { webhook: made, key } = await createWebhook(ctx, body, caller);
      const { data, tag } = webhook.show(made, language);
      return new WithEtag({ ...data, url: `${baseUrl}/v1/webhook/${key}`, key }, tag);
    },
  }),
  ...oneWebhookRoutes(ctx),
];

const readingRoutes = (ctx: ApiContext): Route[] => [
  listRoute(webhook, {
    ...listOptions,
    path,
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    list: ({ query, caller }, page) => listWebhooks(ctx, filterOf(query, caller), page),
  }),
  route({
    method: 'GET',
    path: `${path}/counts`,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'countWebhooks',
    tag: 'Webhooks',
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
    handle: ({ query, caller }) => countWebhooks(ctx, filterOf(query, caller)),
  }),
];

function oneWebhookRoutes(ctx: ApiContext): Route[] {
  const one = webhookRecord(ctx);
  type Named = { readonly operationId: string; readonly summary: string };
  const transition = (verb: string, named: Named, change: WebhookTransition) =>
    one.act(verb, {
      scope: 'operator',
      tag: 'Webhooks',
      ...named,
      handle: ({ params, caller }) => change(ctx, params.id, caller),
    });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getWebhook',
      tag: 'Webhooks',
      schemaName: 'Webhook',
      summary: 'Read a webhook',
    }),
    one.change({
      scope: 'operator',
      operationId: 'updateWebhook',
      tag: 'Webhooks',
      summary: 'Rename a webhook or change its channel',
      body: changeObject({ ...webhookFields.properties, channelId: id }),
      handle: ({ params, body, caller }) => {
        requireChannelAccess(caller, body.channelId);
        return changeWebhook(ctx, { ...body, ...params }, caller);
      },
    }),
    transition(
      'pause',
      { operationId: 'pauseWebhook', summary: 'Pause an active webhook: new events are held' },
      pauseWebhook,
    ),
    transition(
      'resume',
      {
        operationId: 'resumeWebhook',
        summary: 'Resume a paused webhook: held events are processed',
      },
      resumeWebhook,
    ),
    transition(
      'archive',
      {
        operationId: 'archiveWebhook',
        summary:
          'Archive a webhook: its keys are rejected, its history stays, and held events stay held',
      },
      archiveWebhook,
    ),
    one.act('restore', {
      scope: 'operator',
      operationId: 'restoreWebhook',
      tag: 'Webhooks',
      summary:
        'Restore an archived webhook: paused if it was ever active, otherwise in its former setup state; keys that are neither revoked nor expired become valid again',
      body: strictObject({
        channelId: Type.Optional({
          ...id,
          description: 'Another channel, for example if the former one was deleted.',
        }),
      }),
      handle: ({ params, body, caller }) => {
        requireChannelAccess(caller, body.channelId);
        return restoreWebhook(ctx, { ...body, ...params }, caller);
      },
    }),
  ];
}

const { field, view } = viewsOf<WebhookConfiguration>();
const configuration = view({
  webhook: field(webhook.answer, (record, language) => webhook.present(record.webhook, language)),
  settings: field(settingsView.answer, (record) => settingsView.present(record.webhook)),
  noticeRules: field(noticeRules, (record) => record.noticeRules),
  active: field(nullable(version.answer), ({ active }) => active && version.present(active)),
  newest: field(nullable(version.answer), ({ newest }) => newest && version.present(newest)),
});

/** A mapping can be large. */
const maxPerPage = 50;

const configurationsRoute = (ctx: ApiContext): Route =>
  listRoute(configuration, {
    ...listOptions,
    path: `${path}/configurations`,
    operationId: 'listWebhookConfigurations',
    tag: 'Webhooks',
    schemaName: 'WebhooksConfiguration',
    summary:
      'List webhooks with their settings, own rules of notices, and active and newest mapping',
    filters: {
      ...listOptions.filters,
      per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPerPage, default: 10 })),
    },
    list: ({ query, caller }, page) => listConfigurations(ctx, filterOf(query, caller), page),
  });
