/** /v1/admin/webhooks/:id/samples */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several } from '../query.ts';
import { route, type Route } from '../route.ts';
import { anything, exactly, id, idParams, page, text, texts, time } from '../shapes.ts';

const path = '/v1/admin/webhooks/:id/samples';
const source = Type.Unsafe<'webhook' | 'manual'>({ type: 'string', enum: ['webhook', 'manual'] });

const sample = exactly({
  id,
  receivedAt: time,
  source,
  contentType: text,
  headers: texts,
  query: texts,
  body: anything,
});

const sortable = { receivedAt: 'receivedAt' };

export const sampleRoutes = ({ samples, webhooks }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary: 'List the samples of a webhook; credentials in them are masked',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    query: listQuery(Object.keys(sortable), { source: several(source), ...dates }),
    answer: page(sample),
    handle: async ({ params, query }) => {
      const wanted = pageOf(query, sortable, '-receivedAt');
      const filter = { source: query.source, ...rangeOf(query) };
      const found = await samples.list(params.id, filter, wanted);
      return paged(found, wanted, (one) => one);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:sampleId`,
    scope: 'viewer',
    summary: 'Read a sample',
    params: exactly({ id, sampleId: id }),
    exists: (params) => webhooks.get(params.id),
    answer: sample,
    handle: ({ params }) => samples.get(params.id, params.sampleId),
  }),
];
