/** /v1/admin/webhooks/:id/samples */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { SampleView } from '../../admin/payloads/samples.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
} from '../requests/query.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, streamRoute, type Route } from '../routing/route.ts';
import { createView, fieldOf } from '../routing/view.ts';
import {
  anyValue,
  strictObject,
  id,
  idParams,
  name,
  nullable,
  pageSchema,
  payload,
  text,
  stringMap,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/webhooks/:id/samples';
const source = Type.Unsafe<'webhook' | 'manual'>({ type: 'string', enum: ['webhook', 'manual'] });

const field = fieldOf<SampleView>();
const sampleView = createView({
  id: field(id, ({ sample }) => sample._id),
  receivedAt: field(time, ({ sample }) => sample.receivedAt.toISOString()),
  source: field(source, ({ sample }) => sample.source),
  name: field(nullable(text), ({ sample }) => sample.name ?? null),
  pinned: field(Type.Boolean(), ({ sample }) => typeof sample.pin === 'number'),
  eventId: field(nullable(id), ({ sample }) => sample.eventId ?? null),
  contentType: field(text, ({ sample }) => sample.contentType),
  headers: field(stringMap, ({ headers }) => headers),
  query: field(stringMap, ({ query }) => query),
  body: field(anyValue, ({ body }) => body),
});
/** Etags refer to the sample as it is shown, with its credentials masked. */
const sample = resource(sampleView);

const newSample = strictObject({
  at: time,
  sample: Type.Optional(strictObject({ id, receivedAt: time, source })),
});

type LiveSample =
  Awaited<ReturnType<Admin['live']['watchSamples']>> extends AsyncIterable<infer Item>
    ? Item
    : never;

async function* presentNewSamples(items: AsyncIterable<LiveSample>) {
  for await (const { data, ...item } of items) {
    const shown = 'sample' in data ? data.sample : null;
    yield {
      ...item,
      data: {
        at: data.at.toISOString(),
        ...(shown && { sample: { ...shown, receivedAt: shown.receivedAt.toISOString() } }),
      },
    };
  }
}

const sortable = { receivedAt: 'receivedAt' };
const sampleParams = strictObject({ id, sampleId: id });

export const sampleRoutes = ({ samples, webhooks, live }: Admin): Route[] => [
  fileRoute({ samples, webhooks }),
  liveRoute({ live, webhooks }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'List the samples of a webhook; credentials are masked',
    params: idParams,
    find: (params) => webhooks.get(params.id),
    query: listQuery(Object.keys(sortable), {
      source: commaList(source),
      pinned: Type.Optional(Type.Boolean()),
      ...dateRange,
    }),
    answer: pageSchema(sample.answer),
    handle: async ({ params, query }) => {
      const wanted = parsePaging(query, sortable, '-receivedAt');
      const { source: sources, pinned } = query;
      const filter = { source: sources, pinned, ...parseDateRange(query) };
      const found = await samples.list(params.id, filter, wanted);
      return presentPage(found, wanted, sampleView.present);
    },
  }),
  resourceRoute(sample, {
    method: 'GET',
    path: `${path}/:sampleId`,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read a sample',
    params: sampleParams,
    handle: ({ params }) => samples.get(params.id, params.sampleId),
  }),
  ...changingRoutes({ samples, webhooks }),
];

const fileRoute = ({ samples, webhooks }: Pick<Admin, 'samples' | 'webhooks'>): Route =>
  route({
    method: 'POST',
    path: `${path}/file`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Add a sample from a file: the raw body, of any type that the producer accepts',
    status: 201,
    params: idParams,
    find: (params) => webhooks.get(params.id),
    query: strictObject({ name: Type.Optional(name) }),
    body: 'raw',
    answer: sample.answer,
    handle: async ({ params, query, body, caller }) =>
      sampleView.present(await samples.addFile(params.id, { ...body, ...query }, caller)),
  });

const liveRoute = ({ live, webhooks }: Pick<Admin, 'live' | 'webhooks'>): Route =>
  streamRoute({
    path: `${path}/live`,
    scope: 'viewer',
    restriction: webhookOfPath,
    stream: 'sse',
    summary:
      'Stream new samples of a webhook (`sample`) without their content. `too_slow` and `history_lost` as for events',
    params: idParams,
    find: (params) => webhooks.get(params.id),
    answer: newSample,
    handle: async ({ params, signal, lastEventId }) =>
      presentNewSamples(await live.watchSamples(params.id, { signal, lastEventId })),
  });

const changingRoutes = ({ samples, webhooks }: Pick<Admin, 'samples' | 'webhooks'>): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Add a sample from a payload or a stored event; not after archiving',
    status: 201,
    params: idParams,
    find: (params) => webhooks.get(params.id),
    body: strictObject({
      ...payload.properties,
      payload: Type.Optional(payload),
      eventId: Type.Optional(id),
      name: Type.Optional(name),
    }),
    answer: sample.answer,
    handle: async ({ params, body, caller }) =>
      sampleView.present(await samples.add(params.id, body, caller)),
  }),
  resourceRoute(sample, {
    method: 'PATCH',
    path: `${path}/:sampleId`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Name or pin a sample; at most 50 samples are pinned, and newer samples do not replace them',
    params: sampleParams,
    find: (params) => samples.get(params.id, params.sampleId),
    body: Type.Object(
      { pinned: Type.Optional(Type.Boolean()), name: Type.Optional(nullable(name)) },
      { additionalProperties: false, minProperties: 1 },
    ),
    handle: ({ params, body, caller }) =>
      samples.change({ webhookId: params.id, id: params.sampleId }, body, caller),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:sampleId`,
    scope: 'operator',
    restriction: webhookOfPath,
    summary: 'Delete a sample; the setup state of its webhook stays',
    params: sampleParams,
    find: (params) => samples.get(params.id, params.sampleId),
    etagOf: sample.etagOf,
    answer: strictObject({}),
    handle: async ({ params, caller }) => {
      await samples.remove(params.id, params.sampleId, caller);
      return {};
    },
  }),
];
