/** /v1/admin/channels */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { CheckSettings } from '../../admin/channels.ts';
import { channelKindNames, type ChannelKind } from '../../domain/messages/channel.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../requests/query.ts';
import { channelOfPath } from '../auth/authorization.ts';
import { listRoute } from '../routing/list.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import { viewsOf } from '../routing/view.ts';
import { channelHealthStates, healthStateOf } from '../../domain/messages/channel-health.ts';
import type { ChannelWithHealth } from '../../admin/channels.ts';
import { compileValidator, type Validator } from '../requests/validation.ts';
import {
  changeObject,
  count,
  emptyBody,
  nothing,
  strictObject,
  id,
  idParams,
  name,
  nullable,
  text,
  time,
  stringEnum,
} from '../routing/schemas.ts';

const path = '/v1/admin/channels';
const kind = stringEnum(channelKindNames);
const anySettings = Type.Record(Type.String(), Type.Unknown());

/** `since`: of the first failure. Null without one. */
const health = strictObject({
  state: stringEnum(channelHealthStates),
  failures: count,
  reason: nullable(text),
  since: nullable(time),
  failingSince: nullable(time),
  nextProbeAt: nullable(time),
  pausedUntil: Type.Union([time, Type.Null()], {
    description: 'When the pause ends that the destination asked for by 429; null without one.',
  }),
});

function healthOf({ health: found, enabled, pausedUntil = null }: ChannelWithHealth) {
  const state = healthStateOf(found, { enabled });
  return {
    state,
    failures: found?.failures ?? 0,
    reason: found?.reason ?? null,
    since: found?.since ?? null,
    failingSince: found?.failingSince ?? null,
    nextProbeAt: (state === 'failing' && found?.probeAt) || null,
    pausedUntil,
  };
}

const { field, view } = viewsOf<ChannelWithHealth>();
const channel = view({
  id,
  name,
  kind,
  settings: anySettings,
  // The names of the secret settings; their values are never shown.
  secretsSet: field(Type.Array(text), ({ secrets = {} }) => Object.keys(secrets).toSorted()),
  enabled: Type.Boolean(),
  health: field(health, healthOf),
  createdAt: time,
  updatedAt: time,
});
const channelResource = resource({ ...channel, untagged: ['health'] });

const channelKind = strictObject({
  kind,
  /** Whether messages leave Inlet for a destination. */
  goesOutside: Type.Boolean(),
  /** Null for a kind whose messages stay in Inlet. */
  capabilities: nullable(
    strictObject({
      reaches: stringEnum(['system', 'person']),
      media: Type.Boolean(),
      templates: Type.Boolean(),
      windowHours: nullable(count),
      replies: Type.Boolean(),
    }),
  ),
  idempotency: nullable(stringEnum(['native', 'reconcile', 'none'])),
  /** Null for a kind whose service posts nothing to Inlet. */
  inbound: nullable(
    strictObject({
      /** A webhook of the channel has one of them. */
      producers: Type.Array(text),
      /** Whether Inlet can tell the service where to post. */
      registers: Type.Boolean(),
    }),
  ),
  /** JSON Schema; what it marks as `writeOnly` is secret. */
  settingsSchema: Type.Unsafe<object>({ type: 'object' }),
  secrets: Type.Array(text),
});

const probed = strictObject({
  outcome: stringEnum(['works', 'failed']),
  reason: nullable(text),
  /** Where the service posts. Null where it has no such setting, or did not say. */
  receives: nullable(
    strictObject({
      state: stringEnum(['here', 'elsewhere', 'nowhere']),
      webhookId: nullable(id),
      pending: count,
      lastErrorAt: nullable(time),
      lastError: nullable(text),
    }),
  ),
});

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
        if: { properties: { kind: { const: one.kind } }, required: ['kind'] },
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
  listRoute(channel, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'List channels',
    sortable: { name: 'name', createdAt: 'createdAt', updatedAt: 'updatedAt' },
    sortBy: '-createdAt',
    filters,
    list: ({ query, caller }, page) => {
      const within = { id: caller.restriction?.channelIds };
      return channels.list({ ...query, ...within, ...parseDateRange(query) }, page);
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
      body: changeObject({ name, enabled: Type.Boolean(), settings: anySettings }),
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
      answer: nothing,
      handle: ({ params, caller }) => channels.remove(params.id, caller),
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
      ...emptyBody,
      answer: strictObject({
        outcome: stringEnum(['delivered', 'failed']),
        reason: nullable(text),
      }),
      handle: ({ params }) => channels.test(params.id),
    }),
    route({
      method: 'POST',
      path: `${path}/:id/probe`,
      scope: 'operator',
      restriction: channelOfPath,
      summary:
        'Check the connection and the credentials without a message; a success ends a failure of the channel',
      params: idParams,
      find: (params) => channels.get(params.id),
      etagOf: channelResource.etagOf,
      hasEtag: false,
      ...emptyBody,
      answer: probed,
      handle: ({ params, caller }) => channels.probe(params.id, caller),
    }),
  ];
};
