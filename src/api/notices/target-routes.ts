/** /v1/admin/notices/targets, and what is delivered to them: /v1/admin/notices/deliveries */
import { Type } from 'typebox';
import { languages } from '../../base/texts/texts.ts';
import { noticeTargetKinds } from '../../channels/notices/target-kinds.ts';
import { deliveryStates } from '../../domain/messages/delivery.ts';
import { noticeKinds, type NoticeDelivery } from '../../domain/notices/notice.ts';
import { quietHours, targetKinds, type TargetRecord } from '../../domain/notices/target.ts';
import { commaList, filterText } from '../../http/requests/query.ts';
import { validatorByKind } from '../../http/requests/validation.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  anySettings,
  changeObject,
  count,
  emptyBody,
  id,
  idParams,
  name,
  nullable,
  strictObject,
  stringEnum,
  testResult,
  text,
  time,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { retryDelivery } from '../channels/deliveries.ts';
import type { ApiContext } from '../context.ts';
import {
  changeTarget,
  createTarget,
  describeTargetKinds,
  maxRetried,
  removeTarget,
  retryDeliveriesOf,
  testTarget,
} from './targets.ts';

const path = '/v1/admin/notices/targets';
const kind = stringEnum(targetKinds);
const language = stringEnum(languages);
const kinds = nullable(
  Type.Array(stringEnum(noticeKinds), {
    minItems: 1,
    uniqueItems: true,
    description: 'The kinds of notice that are sent; null: all.',
  }),
);
const reminderHours = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 720,
    description: 'Open notices are sent again after so many hours; null: never.',
  }),
);

/**
 * What a target is sent and when. The schema of configuration files has the same fields.
 * @public `npm run api` imports it from dist.
 */
export const targetFields = { kinds, language, quietHours: nullable(quietHours), reminderHours };

const { field, view } = viewsOf<TargetRecord>();
const target = view(
  {
    id,
    name,
    kind,
    webhookId: nullable(id),
    kinds: field(kinds, (record) => record.kinds && [...record.kinds]),
    settings: anySettings,
    // The names of the secret settings; their values are never shown.
    secretsSet: field(Type.Array(text), ({ secrets = {} }) => Object.keys(secrets).toSorted()),
    language,
    quietHours: nullable(quietHours),
    reminderHours,
    enabled: Type.Boolean(),
    createdAt: time,
    updatedAt: time,
    sentAt: nullable(time),
  },
  { untagged: ['sentAt'] },
);

const targetKind = strictObject({
  kind,
  /** JSON Schema; what it marks as `writeOnly` is secret. */
  settingsSchema: Type.Unsafe<object>({ type: 'object' }),
  secrets: Type.Array(text),
});

