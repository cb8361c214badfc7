/** /v1/admin/webhooks/:id/samples */
import { Type } from 'typebox';
import { dateRange, parseDateRange, commaList } from '../../http/requests/query.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { listRoute, recordRoutes } from '../../http/routing/resource.ts';
import { route, streamRoute, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  changeObject,
  anyValue,
  strictObject,
  id,
  name,
  nullable,
  payload,
  text,
  stringMap,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import {
  addSample,
  addSampleFile,
  changeSample,
  listSamples,
  readSample,
  removeSample,
  type SampleView,
} from './samples.ts';
import { ofWebhook } from '../webhooks/webhook-view.ts';

const path = '/v1/admin/webhooks/:id/samples';
const source = stringEnum(['webhook', 'manual']);

const { field, view } = viewsOf<SampleView>();
/** Etags refer to the sample as it is shown, with its credentials masked. */
export const sample = view({
  id,
  receivedAt: time,
  source,
  name: nullable(text),
  pinned: field(Type.Boolean(), ({ pin }) => typeof pin === 'number'),
  eventId: nullable(id),
  contentType: text,
  headers: stringMap,
  query: stringMap,
  body: anyValue,
});

const newSample = strictObject({
  at: time,
  sample: Type.Optional(strictObject({ id, receivedAt: time, source })),
});

export const sampleRoutes = (ctx: ApiContext): Route[] => [
  fileRoute(ctx),
  liveRoute(ctx),
  listRoute(sample, {
    path,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'listWebhookSamples',
    tag: 'Samples',
    summary: 'List the samples of a webhook; credentials are masked',
    sortable: { receivedAt: 'receivedAt' },
    sortBy: '-receivedAt',
    filters: {
      source: commaList(source),
      pinned: Type.Optional(Type.Boolean()),
      ...dateRange,
    },
    list: ({ params, query }, page) =>
      listSamples(ctx, { ...query, ...parseDateRange(query), webhookId: params.id }, page),
  }),
  ...changingRoutes(ctx),
];

const fileRoute = (ctx: ApiContext): Route =>
  route({
    method: 'POST',
    path: `${path}/file`,
    scope: 'operator',
    ...ofWebhook(ctx),
    operationId: 'uploadWebhookSamples',
    tag: 'Samples',
    summary: 'Add a sample from a file: the raw body, of any type that the producer accepts',
    status: 201,
    query: strictObject({ name: Type.Optional(name) }),
    body: 'raw',
    answer: sample.answer,
    handle: async ({ params, query, body, caller, language }) => {
      const file = { ...body, ...query, webhookId: params.id };
      return sample.present(await addSampleFile(ctx, file, caller), language);
    },
  });

const liveRoute = (ctx: ApiContext): Route =>
  streamRoute({
    path: `${path}/live`,
    scope: 'viewer',
    ...ofWebhook(ctx),
    stream: 'sse',
    operationId: 'watchWebhookSamples',
    tag: 'Samples',
    summary:
      'Stream new samples of a webhook (`sample`) without their content. `too_slow` and `history_lost` as for events',
    answer: newSample,
    handle: ({ params, signal, lastEventId }) =>
      ctx.live.watchSamples(params.id, { signal, lastEventId }),
  });

type Params = { readonly id: string; readonly sampleId: string };
const keyOf = ({ id: webhookId, sampleId }: Params) => ({ webhookId, id: sampleId });

function changingRoutes(ctx: ApiContext): Route[] {
  const one = recordRoutes(sample, {
    path: `${path}/:sampleId`,
    params: strictObject({ id, sampleId: id }),
    restriction: webhookOfPath,
    find: (params) => readSample(ctx, keyOf(params)),
  });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getWebhookSample',
      tag: 'Samples',
      schemaName: 'WebhookSample',
      summary: 'Read a sample',
    }),
    route({
      method: 'POST',
      path,
      scope: 'operator',
      ...ofWebhook(ctx),
      operationId: 'createWebhookSample',
      tag: 'Samples',
      summary: 'Add a sample from a payload or a stored event; not after archiving',
      status: 201,
      body: strictObject({
        ...payload.properties,
        payload: Type.Optional(payload),
        eventId: Type.Optional(id),
        name: Type.Optional(name),
      }),
      answer: sample.answer,
      handle: async ({ params, body, caller, language }) =>
        sample.present(await addSample(ctx, { ...body, webhookId: params.id }, caller), language),
    }),
    one.change({
      scope: 'operator',
      operationId: 'updateWebhookSample',
      tag: 'Samples',
      summary:
        'Name or pin a sample; at most 50 samples are pinned, and newer samples do not replace them',
      body: changeObject({ pinned: Type.Boolean(), name: nullable(name) }),
      handle: ({ params, body, caller }) =>
        changeSample(ctx, { ...body, ...keyOf(params) }, caller),
    }),
    one.remove({
      scope: 'operator',
      operationId: 'deleteWebhookSample',
      tag: 'Samples',
      summary: 'Delete a sample; the setup state of its webhook stays',
      handle: ({ params, caller }) => removeSample(ctx, keyOf(params), caller),
    }),
  ];
}
