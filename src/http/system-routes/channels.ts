/** /v1/admin/channels */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { CheckSettings } from '../../admin/channels.ts';
import {
  channelKindNames,
  type ChannelKind,
  type ChannelRecord,
} from '../../domain/messages/channel.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { channelOfPath } from '../auth/authorization.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import { createView, fieldOf } from '../routing/view.ts';
import { compileValidator, type Validator } from '../requests/validation.ts';
import {
  strictObject,
  id,
  idParams,
  name,
  nullable,
  pageSchema,
  text,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/channels';
const kind = Type.Unsafe<ChannelKind>({ type: 'string', enum: [...channelKindNames] });
const anySettings = Type.Record(Type.String(), Type.Unknown());

const field = fieldOf<ChannelRecord>();
const channel = createView({
  id: field(id, ({ _id }) => _id),
  name: field(name, (record) => record.name),
  kind: field(kind, (record) => record.kind),
  settings: field(anySettings, ({ settings }) => settings),
  // The names of the secret settings; their values are never shown.
  secretsSet: field(Type.Array(text), ({ secrets = {} }) => Object.keys(secrets).toSorted()),
  enabled: field(Type.Boolean(), ({ enabled }) => enabled),
  createdAt: field(time, ({ createdAt }) => createdAt.toISOString()),
  updatedAt: field(time, ({ updatedAt }) => updatedAt.toISOString()),
});
const channelResource = resource(channel);

const channelKind = strictObject({
  kind,
  /** Whether messages leave Inlet for a destination. */
  goesOutside: Type.Boolean(),
  /** JSON Schema; what it marks as `writeOnly` is secret. */
  settingsSchema: Type.Unsafe<object>({ type: 'object' }),
  secrets: Type.Array(text),
});

const sortable = { name: 'name', createdAt: 'createdAt', updatedAt: 'updatedAt' };
const filters = {
  name: commaList(filterText),
  kind: commaList(kind),
  enabled: Type.Optional(Type.Boolean()),
  ...dateRange,
};

/** The schema of the settings depends on the kind. */
const newChannel = ({ kinds }: Admin['channels']) =>
  Type.Object(
    { name, kind, settings: Type.Optional(anySettings) },
    {
      additionalProperties: false,
      examples: [{ name: 'Sales inbox', kind: 'inbox' }],
      allOf: Object.values(kinds).map((one) => ({
        if: { properties: { kind: { const: one.kind } } },
        // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
        then: {
          properties: { settings: one.settingsSchema },
          ...('required' in one.settingsSchema && { required: ['settings'] }),
        },
      })),
    },
  );

export const channelRoutes = ({ channels }: Admin): Route[] => [
  resourceRoute(channelResource, {
    method: 'POST',
    path,
    scope: 'admin',
    summary: 'Create a channel',
    status: 201,
    body: newChannel(channels),
    handle: ({ body, caller }) => channels.create(body, caller),
  }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'List channels',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(channel.answer),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const within = { id: caller.restriction?.channelIds };
      const found = await channels.list({ ...query, ...within, ...parseDateRange(query) }, wanted);
      return presentPage(found, wanted, channel.present);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/kinds`,
    scope: 'viewer',
    restriction: 'anything',
    summary: 'List the kinds of channel with the schemas of their settings',
    answer: strictObject({ kinds: Type.Array(channelKind) }),
    handle: () => Promise.resolve({ kinds: channels.describeKinds() }),
  }),
  resourceRoute(channelResource, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: channelOfPath,
    summary: 'Read a channel',
    params: idParams,
    handle: ({ params }) => channels.get(params.id),
  }),
  ...changingRoutes(channels),
];

const changingRoutes = (channels: Admin['channels']): Route[] => {
  const checks = Object.fromEntries(
    Object.values(channels.kinds).map((one) => [one.kind, compileValidator(one.settingsSchema)]),
  ) as Readonly<Record<ChannelKind, Validator>>;
  return [
    resourceRoute(channelResource, {
      method: 'PATCH',
      path: `${path}/:id`,
      scope: 'admin',
      restriction: channelOfPath,
      summary:
        'Rename, disable or enable a channel, or change its settings; null removes a setting',
      params: idParams,
      find: (params) => channels.get(params.id),
      body: Type.Object(
        {
          name: Type.Optional(name),
          enabled: Type.Optional(Type.Boolean()),
          settings: Type.Optional(anySettings),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
      handle: async ({ params, body, caller }) => {
        const check: CheckSettings = (given, settings) => checks[given](settings);
        return channels.change(params.id, body, { actor: caller, check });
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:id`,
      scope: 'admin',
      restriction: channelOfPath,
      summary: 'Delete a channel that no webhook uses; its chats stay',
      params: idParams,
      find: (params) => channels.get(params.id),
      etagOf: channelResource.etagOf,
      answer: strictObject({}),
      handle: async ({ params, caller }) => {
        await channels.remove(params.id, caller);
        return {};
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/test`,
      scope: 'operator',
      restriction: channelOfPath,
      summary: 'Send a test message, without retries',
      params: idParams,
      find: (params) => channels.get(params.id),
      etagOf: channelResource.etagOf,
      hasEtag: false,
      body: strictObject({}),
      allowsEmptyBody: true,
      answer: strictObject({
        outcome: Type.Unsafe<'delivered' | 'failed'>({
          type: 'string',
          enum: ['delivered', 'failed'],
        }),
        reason: nullable(text),
      }),
      handle: ({ params }) => channels.test(params.id),
    }),
  ];
};
