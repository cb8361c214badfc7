/** /v1/admin/channels */
import { Type } from 'typebox';
import { channelKinds } from '../../channels/registry.ts';
import { channelKindNames } from '../../domain/messages/channel.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../../http/requests/query.ts';
import { channelOfPath } from '../../http/auth/authorization.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { channelHealthStates, healthStateOf } from '../../domain/messages/channel-health.ts';
import type { ApiContext } from '../context.ts';
import {
  changeChannel,
  createChannel,
  describeChannelKinds,
  getChannel,
  listChannels,
  probeChannel,
  removeChannel,
  testChannel,
  type ChannelWithHealth,
} from './channels.ts';
import { validatorByKind } from '../../http/requests/validation.ts';
import {
  anySettings,
  changeObject,
  count,
  strictObject,
  id,
  idParams,
  name,
  nullable,
  text,
  time,
  stringEnum,
  testResult,
} from '../../http/routing/schemas.ts';

const path = '/v1/admin/channels';
const kind = stringEnum(channelKindNames);

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
const channel = view(
  {
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
  },
  { untagged: ['health'] },
);

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
const newChannel = strictObject(
  { name, kind, settings: Type.Optional(anySettings) },
  {
    examples: [{ name: 'Sales inbox', kind: 'inbox' }],
    allOf: Object.values(channelKinds).map((one) => ({
      if: { properties: { kind: { const: one.kind } }, required: ['kind'] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
      then: {
        properties: { settings: one.settingsSchema },
        ...('required' in one.settingsSchema && { required: ['settings'] }),
      },
    })),
  },
);

export const channelRoutes = (ctx: ApiContext): Route[] => [
  resourceRoute(channel, {
    method: 'POST',
    path,
    scope: 'admin',
    operationId: 'createChannel',
    tag: 'Channels',
    summary: 'Create a channel',
    status: 201,
    body: newChannel,
    handle: ({ body, caller }) => createChannel(ctx, body, caller),
  }),
  listRoute(channel, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listChannels',
    tag: 'Channels',
    summary: 'List channels',
    sortable: { name: 'name', createdAt: 'createdAt', updatedAt: 'updatedAt' },
    sortBy: '-createdAt',
    filters,
    list: ({ query, caller }, page) => {
      const within = { id: caller.restriction?.channelIds };
      return listChannels(ctx, { ...query, ...within, ...parseDateRange(query) }, page);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/kinds`,
    scope: 'viewer',
    restriction: 'anything',
    operationId: 'listChannelKinds',
    tag: 'Channels',
    summary: 'List the kinds of channel with the schemas of their settings',
    answer: strictObject({ kinds: Type.Array(channelKind) }),
    handle: () => Promise.resolve({ kinds: describeChannelKinds() }),
  }),
  ...oneChannelRoutes(ctx),
];

function oneChannelRoutes(ctx: ApiContext): Route[] {
  const check = validatorByKind(channelKinds);
  const one = recordRoutes(channel, {
    path: `${path}/:id`,
    params: idParams,
    restriction: channelOfPath,
    find: (params) => getChannel(ctx, params.id),
  });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getChannel',
      tag: 'Channels',
      schemaName: 'Channel',
      summary: 'Read a channel',
    }),
    one.change({
      scope: 'admin',
      operationId: 'updateChannel',
      tag: 'Channels',
      summary:
        'Rename, disable or enable a channel, or change its settings; null removes a setting',
      body: changeObject({ name, enabled: Type.Boolean(), settings: anySettings }),
      handle: ({ params, body, caller }) =>
        changeChannel(ctx, { ...body, ...params }, { actor: caller, check }),
    }),
    one.remove({
      scope: 'admin',
      operationId: 'deleteChannel',
      tag: 'Channels',
      summary: 'Delete a channel that no webhook uses; its chats stay',
      handle: ({ params, caller }) => removeChannel(ctx, params.id, caller),
    }),
    one.ask('test', {
      scope: 'operator',
      operationId: 'testChannel',
      tag: 'Channels',
      summary: 'Send a test message, without retries',
      answer: testResult(),
      handle: ({ params }) => testChannel(ctx, params.id),
    }),
    one.ask('probe', {
      scope: 'operator',
      operationId: 'probeChannel',
      tag: 'Channels',
      summary:
        'Check the connection and the credentials without a message; a success ends a failure of the channel',
      answer: probed,
      handle: ({ params, caller }) => probeChannel(ctx, params.id, caller),
    }),
  ];
}
