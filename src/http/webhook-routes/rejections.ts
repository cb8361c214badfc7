/** /v1/admin/webhooks/:id/rejections */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { RejectionView } from '../../admin/payloads/rejections.ts';
import { errorCatalogue } from '../../base/errors.ts';
import { rejectionCodes } from '../../domain/webhooks/rejection.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { commaList, dateRange, parseDateRange } from '../requests/query.ts';
import { listRoute } from '../routing/list.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  emptyBody,
  id,
  nothing,
  nullable,
  stringEnum,
  strictObject,
  stringMap,
  text,
  time,
} from '../routing/schemas.ts';
import { viewsOf } from '../routing/view.ts';
import { sample } from './samples.ts';
import { ofWebhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks/:id/rejections';
const code = stringEnum(rejectionCodes);
const unit = stringEnum(['hour', 'day']);

const complete = Type.Boolean({
  description:
    'Whether `body` is the whole body. Only then the request can become a sample or an event.',
});
const { field, view } = viewsOf<RejectionView>();
const rejection = resource({
  ...view({
    id,
    receivedAt: time,
    code,
    message: field(text, (record, language) => errorCatalogue[record.code].message[language]),
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
  }),
  untagged: ['sampleId', 'eventId'],
});

const rejectionParams = strictObject({ id, rejectionId: id });
const keyOf = (params: { id: string; rejectionId: string }) => ({
  webhookId: params.id,
  _id: params.rejectionId,
});

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
export const rejectionRoutes = ({ rejections, webhooks }: Admin): Route[] => [
  listRoute(rejection, {
    path,
    scope: 'viewer',
    ...ofWebhook(webhooks),
    summary:
      'List the last 100 requests with a valid key that were not accepted; credentials are masked',
    sortable: { receivedAt: 'receivedAt' },
    sortBy: '-receivedAt',
    filters: { code: commaList(code), ...dateRange },
    list: ({ params, query }, page) =>
      rejections.list(params.id, { ...query, ...parseDateRange(query) }, page),
  }),
  route({
    method: 'GET',
    path: `${path}/counts`,
    scope: 'viewer',
    ...ofWebhook(webhooks),
    summary:
      'Count the rejections of a webhook by code, in the last 24 hours or between two dates of the last 30 days',
    query: strictObject({ unit: Type.Optional(unit), ...dateRange }),
    answer: counts,
    handle: ({ params, query: { unit: by = 'hour', ...range } }) =>
      rejections.count(params.id, { unit: by, ...parseDateRange(range) }),
  }),
  resourceRoute(rejection, {
    method: 'GET',
    path: `${path}/:rejectionId`,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read a rejection',
    params: rejectionParams,
    handle: ({ params }) => rejections.get(keyOf(params)),
  }),
  ...changingRoutes({ rejections }),
];

const changingRoutes = ({ rejections }: Pick<Admin, 'rejections'>): Route[] => [
  route({
    method: 'DELETE',
    path: `${path}/:rejectionId`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Delete a rejection; the counts stay',
    params: rejectionParams,
    find: (params) => rejections.get(keyOf(params)),
    etagOf: rejection.etagOf,
    answer: nothing,
    handle: ({ params, caller }) => rejections.remove(keyOf(params), caller),
  }),
  route({
    method: 'POST',
    path: `${path}/:rejectionId/sample`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Add a sample from a rejection whose body is complete; a rejection gives one sample',
    status: 201,
    params: rejectionParams,
    find: (params) => rejections.get(keyOf(params)),
    ...emptyBody,
    answer: sample.answer,
    handle: async ({ params, caller, language }) =>
      sample.present(await rejections.addSample(keyOf(params), caller), language),
  }),
  route({
    method: 'POST',
    path: `${path}/:rejectionId/event`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Record a rejected request as an event of its original time, once it is readable; a rejection gives one event',
    params: rejectionParams,
    find: (params) => rejections.get(keyOf(params)),
    ...emptyBody,
    answer: strictObject({
      eventId: id,
      duplicate: Type.Boolean({ description: 'Whether the event was known before.' }),
      mode: stringEnum(['event', 'held']),
    }),
    handle: ({ params, caller }) => rejections.addEvent(keyOf(params), caller),
  }),
];
