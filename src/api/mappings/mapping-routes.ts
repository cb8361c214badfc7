/** /v1/admin/webhooks/:id/mappings */
import { Type } from 'typebox';
import { identityTargets } from '../../domain/mappings/mapping.ts';
import { diffKinds } from '../../domain/mappings/mapping-diff.ts';
import { versionStatuses, type MappingVersion } from '../../domain/mappings/mapping-version.ts';
import { commaList } from '../../http/requests/query.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { listRoute, recordRoutes } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  anyValue,
  count,
  strictObject,
  id,
  mappingDocument,
  mappingProblems,
  nullable,
  payload,
  text,
  time,
  versionParam,
  stringEnum,
  timeText,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { activateVersion } from '../webhooks/activation.ts';
import { activationFields, parseActivation } from '../webhooks/activation-routes.ts';
import { saveMapping } from './mappings.ts';
import { diffMapping, previewMapping, repairMapping, suggestMapping } from './computations.ts';
import { readVersionHealth } from './version-health.ts';
import { ofWebhook, webhook } from '../webhooks/webhook-view.ts';
import { renderMessages } from '../../base/texts/texts.ts';
import { getMapping, listMappings } from '../../store/webhooks/mappings.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

const path = '/v1/admin/webhooks/:id/mappings';
const status = stringEnum(versionStatuses);

export const version = viewsOf<MappingVersion>().view({
  version: Type.Integer(),
  mapping: mappingDocument,
  status,
  createdAt: time,
  createdBy: text,
  activatedAt: nullable(time),
});

const valuesByName = Type.Record(Type.String(), nullable(text));

const previewItem = strictObject({
  ignored: nullable(text),
  eventId: nullable(text),
  eventType: nullable(text),
  eventDate: nullable(timeText),
  contact: strictObject({
    externalId: nullable(text),
    name: nullable(text),
    phone: nullable(text),
    email: nullable(text),
    document: nullable(text),
    fields: valuesByName,
    former: Type.Optional(
      Type.Array(strictObject({ kind: stringEnum(identityTargets), value: text })),
    ),
  }),
  message: strictObject({ text: nullable(text) }),
  context: strictObject({
    origin: nullable(text),
    campaign: nullable(text),
    labels: Type.Array(text),
    sector: nullable(text),
    fields: valuesByName,
  }),
  problems: mappingProblems,
  failure: nullable(text),
  sources: Type.Record(
    Type.String(),
    strictObject({
      source: text,
      raw: anyValue,
      steps: Type.Array(
        strictObject({
          transform: text,
          source: text,
          before: anyValue,
          after: anyValue,
          problem: nullable(text),
        }),
      ),
    }),
  ),
});

export const mappingRoutes = (ctx: ApiContext): Route[] => [
  ...versionRoutes(ctx),
  previewRoute(ctx),
  diffRoute(ctx),
  suggestRoute(ctx),
  repairRoute(ctx),
  healthRoute(ctx),
  ...oneVersionRoutes(ctx),
];

function oneVersionRoutes(ctx: ApiContext): Route[] {
  const record = {
    path: `${path}/:version`,
    params: strictObject({ id, version: versionParam }),
    restriction: webhookOfPath,
  };
  const find = (params: { readonly id: string; readonly version: string }) =>
    getMapping(ctx, params.id, Number(params.version));
  return [
    recordRoutes(version, { ...record, find }).read({
      scope: 'viewer',
      operationId: 'getWebhookMapping',
      tag: 'Mappings',
      schemaName: 'WebhookMapping',
      summary: 'Read a mapping version',
    }),
    recordRoutes(webhook, {
      ...record,
      find: async (params) => (await find(params)) && getWebhook(ctx, params.id),
    }).act('activate', {
      scope: 'operator',
      operationId: 'activateWebhookMapping',
      tag: 'Mappings',
      summary: 'Activate this version and the webhook, now or at a given time',
      body: strictObject(activationFields),
      handle: ({ params: { id: webhookId, version: number }, body, caller }) =>
        activateVersion(
          ctx,
          { ...parseActivation({ ...body, version: Number(number) }), id: webhookId },
          caller,
        ),
    }),
  ];
}

const versionRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'operator',
    ...ofWebhook(ctx),
    operationId: 'createWebhookMapping',
    tag: 'Mappings',
    summary: 'Save a mapping as the next version',
    status: 201,
    body: strictObject({ mapping: mappingDocument }),
    answer: version.answer,
    handle: async ({ params, body, caller, language }) =>
      version.show(await saveMapping(ctx, { ...body, webhookId: params.id }, caller), language),
  }),
  listRoute(version, {
    path,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'listWebhookMappings',
    tag: 'Mappings',
    summary: 'List the mapping versions of a webhook',
    sortable: { version: 'version', createdAt: 'createdAt' },
    sortBy: '-version',
    filters: { status: commaList(status) },
    list: ({ params, query }, page) => listMappings(ctx, params.id, { filter: query, page }),
  }),
];

/** What the routes that only compute have in common. */
const computation = (ctx: ApiContext) =>
  ({
    method: 'POST',
    scope: 'viewer',
    heavy: { kind: 'mapping' },
    ...ofWebhook(ctx),
  }) as const;

