/** /v1/admin/webhooks/:id/rejections */
import { Type } from 'typebox';
import { errorText } from '../../base/errors.ts';
import { rejectionCodes } from '../../domain/webhooks/rejection.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { commaList, dateRange, parseDateRange } from '../../http/requests/query.ts';
import { listRoute, recordRoutes } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  count,
  emptyBody,
  id,
  nullable,
  stringEnum,
  strictObject,
  stringMap,
  text,
  time,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { ApiContext } from '../context.ts';
import {
  countRejections,
  listRejections,
  makeEventOfRejection,
  makeSampleOfRejection,
  readRejection,
  removeRejection,
  type RejectionView,
} from './rejections.ts';
import { sample } from './sample-routes.ts';
import { ofWebhook } from '../webhooks/webhook-view.ts';

const path = '/v1/admin/webhooks/:id/rejections';
const code = stringEnum(rejectionCodes);
const unit = stringEnum(['hour', 'day']);

const complete = Type.Boolean({
  description:
    'Whether `body` is the whole body. Only then the request can become a sample or an event.',
});
const { field, view } = viewsOf<RejectionView>();
const rejection = view(
  {
    id,
    receivedAt: time,
    code,
    message: field(text, (record, language) => errorText(record.code, language)),
    detail: nullable(
      Type.String({ description: 'What exactly was wrong, in English; null if `code` says it.' }),
    ),
    address: text,
    contentType: text,
    headers: stringMap,
    query: stringMap,
    bytes: nullable(
      Type.Integer({ minimum: 0, description: 'Length of the body; null if it is unknown.' }),
    ),
    body: nullable(
      Type.String({ description: 'The first 4 kB as text; null if nothing of it is kept.' }),
    ),
    complete,
    sampleId: nullable(id),
    eventId: nullable(id),
  },
  { untagged: ['sampleId', 'eventId'] },
);

type Params = { readonly id: string; readonly rejectionId: string };
const keyOf = ({ id: webhookId, rejectionId: _id }: Params) => ({ webhookId, _id });

const counts = strictObject({
  from: time,
  to: time,
  total: count,
  codes: Type.Array(strictObject({ code, count })),
  series: Type.Array(
    strictObject({ at: time, total: count, codes: Type.Record(Type.String(), count) }),
  ),
});

/** Literal paths come before the one with an id. */
export const rejectionRoutes = (ctx: ApiContext): Route[] => [
  listRoute(rejection, {
    path,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'listWebhookRejections',
    tag: 'Rejections',
    summary:
      'List the last 100 requests with a valid key that were not accepted; credentials are masked',
    sortable: { receivedAt: 'receivedAt' },
    sortBy: '-receivedAt',
    filters: { code: commaList(code), ...dateRange },
    list: ({ params, query }, page) =>
      listRejections(ctx, { ...query, ...parseDateRange(query), webhookId: params.id }, page),
  }),
  route({
    method: 'GET',
    path: `${path}/counts`,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'countWebhookRejections',
    tag: 'Rejections',
    summary:
      'Count the rejections of a webhook by code, in the last 24 hours or between two dates of the last 30 days',
    query: strictObject({ unit: Type.Optional(unit), ...dateRange }),
    answer: counts,
    handle: ({ params, query: { unit: by = 'hour', ...range } }) =>
      countRejections(ctx, { webhookId: params.id, unit: by, ...parseDateRange(range) }),
  }),
  ...changingRoutes(ctx),
];

function changingRoutes(ctx: ApiContext): Route[] {
  const record = {
    path: `${path}/:rejectionId`,
    params: strictObject({ id, rejectionId: id }),
    restriction: webhookOfPath,
    find: (params: Params) => readRejection(ctx, keyOf(params)),
  };
  const one = recordRoutes(rejection, record);
  const action = { ...record, ...emptyBody, method: 'POST', scope: 'operator' } as const;
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getWebhookRejection',
      tag: 'Rejections',
      schemaName: 'WebhookRejection',
      summary: 'Read a rejection',
    }),
    one.remove({
      scope: 'operator',
      operationId: 'deleteWebhookRejection',
      tag: 'Rejections',
      summary: 'Delete a rejection; the counts stay',
      handle: ({ params, caller }) => removeRejection(ctx, keyOf(params), caller),
    }),
    route({
      ...action,
      path: `${record.path}/sample`,
      operationId: 'addWebhookRejectionAsSample',
      tag: 'Rejections',
      summary: 'Add a sample from a rejection whose body is complete; a rejection gives one sample',
      status: 201,
      answer: sample.answer,
      handle: async ({ params, caller, language }) =>
        sample.present(await makeSampleOfRejection(ctx, keyOf(params), caller), language),
    }),
    route({
      ...action,
      path: `${record.path}/event`,
      operationId: 'recordWebhookRejection',
      tag: 'Rejections',
      summary:
        'Record a rejected request as an event of its original time, once it is readable; a rejection gives one event',
      answer: strictObject({
        eventId: id,
        duplicate: Type.Boolean({ description: 'Whether the event was known before.' }),
        mode: stringEnum(['event', 'held']),
      }),
      handle: ({ params, caller }) => makeEventOfRejection(ctx, keyOf(params), caller),
    }),
  ];
}
