/** /v1/admin/webhooks/:id/drift */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import {
  seenTypes,
  warningKinds,
  type SeenType,
  type WarningKind,
} from '../../domain/mappings/drift.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { route, type Route } from '../routing/route.ts';
import { count, strictObject, idParams, nullable, text, time } from '../routing/schemas.ts';

const share = Type.Number({ minimum: 0, maximum: 1, description: 'Share of the events.' });
const type = Type.Unsafe<SeenType>({ type: 'string', enum: [...seenTypes] });
const kind = Type.Unsafe<WarningKind>({ type: 'string', enum: [...warningKinds] });

const path = strictObject({
  path: text,
  types: Type.Array(strictObject({ type, share })),
  presence: share,
  lastSeenAt: time,
  mapped: Type.Boolean({ description: 'Whether the active mapping reads it.' }),
});

const warning = strictObject({
  kind,
  target: nullable(text),
  path: nullable(text),
  since: time,
  before: share,
  after: share,
  events: count,
  types: nullable(strictObject({ before: type, after: type })),
  message: text,
});

export const driftRoutes = ({ drift, webhooks }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/webhooks/:id/drift',
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read the observed payload paths and the changes that affect the active mapping',
    params: idParams,
    find: (params) => webhooks.get(params.id),
    answer: strictObject({
      observedSince: nullable(time),
      events: count,
      ignored: count,
      complete: Type.Boolean({ description: 'False if there are more paths than are recorded.' }),
      paths: Type.Array(path),
      warnings: Type.Array(warning),
    }),
    handle: ({ params, language }) => drift(params.id, language),
  }),
];
