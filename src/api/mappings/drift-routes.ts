/** /v1/admin/webhooks/:id/drift */
import { Type } from 'typebox';
import { seenTypes, warningKinds } from '../../domain/mappings/drift.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  count,
  strictObject,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { readDrift } from './drift.ts';
import { ofWebhook } from '../webhooks/webhook-view.ts';
import { renderMessages } from '../../base/texts/texts.ts';

const share = Type.Number({ minimum: 0, maximum: 1, description: 'Share of the events.' });
const type = stringEnum(seenTypes);
const kind = stringEnum(warningKinds);

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

export const driftRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/webhooks/:id/drift',
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'getWebhookDrift',
    tag: 'Drift',
    summary: 'Read the observed payload paths and the changes that affect the active mapping',
    answer: strictObject({
      observedSince: nullable(time),
      events: count,
      ignored: count,
      complete: Type.Boolean({ description: 'False if there are more paths than are recorded.' }),
      paths: Type.Array(path),
      warnings: Type.Array(warning),
    }),
    handle: async ({ params, language }) => {
      const { warnings, ...report } = await readDrift(ctx, params.id);
      return { ...report, warnings: renderMessages(warnings, language) };
    },
  }),
];
