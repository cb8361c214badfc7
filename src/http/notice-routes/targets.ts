/** /v1/admin/notices/targets */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { CheckTarget } from '../../admin/notices/targets.ts';
import { languages } from '../../base/errors.ts';
import { noticeKinds } from '../../domain/notices/notice.ts';
import {
  quietHours,
  targetKinds,
  type TargetKind,
  type TargetRecord,
} from '../../domain/notices/target.ts';
import { commaList, filterText } from '../requests/query.ts';
import { compileValidator, type Validator } from '../requests/validation.ts';
import { listRoute } from '../routing/list.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import {
  changeObject,
  emptyBody,
  id,
  idParams,
  name,
  nothing,
  nullable,
  strictObject,
  stringEnum,
  text,
  time,
} from '../routing/schemas.ts';
import { viewsOf } from '../routing/view.ts';

const path = '/v1/admin/notices/targets';
const kind = stringEnum(targetKinds);
const language = stringEnum(languages);
const anySettings = Type.Record(Type.String(), Type.Unknown());
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

/** What a target is sent and when. The schema of configuration files has the same fields. */
export const targetFields = { kinds, language, quietHours: nullable(quietHours), reminderHours };

const { field, view } = viewsOf<TargetRecord>();
const target = view({
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
});
const targetResource = resource({ ...target, untagged: ['sentAt'] });

const targetKind = strictObject({
  kind,
  /** JSON Schema; what it marks as `writeOnly` is secret. */
  settingsSchema: Type.Unsafe<object>({ type: 'object' }),
  secrets: Type.Array(text),
});

/** The schema of the settings depends on the kind. */
const newTarget = ({ noticeTargetKinds: all }: Admin['notices']['targets']) =>
  Type.Object(
    {
      name,
      kind,
      webhookId: Type.Optional(nullable(id)),
      settings: anySettings,
      ...Type.Partial(Type.Object(targetFields)).properties,
    },
    {
      additionalProperties: false,
      examples: [
        {
          name: 'On call',
          kind: 'webhook',
          settings: { url: 'https://alerts.example.com/inlet' },
        },
      ],
      allOf: Object.values(all).map((one) => ({
        if: { properties: { kind: { const: one.kind } }, required: ['kind'] },
        // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
        then: { properties: { settings: one.settingsSchema } },
      })),
    },
  );

export const noticeTargetRoutes = ({ notices: { targets } }: Admin): Route[] => [
  resourceRoute(targetResource, {
    method: 'POST',
    path,
    scope: 'admin',
    summary: 'Create a target of notices',
    status: 201,
    body: newTarget(targets),
    handle: ({ body, caller }) => targets.create(body, caller),
  }),
  listRoute(target, {
    path,
    scope: 'viewer',
    summary: 'List the targets of notices',
    sortable: { name: 'name', createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters: {
      name: commaList(filterText),
      kind: commaList(kind),
      webhookId: commaList(id),
    },
    list: ({ query }, page) => targets.list(query, page),
  }),
  route({
    method: 'GET',
    path: `${path}/kinds`,
    scope: 'viewer',
    restriction: 'anything',
    summary: 'List the kinds of target with the schemas of their settings',
    answer: strictObject({ kinds: Type.Array(targetKind) }),
    handle: () => Promise.resolve({ kinds: targets.describeKinds() }),
  }),
  resourceRoute(targetResource, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    summary: 'Read a target of notices',
    params: idParams,
    handle: ({ params }) => targets.get(params.id),
  }),
  ...changingRoutes(targets),
];

const changingRoutes = (targets: Admin['notices']['targets']): Route[] => {
  const checks = Object.fromEntries(
    Object.values(targets.noticeTargetKinds).map((one) => [
      one.kind,
      compileValidator(one.settingsSchema),
    ]),
  ) as Readonly<Record<TargetKind, Validator>>;
  const check: CheckTarget = (given, settings) => checks[given](settings);
  return [
    resourceRoute(targetResource, {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: 'admin',
      summary:
        'Rename, disable or enable a target, or change what it is sent; null removes a setting',
      params: idParams,
      find: (params) => targets.get(params.id),
      body: changeObject({
        name,
        settings: anySettings,
        enabled: Type.Boolean(),
        ...targetFields,
      }),
      handle: ({ params, body, caller }) =>
        targets.change(params.id, body, { actor: caller, check }),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:id`,
      scope: 'admin',
      summary: 'Delete a target of notices, and what waits for it',
      params: idParams,
      find: (params) => targets.get(params.id),
      etagOf: targetResource.etagOf,
      answer: nothing,
      handle: ({ params, caller }) => targets.remove(params.id, caller),
    }),
    route({
      method: 'POST',
      path: `${path}/:id/test`,
      scope: 'admin',
      summary: 'Send a test notice, without retries',
      params: idParams,
      find: (params) => targets.get(params.id),
      etagOf: targetResource.etagOf,
      hasEtag: false,
      ...emptyBody,
      answer: strictObject({
        outcome: stringEnum(['delivered', 'failed']),
        reason: nullable(text),
      }),
      handle: ({ params }) => targets.test(params.id),
    }),
  ];
};
