/** /v1/admin/webhooks/:id/drift */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { seenTypes, warningKinds, type SeenType, type WarningKind } from '../../domain/drift.ts';
import { ofWebhook } from '../reach.ts';
import { route, type Route } from '../route.ts';
import { count, exactly, idParams, orNull, text, time } from '../shapes.ts';

const share = Type.Number({ minimum: 0, maximum: 1, description: 'Of the events.' });
const type = Type.Unsafe<SeenType>({ type: 'string', enum: [...seenTypes] });
const kind = Type.Unsafe<WarningKind>({ type: 'string', enum: [...warningKinds] });

const path = exactly({
  path: text,
  types: Type.Array(exactly({ type, share })),
  presence: share,
  lastSeenAt: time,
  mapped: Type.Boolean({ description: 'Whether the active mapping reads it.' }),
});

const warning = exactly({
  kind,
  target: orNull(text),
  path: orNull(text),
  since: time,
  before: share,
  after: share,
  events: count,
  types: orNull(exactly({ before: type, after: type })),
  message: text,
});

export const driftRoutes = ({ drift, webhooks }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/webhooks/:id/drift',
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'See what the sender sends, and what of it changed under the active mapping',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    answer: exactly({
      observedSince: orNull(time),
      events: count,
      ignored: count,
      complete: Type.Boolean({ description: 'False where there are more paths than are kept.' }),
      paths: Type.Array(path),
      warnings: Type.Array(warning),
    }),
    handle: ({ params, language }) => drift(params.id, language),
  }),
];