/** The schema of the settings depends on the kind. */
const newTarget = strictObject(
  {
    name,
    kind,
    webhookId: Type.Optional(nullable(id)),
    settings: anySettings,
    ...Type.Partial(Type.Object(targetFields)).properties,
  },
  {
    examples: [
      {
        name: 'On call',
        kind: 'webhook',
        settings: { url: 'https://alerts.example.com/inlet' },
      },
    ],
    allOf: Object.values(noticeTargetKinds).map((one) => ({
      if: { properties: { kind: { const: one.kind } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
      then: { properties: { settings: one.settingsSchema } },
    })),
  },
);

export const noticeTargetRoutes = (ctx: ApiContext): Route[] => [
  resourceRoute(target, {
    method: 'POST',
    path,
    scope: 'admin',
    operationId: 'createNoticesTarget',
    tag: 'Notices',
    summary: 'Create a target of notices',
    status: 201,
    body: newTarget,
    handle: ({ body, caller }) => createTarget(ctx, body, caller),
  }),
  listRoute(target, {
    path,
    scope: 'viewer',
    operationId: 'listNoticesTargets',
    tag: 'Notices',
    summary: 'List the targets of notices',
    sortable: { name: 'name', createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters: { name: commaList(filterText), kind: commaList(kind), webhookId: commaList(id) },
    list: ({ query }, page) => ctx.noticeTargets.list(query, page),
  }),
  route({
    method: 'GET',
    path: `${path}/kinds`,
    scope: 'viewer',
    restriction: 'anything',
    operationId: 'listNoticeTargetKinds',
    tag: 'Notices',
    summary: 'List the kinds of target with the schemas of their settings',
    answer: strictObject({ kinds: Type.Array(targetKind) }),
    handle: () => Promise.resolve({ kinds: describeTargetKinds() }),
  }),
  ...oneTargetRoutes(ctx),
];

function oneTargetRoutes(ctx: ApiContext): Route[] {
  const check = validatorByKind(noticeTargetKinds);
  const one = recordRoutes(target, {
    path: `${path}/:id`,
    params: idParams,
    find: (params) => ctx.noticeTargets.get(params.id),
  });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getNoticesTarget',
      tag: 'Notices',
      schemaName: 'NoticesTarget',
      summary: 'Read a target of notices',
    }),
    one.change({
      scope: 'admin',
      operationId: 'updateNoticesTarget',
      tag: 'Notices',
      summary:
        'Rename, disable or enable a target, or change what it is sent; null removes a setting',
      body: changeObject({ name, settings: anySettings, enabled: Type.Boolean(), ...targetFields }),
      handle: ({ params, body, caller }) =>
        changeTarget(ctx, { ...body, ...params }, { actor: caller, check }),
    }),
    one.remove({
      scope: 'admin',
      operationId: 'deleteNoticesTarget',
      tag: 'Notices',
      summary: 'Delete a target of notices, and what waits for it',
      handle: ({ params, caller }) => removeTarget(ctx, params.id, caller),
    }),
    one.ask('test', {
      scope: 'admin',
      operationId: 'testNoticesTarget',
      tag: 'Notices',
      summary: 'Send a test notice, without retries',
      answer: testResult(),
      handle: ({ params }) => testTarget(ctx, params.id),
    }),
  ];
}

const deliveriesPath = '/v1/admin/notices/deliveries';

const of = viewsOf<NoticeDelivery>();
const delivery = of.view({
  id,
  targetId: of.field(id, ({ channelId }) => channelId),
  createdAt: time,
  notices: of.field(count, ({ entries, more }) => entries.length + more),
  reminder: of.field(Type.Boolean(), ({ isReminder }) => isReminder),
  state: of.field(stringEnum(deliveryStates), (record) => record.delivery.state),
  attempts: of.field(count, (record) => record.delivery.attempts),
  reason: of.field(nullable(text), (record) => record.delivery.reason),
  nextAt: of.field(nullable(time), (record) => record.delivery.nextAt),
  finishedAt: of.field(nullable(time), (record) => record.delivery.finishedAt),
});

export const noticeDeliveryRoutes = (ctx: ApiContext): Route[] => [
  listRoute(delivery, {
    path: deliveriesPath,
    scope: 'viewer',
    operationId: 'listNoticesDeliveries',
    tag: 'Deliveries',
    schemaName: 'NoticesDelivery',
    summary: 'List deliveries of notices',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters: { state: commaList(stringEnum(deliveryStates)), targetId: commaList(id) },
    list: ({ query }, page) => ctx.noticeDeliveries.list(query, page),
  }),
  recordRoutes(delivery, {
    path: `${deliveriesPath}/:id`,
    params: idParams,
    find: (params) => ctx.noticeDeliveries.get(params.id),
  }).act('retry', {
    scope: 'operator',
    operationId: 'retryNoticesDelivery',
    tag: 'Deliveries',
    summary: 'Retry a dead delivery of notices with a full set of attempts',
    handle: ({ params, caller }) => retryDelivery(ctx.noticeDeliveries, params.id, caller),
  }),
  route({
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    operationId: 'retryNoticesTarget',
    tag: 'Notices',
    summary: `Retry the dead deliveries of a target, the ${maxRetried} oldest at most`,
    params: idParams,
    find: (params) => ctx.noticeTargets.get(params.id),
    hasEtag: false,
    ...emptyBody,
    answer: strictObject({ retried: count, more: Type.Boolean() }),
    handle: ({ params, caller }) => retryDeliveriesOf(ctx, params.id, caller),
  }),
];