const previewRoute = (ctx: ApiContext): Route =>
  route({
    ...computation(ctx),
    path: `${path}/preview`,
    operationId: 'previewWebhookMappings',
    tag: 'Mappings',
    summary: 'Preview the result of a mapping for a payload; has no effects',
    body: strictObject({
      mapping: Type.Optional(mappingDocument),
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      payload,
    }),
    answer: strictObject({ items: Type.Array(previewItem) }),
    handle: async ({ params, body, caller, language }) => {
      const { items } = await previewMapping(ctx, { ...body, webhookId: params.id }, caller);
      const localize = ({ problems, ...item }: (typeof items)[number]) => ({
        ...item,
        problems: renderMessages(problems, language),
      });
      return { items: items.map(localize) };
    },
  });

const maybeText = nullable(text);

const diffItem = strictObject({
  eventId: id,
  externalId: maybeText,
  item: nullable(Type.Integer()),
  kind: stringEnum(diffKinds),
  changes: Type.Array(strictObject({ target: text, before: maybeText, after: maybeText })),
  failure: strictObject({ before: maybeText, after: maybeText }),
});

const diffRoute = (ctx: ApiContext): Route =>
  route({
    ...computation(ctx),
    path: `${path}/diff`,
    operationId: 'diffWebhookMappings',
    tag: 'Mappings',
    summary: 'Preview the changes of a mapping for the last events; has no effects',
    body: strictObject({
      mapping: mappingDocument,
      last: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    }),
    answer: strictObject({
      counts: strictObject(Object.fromEntries(diffKinds.map((kind) => [kind, Type.Integer()]))),
      items: Type.Array(diffItem),
    }),
    handle: ({ params, body, caller }) =>
      diffMapping(ctx, { ...body, webhookId: params.id }, caller),
  });

const healthRoute = (ctx: ApiContext): Route =>
  route({
    method: 'GET',
    path: `${path}/health`,
    scope: 'viewer',
    ...ofWebhook(ctx),
    operationId: 'getWebhookMappingsHealth',
    tag: 'Mappings',
    summary: 'Read event outcomes by mapping version since its last activation, to the hour',
    answer: strictObject({
      keptDays: Type.Integer({ description: 'Older counts are deleted.' }),
      versions: Type.Array(
        strictObject({
          version: Type.Integer(),
          status,
          activatedAt: nullable(time),
          ended: count,
          done: count,
          ignored: count,
          dead: count,
          retried: count,
          reasons: Type.Array(strictObject({ reason: text, count })),
          problems: Type.Array(strictObject({ target: text, code: text, count })),
        }),
      ),
    }),
    handle: ({ params }) => readVersionHealth(ctx, params.id),
  });

const alternative = strictObject({
  path: text,
  example: Type.Union([text, Type.Number(), Type.Boolean()]),
  confidence: Type.Number(),
});

const suggestRoute = (ctx: ApiContext): Route =>
  route({
    ...computation(ctx),
    path: `${path}/suggest`,
    operationId: 'suggestWebhookMappings',
    tag: 'Mappings',
    summary: 'Suggest a mapping for payloads or samples, with reasons; has no effects',
    body: strictObject({
      payloads: Type.Optional(Type.Array(payload, { minItems: 1, maxItems: 20 })),
      sampleIds: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 20 })),
    }),
    answer: strictObject({
      mapping: mappingDocument,
      confidence: Type.Record(Type.String(), Type.Number()),
      alternatives: Type.Record(Type.String(), Type.Array(alternative)),
      evidence: Type.Record(Type.String(), Type.Array(text)),
      messageTemplate: nullable(
        Type.String({
          description:
            'A `template` for `message.text` with the facts of an order or the answers of a form. Null for other payloads.',
        }),
      ),
      producers: Type.Array(strictObject({ name: text, confidence: Type.Number() })),
    }),
    handle: ({ params, body, caller }) =>
      suggestMapping(ctx, { ...body, webhookId: params.id }, caller),
  });

const repairRoute = (ctx: ApiContext): Route =>
  route({
    ...computation(ctx),
    path: `${path}/repair`,
    operationId: 'repairWebhookMappings',
    tag: 'Mappings',
    summary: 'Suggest a mapping that also reads an event that failed; has no effects',
    body: strictObject({
      eventId: id,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the active one.' })),
    }),
    answer: strictObject({
      version: Type.Integer(),
      workedEventId: nullable(id),
      replacements: Type.Array(
        strictObject({
          targets: Type.Array(text),
          from: text,
          path: text,
          example: alternative.properties.example,
          similarity: Type.Number(),
          because: Type.Array(stringEnum(['name', 'value', 'place'])),
        }),
      ),
      unresolved: Type.Array(text, {
        description: 'Targets without a path that looks like theirs.',
      }),
      gone: Type.Array(text, { description: 'At most 50.' }),
      added: Type.Array(text, { description: 'At most 50.' }),
      mapping: Type.Unknown({
        description: 'The version with the new paths; the old ones stay as fallbacks.',
      }),
    }),
    handle: ({ params, body, caller }) =>
      repairMapping(ctx, { ...body, webhookId: params.id }, caller),
  });
