/** /v1/admin/webhooks */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentWebhook } from '../../admin/webhooks.ts';
import { producerNames } from '../../admin/payload.ts';
import type { Actor } from '../../domain/audit.ts';
import { webhookStatuses, type Webhook, type WebhookStatus } from '../../domain/webhook.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import { exactly, id, idParams, name, orNull, page, text, time } from '../shapes.ts';

const path = '/v1/admin/webhooks';
const status = Type.Unsafe<WebhookStatus>({ type: 'string', enum: [...webhookStatuses] });
const profile = Type.Unsafe<string>({ type: 'string', enum: [...producerNames] });

const fields = {
  id,
  name,
  channelId: id,
  producerProfile: text,
  status,
  statusLabel: Type.String({ description: 'The status in the caller’s language, for people.' }),
  setup: exactly({
    sample: Type.Boolean(),
    mapping: Type.Boolean(),
    active: Type.Boolean(),
    next: Type.Unsafe<'sample' | 'mapping' | 'activation' | null>({
      enum: ['sample', 'mapping', 'activation', null],
    }),
  }),
  activeVersion: orNull(Type.Integer()),
  createdAt: time,
  updatedAt: time,
};
export const webhook = exactly(fields);
const newWebhook = exactly({
  ...fields,
  url: Type.String({ description: 'The whole secret URL, shown this once.' }),
  key: Type.String({ description: 'The path key, shown this once.' }),
});

const sortable = {
  name: 'name',
  status: 'status',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};
const filters = {
  name: several(word),
  channelId: several(id),
  status: several(status),
  producerProfile: several(word),
  ...dates,
};

export const webhookRoutes = (admin: Admin): Route[] => [
  ...readingRoutes(admin),
  route({
    method: 'POST',
    path,
    scope: 'operator',
    summary: 'Make a webhook; the answer is the only one with its URL and key',
    status: 201,
    body: exactly({ name, channelId: id, producerProfile: Type.Optional(profile) }),
    answer: newWebhook,
    handle: async ({ body, caller, language, baseUrl }) => {
      const { webhook: made, key } = await admin.webhooks.create(body, caller);
      return { ...presentWebhook(made, language), url: `${baseUrl}/v1/webhook/${key}`, key };
    },
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'operator',
    summary: 'Rename a webhook, or give it another channel',
    params: idParams,
    exists: ({ id: webhookId }) => admin.webhooks.get(webhookId),
    body: Type.Object(
      { name: Type.Optional(name), channelId: Type.Optional(id) },
      { additionalProperties: false, minProperties: 1 },
    ),
    answer: webhook,
    handle: async ({ params, body, caller, language }) =>
      presentWebhook(await admin.webhooks.rename(params.id, body, caller), language),
  }),
  transition(admin, 'pause'),
  transition(admin, 'resume'),
  transition(admin, 'archive'),
  activation(admin),
];

const readingRoutes = (admin: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary: 'List webhooks',
    query: listQuery(Object.keys(sortable), filters),
    answer: page(webhook),
    handle: async ({ query, language }) => {
      const wanted = pageOf(query, sortable, '-createdAt');
      const found = await admin.webhooks.list({ ...query, ...rangeOf(query) }, wanted);
      return paged(found, wanted, (one) => presentWebhook(one, language));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    summary: 'Read a webhook',
    params: idParams,
    answer: webhook,
    handle: async ({ params, language }) =>
      presentWebhook(await admin.webhooks.get(params.id), language),
  }),
];

const summaries = {
  pause: 'Pause an active webhook: what arrives is held',
  resume: 'Resume a paused webhook: what was held is processed',
  archive:
    'Archive a webhook for good: its key is refused from now on, and what it holds stays held',
} as const;

function transition(admin: Admin, verb: keyof typeof summaries): Route {
  const change: (id: string, actor: Actor) => Promise<Webhook> = admin.webhooks[verb];
  return route({
    method: 'POST',
    path: `${path}/:id/${verb}`,
    scope: 'operator',
    summary: summaries[verb],
    params: idParams,
    exists: (params) => admin.webhooks.get(params.id),
    body: exactly({}),
    action: true,
    answer: webhook,
    handle: async ({ params, caller, language }) =>
      presentWebhook(await change(params.id, caller), language),
  });
}

const activation = (admin: Admin): Route =>
  route({
    method: 'POST',
    path: `${path}/:id/activate`,
    scope: 'operator',
    summary: 'Activate a mapping version (the newest by default) and the webhook with it',
    params: idParams,
    exists: (params) => admin.webhooks.get(params.id),
    body: exactly({
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      processSamples: Type.Optional(
        Type.Boolean({
          description: 'Turn the kept samples into events; asking twice does it once.',
        }),
      ),
    }),
    action: true,
    answer: webhook,
    handle: async ({ params, body, caller, language }) =>
      presentWebhook(await admin.activate(params.id, body, caller), language),
  });
