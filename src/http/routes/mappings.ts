/** /v1/admin/webhooks/:id/mappings */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentVersion } from '../../admin/mappings.ts';
import { diffKinds } from '../../domain/diff.ts';
import { versionStatuses, type VersionStatus } from '../../domain/version.ts';
import { listQuery, paged, pageOf, several } from '../query.ts';
import { ofWebhook } from '../reach.ts';
import { resource, resourceRoute } from '../resource.ts';
import { route, type Route } from '../route.ts';
import {
  anything,
  count,
  exactly,
  id,
  idParams,
  orNull,
  page,
  payload,
  text,
  time,
  versionParam,
} from '../shapes.ts';
import { activationFields, wantedOf } from './activation.ts';
import { webhook } from './webhooks.ts';

const path = '/v1/admin/webhooks/:id/mappings';
const status = Type.Unsafe<VersionStatus>({ type: 'string', enum: [...versionStatuses] });

/** Checked by the compiler of mappings, whose problems say more; the document shows its schema in this place. */
export const mappingDocument = Type.Unknown({ description: 'A mapping document.' });

const version = exactly({
  version: Type.Integer(),
  mapping: mappingDocument,
  status,
  createdAt: time,
  createdBy: text,
  activatedAt: orNull(time),
});

const one = resource({ answer: version, present: presentVersion });

const valuesByName = Type.Record(Type.String(), orNull(text));

const previewItem = exactly({
  ignored: orNull(text),
  eventId: orNull(text),
  eventType: orNull(text),
  eventDate: orNull(time),
  contact: exactly({
    externalId: orNull(text),
    name: orNull(text),
    phone: orNull(text),
    email: orNull(text),
    document: orNull(text),
    fields: valuesByName,
  }),
  message: exactly({ text: orNull(text) }),
  context: exactly({
    origin: orNull(text),
    campaign: orNull(text),
    labels: Type.Array(text),
    sector: orNull(text),
    fields: valuesByName,
  }),
  problems: Type.Array(exactly({ target: text, code: text, message: text })),
  failure: orNull(text),
  sources: Type.Record(
    Type.String(),
    exactly({
      source: text,
      raw: anything,
      steps: Type.Array(
        exactly({
          transform: text,
          source: text,
          before: anything,
          after: anything,
          problem: orNull(text),
        }),
      ),
    }),
  ),
});

const sortable = { version: 'version', createdAt: 'createdAt' };
const versionParams = exactly({ id, version: versionParam });

export const mappingRoutes = (admin: Admin): Route[] => [
  ...versionRoutes(admin),
  previewRoute(admin),
  diffRoute(admin),
  suggestRoute(admin),
  healthRoute(admin),
  resourceRoute(one, {
    method: 'GET',
    path: `${path}/:version`,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'Read a mapping version',
    params: versionParams,
    handle: ({ params }) => admin.mappings.get(params.id, Number(params.version)),
  }),
  resourceRoute(webhook, {
    method: 'POST',
    path: `${path}/:version/activate`,
    scope: 'operator',
    reach: ofWebhook,
    summary: 'Make this version the active one, and the webhook active; now or at a time',
    params: versionParams,
    exists: async (params) => {
      await admin.mappings.get(params.id, Number(params.version));
      return admin.webhooks.get(params.id);
    },
    body: exactly(activationFields),
    action: true,
    handle: ({ params, body, caller }) =>
      admin.activate(params.id, wantedOf({ ...body, version: Number(params.version) }), caller),
  }),
];

const versionRoutes = ({ mappings, webhooks }: Admin): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    reach: ofWebhook,
    summary: 'Save a mapping as the next version',
    status: 201,
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    body: exactly({ mapping: mappingDocument }),
    answer: version,
    handle: async ({ params, body, caller, language }) =>
      one.show(await mappings.create(params.id, body.mapping, caller), language),
  }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'List the mapping versions of a webhook',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    query: listQuery(Object.keys(sortable), { status: several(status) }),
    answer: page(version),
    handle: async ({ params, query }) => {
      const wanted = pageOf(query, sortable, '-version');
      const found = await mappings.list(params.id, { status: query.status }, wanted);
      return paged(found, wanted, presentVersion);
    },
  }),
];

const previewRoute = ({ mappings, webhooks }: Admin): Route =>
  route({
    method: 'POST',
    path: `${path}/preview`,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'See what a mapping makes of a payload; has no effects',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    body: exactly({
      mapping: Type.Optional(mappingDocument),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      payload,
    }),
    answer: exactly({ items: Type.Array(previewItem) }),
    handle: ({ params, body }) => mappings.preview(params.id, body),
  });

const maybeText = orNull(text);

const diffItem = exactly({
  eventId: id,
  externalId: maybeText,
  item: orNull(Type.Integer()),
  kind: Type.String({ enum: [...diffKinds] }),
  changes: Type.Array(exactly({ target: text, before: maybeText, after: maybeText })),
  failure: exactly({ before: maybeText, after: maybeText }),
});

const diffRoute = ({ mappings, webhooks }: Admin): Route =>
  route({
    method: 'POST',
    path: `${path}/diff`,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'See what a mapping would change for the last events; has no effects',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    body: exactly({
      mapping: mappingDocument,
      last: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    }),
    answer: exactly({
      counts: exactly(Object.fromEntries(diffKinds.map((kind) => [kind, Type.Integer()]))),
      items: Type.Array(diffItem),
    }),
    handle: ({ params, body }) => mappings.diff(params.id, body),
  });

const healthRoute = ({ health, webhooks }: Admin): Route =>
  route({
    method: 'GET',
    path: `${path}/health`,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'See how events end under each version since it was last activated, to the hour',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    answer: exactly({
      keptDays: Type.Integer({ description: 'Counts older than this are gone.' }),
      versions: Type.Array(
        exactly({
          version: Type.Integer(),
          status,
          activatedAt: orNull(time),
          ended: count,
          done: count,
          ignored: count,
          dead: count,
          retried: count,
          reasons: Type.Array(exactly({ reason: text, count })),
          problems: Type.Array(exactly({ target: text, code: text, count })),
        }),
      ),
    }),
    handle: ({ params }) => health(params.id),
  });

const alternative = exactly({
  path: text,
  example: Type.Union([text, Type.Number(), Type.Boolean()]),
  confidence: Type.Number(),
});

const suggestRoute = ({ suggest, webhooks }: Admin): Route =>
  route({
    method: 'POST',
    path: `${path}/suggest`,
    scope: 'viewer',
    reach: ofWebhook,
    summary: 'Propose a mapping for payloads or samples, with the reasons; has no effects',
    params: idParams,
    exists: (params) => webhooks.get(params.id),
    body: exactly({
      payloads: Type.Optional(Type.Array(payload, { minItems: 1, maxItems: 20 })),
      sampleIds: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 20 })),
    }),
    answer: exactly({
      mapping: mappingDocument,
      confidence: Type.Record(Type.String(), Type.Number()),
      alternatives: Type.Record(Type.String(), Type.Array(alternative)),
      evidence: Type.Record(Type.String(), Type.Array(text)),
      producers: Type.Array(exactly({ name: text, confidence: Type.Number() })),
    }),
    handle: ({ params, body }) => suggest(params.id, body),
  });
