/** /v1/admin/webhooks/:id/samples */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { ShownSample } from '../../admin/samples.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several } from '../query.ts';
import { ofWebhook } from '../reach.ts';
import { resource, resourceRoute } from '../resource.ts';
import { route, streamRoute, type Route } from '../route.ts';
import {
  anything,
  exactly,
  id,
  idParams,
  name,
  orNull,
  page,
  payload,
  text,
  texts,
  time,
} from '../shapes.ts';

const path = '/v1/admin/webhooks/:id/samples';
const source = Type.Unsafe<'webhook' | 'manual'>({ type: 'string', enum: ['webhook', 'manual'] });

const sample = exactly({
  id,
  receivedAt: time,
  source,
  name: orNull(text),
  pinned: Type.Boolean(),
  eventId: orNull(id),
  contentType: text,
  headers: texts,
  query: texts,
  body: anything,
});

const told = exactly({
  at: time,
  sample: Type.Optional(exactly({ id, receivedAt: time, source })),
});

/** What is read, expected and changed is the sample as it is shown, with its credentials masked. */
const one = resource({ answer: sample, present: (shown: ShownSample) => shown });

const sortable = { receivedAt: 'receivedAt' };
const sampleParams = exactly({ id, sampleId: id });

export const sampleRoutes = ({ samples, webhooks, live }: Admin): Route[] => [
  fileRoute({ samples, webhooks }),
  liveRoute({ live, webhooks }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'List the samples of a webhook; credentials in them are masked',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    query: listQuery(Object.keys(sortable), {
      source: several(source),
      pinned: Type.Optional(Type.Boolean()),
      ...dates,
    }),
    answer: page(sample),
    handle: async ({ params, query }) => {
      const wanted = pageOf(query, sortable, '-receivedAt');
      const { source: sources, pinned } = query;
      const filter = { source: sources, pinned, ...rangeOf(query) };
      const found = await samples.list(params.id, filter, wanted);
      return paged(found, wanted, (one) => one);
    },
  }),
  resourceRoute(one, {
    method: 'GET',
    path: `${path}/:sampleId`,
    scope: 'viewer',
    reach: ofWebhook,
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
    reach: ofWebhook,
    summary:
      'Add a sample from a file: the body as it is, of any type that the producer’s profile reads',
    status: 201,
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    query: exactly({ name: Type.Optional(name) }),
    body: 'raw',
    answer: sample,
    handle: ({ params, query, body, caller }) =>
      samples.addFile(params.id, { ...body, ...query }, caller),
  });

const liveRoute = ({ live, webhooks }: Pick<Admin, 'live' | 'webhooks'>): Route =>
  streamRoute({
    path: `${path}/live`,
    scope: 'viewer',
    reach: ofWebhook,
    stream: 'sse',
    summary:
      'Samples of a webhook as they come (`sample`), without what is in them. `too_slow` and `history_lost` as with events',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    answer: told,
    handle: ({ params, signal, lastEventId }) =>
      live.watchSamples(params.id, { signal, lastEventId }),
  });

const changingRoutes = ({ samples, webhooks }: Pick<Admin, 'samples' | 'webhooks'>): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    reach: ofWebhook,
    summary: 'Add a sample by hand, or from an event that is stored; at any time before archiving',
    status: 201,
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    body: exactly({
      ...payload.properties,
      payload: Type.Optional(payload),
      eventId: Type.Optional(id),
      name: Type.Optional(name),
    }),
    answer: sample,
    handle: ({ params, body, caller }) => samples.add(params.id, body, caller),
  }),
  resourceRoute(one, {
    method: 'PATCH',
    path: `${path}/:sampleId`,
    scope: 'operator',
    reach: ofWebhook,
    summary:
      'Name a sample, or pin it: newer ones push out no pinned one, of which there are 50 at most',
    params: sampleParams,
    exists: (params) => samples.get(params.id, params.sampleId),
    body: Type.Object(
      { pinned: Type.Optional(Type.Boolean()), name: Type.Optional(orNull(name)) },
      { additionalProperties: false, minProperties: 1 },
    ),
    handle: ({ params, body, caller }) =>
      samples.change({ webhookId: params.id, id: params.sampleId }, body, caller),
  }),
  route({
    method: 'DELETE',
    path: `${path}/:sampleId`,
    scope: 'operator',
    reach: ofWebhook,
    summary: 'Delete a sample; the set-up of its webhook stays where it is',
    params: sampleParams,
    exists: (params) => samples.get(params.id, params.sampleId),
    tagOf: one.tagOf,
    answer: exactly({}),
    handle: async ({ params, caller }) => {
      await samples.remove(params.id, params.sampleId, caller);
      return {};
    },
  }),
];
