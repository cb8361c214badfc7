/** /v1/admin/webhooks/:id/keys, and /register, which tells the service of the channel where to post. */
import { Type } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import {
  defaultKeyOverlapHours,
  maxOverlapHours,
  type PathKey,
} from '../../domain/webhooks/webhook.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  emptyBody,
  strictObject,
  stringEnum,
  id,
  idParams,
  nullable,
  text,
  time,
  timeText,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { importPathKey, maxExportedKeys, revokePathKey, rotatePathKey } from './path-keys.ts';
import { registerWebhook } from './registration.ts';
import { checkWebhookSettings } from './setting-routes.ts';
import { ofWebhook } from './webhook-view.ts';
import { listValidKeys, listKeys, getKey } from '../../store/webhooks/keys.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

const path = '/v1/admin/webhooks/:id/keys';

const uses = Type.Integer({
  minimum: 0,
  description: 'Requests with this key, delayed by seconds.',
});
const usesSinceRotation = Type.Integer({
  minimum: 0,
  description: 'Of `uses`, those since the webhook’s keys were last rotated.',
});
const { field, view } = viewsOf<PathKey>();
const key = view({
  id,
  lastFour: text,
  createdAt: time,
  expiresAt: nullable(time),
  revokedAt: nullable(time),
  uses,
  usesSinceRotation: field(usesSinceRotation, (record) => record.uses - record.usesBefore),
  lastUsedAt: nullable(time),
});

const hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'The SHA-256 of the key, in hexadecimal.',
});
const lastFour = Type.String({
  pattern: '^[A-Za-z0-9_-]{4}$',
  description: 'The last four characters of the key, for people.',
});

/** An import moves a webhook to another installation without a new URL: its senders keep the key, which no installation knows. */
const importRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: `${path}/hashes`,
    scope: 'admin',
    ...ofWebhook(ctx),
    operationId: 'getWebhookKeyHashes',
    tag: 'Keys',
    summary: 'List the hashes of the valid path keys of a webhook, to import them elsewhere',
    answer: strictObject({
      keys: Type.Array(strictObject({ hash, lastFour: text, expiresAt: nullable(time) }), {
        maxItems: maxExportedKeys,
        description: 'The newest first.',
      }),
    }),
    handle: async ({ params }) => {
      const keys = await listValidKeys(ctx, params.id, {
        now: ctx.clock.now(),
        limit: maxExportedKeys,
      });
      return {
        keys: keys.map((one) => ({
          hash: one.hash,
          lastFour: one.lastFour,
          expiresAt: one.expiresAt,
        })),
      };
    },
  }),
  route({
    method: 'POST',
    path,
    scope: 'admin',
    ...ofWebhook(ctx),
    operationId: 'importWebhookKey',
    tag: 'Keys',
    summary:
      'Import a path key of another installation by its hash, so that its URL works here; other keys stay valid',
    status: 201,
    body: strictObject({ hash, lastFour, expiresAt: Type.Optional(nullable(timeText)) }),
    answer: key.answer,
    handle: async ({ params, body, caller }) => {
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      const imported = { ...body, webhookId: params.id, expiresAt };
      return key.present(await importPathKey(ctx, imported, caller));
    },
  }),
];

export const keyRoutes = (ctx: ApiContext): Route[] => [
  // Before the route of one key, whose path matches it.
  ...importRoutes(ctx),
  listRoute(key, {
    path,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'listWebhookKeys',
    tag: 'Keys',
    schemaName: 'WebhookKey',
    summary: 'List the path keys of a webhook and their use',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    list: ({ params }, page) => listKeys(ctx, params.id, page),
  }),
  route({
    method: 'POST',
    path: `${path}/rotate`,
    scope: 'operator',
    ...ofWebhook(ctx),
    operationId: 'rotateWebhookKeys',
    tag: 'Keys',
    summary: 'Create a path key, shown only once; older keys remain valid until the overlap ends',
    status: 201,
    body: strictObject({
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxOverlapHours,
          default: defaultKeyOverlapHours,
          description: '0: older keys are revoked at once.',
        }),
      ),
      expiresAt: Type.Optional(nullable(timeText)),
    }),
    allowsEmptyBody: true,
    answer: strictObject({
      id,
      url: text,
      key: text,
      previousExpiresAt: nullable({ ...time, description: 'When the older keys expire.' }),
    }),
    handle: async ({ params, body, caller, baseUrl }) => {
      const { overlapHours } = body;
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      const rotation = { webhookId: params.id, overlapHours, expiresAt };
      const made = await rotatePathKey(ctx, rotation, caller);
      const { key: stored, previousExpiresAt } = made.rotation;
      return {
        id: stored._id,
        url: `${baseUrl}/v1/webhook/${made.key}`,
        key: made.key,
        previousExpiresAt: previousExpiresAt ?? null,
      };
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/:keyId`,
    scope: 'operator',
    restriction: webhookOfPath,
    operationId: 'deleteWebhookKey',
    tag: 'Keys',
    summary: 'Revoke a path key; a webhook without a key rejects every request until a rotation',
    params: strictObject({ id, keyId: id }),
    find: (params) => getKey(ctx, params.id, params.keyId),
    answer: key.answer,
    handle: async ({ params: { id: webhookId, keyId }, caller }) =>
      key.present(await revokePathKey(ctx, { webhookId, keyId }, caller)),
  }),
  registerRoute(ctx),
];

const registerRoute = (ctx: ApiContext): Route =>
  route({
    method: 'POST',
    path: '/v1/admin/webhooks/:id/register',
    scope: 'operator',
    // The service posts for the whole channel.
    restriction: async ({ id: webhookId }) => {
      const { channelId } = orNotFound(await getWebhook(ctx, webhookId));
      return [{ webhookId }, { channelId }];
    },
    operationId: 'registerWebhook',
    tag: 'Webhooks',
    summary:
      'Register the URL of a webhook, with a new path key and a secret, at the service of its channel',
    params: idParams,
    find: (params) => getWebhook(ctx, params.id),
    ...emptyBody,
    answer: strictObject({
      outcome: stringEnum(['registered', 'failed']),
      reason: nullable(text),
      said: nullable(text),
    }),
    handle: ({ params, caller, baseUrl }) =>
      registerWebhook(ctx, { ...params, baseUrl, check: checkWebhookSettings }, caller),
  });
