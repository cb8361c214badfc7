/** /v1/admin/webhooks/:id/keys */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import {
  defaultOverlapHours,
  maxOverlapHours,
  type PathKey,
} from '../../domain/webhooks/webhook.ts';
import { listQuery, presentPage, parsePaging } from '../requests/query.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { route, type Route } from '../routing/route.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
import {
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  text,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/webhooks/:id/keys';

const uses = Type.Integer({
  minimum: 0,
  description: 'Requests with this key, delayed by seconds.',
});
const usesSinceRotation = Type.Integer({
  minimum: 0,
  description: 'Of `uses`, those since the webhook’s keys were last rotated.',
});
const field = fieldOf<PathKey>();
const key = createView({
  id: field(id, ({ _id }) => _id),
  lastFour: field(text, ({ lastFour }) => lastFour),
  createdAt: field(time, ({ createdAt }) => createdAt.toISOString()),
  expiresAt: field(nullable(time), ({ expiresAt }) => isoDate(expiresAt)),
  revokedAt: field(nullable(time), ({ revokedAt }) => isoDate(revokedAt)),
  uses: field(uses, (record) => record.uses ?? 0),
  usesSinceRotation: field(
    usesSinceRotation,
    (record) => (record.uses ?? 0) - (record.usesBefore ?? 0),
  ),
  lastUsedAt: field(nullable(time), ({ lastUsedAt }) => isoDate(lastUsedAt)),
});

const sortable = { createdAt: 'createdAt' };

export const keyRoutes = ({ keys, webhooks }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'List the path keys of a webhook and their use',
    params: idParams,
    find: (params) => webhooks.get(params.id),
    query: listQuery(Object.keys(sortable), {}),
    answer: pageSchema(key.answer),
    handle: async ({ params, query }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      return presentPage(await keys.list(params.id, wanted), wanted, key.present);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/rotate`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Create a path key, shown only once; older keys remain valid until the overlap ends',
    status: 201,
    params: idParams,
    find: (params) => webhooks.get(params.id),
    body: strictObject({
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: maxOverlapHours,
          default: defaultOverlapHours,
          description: '0: older keys are revoked at once.',
        }),
      ),
      expiresAt: Type.Optional(nullable(time)),
    }),
    allowsEmptyBody: true,
    answer: strictObject({
      id,
      url: text,
      key: text,
      previousExpiresAt: nullable({
        ...time,
        description: 'When the older keys expire.',
      }),
    }),
    handle: async ({ params, body, caller, baseUrl }) => {
      const { overlapHours } = body;
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      const made = await keys.rotate(params.id, { overlapHours, expiresAt }, caller);
      const { key: stored, previousExpiresAt } = made.rotation;
      return {
        id: stored._id,
        url: `${baseUrl}/v1/webhook/${made.key}`,
        key: made.key,
        previousExpiresAt: previousExpiresAt?.toISOString() ?? null,
      };
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/:keyId`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Revoke a path key; a webhook without a key rejects every request until a rotation',
    params: strictObject({ id, keyId: id }),
    find: (params) => keys.get(params.id, params.keyId),
    answer: key.answer,
    handle: async ({ params, caller }) =>
      key.present(await keys.revoke(params.id, params.keyId, caller)),
  }),
];
