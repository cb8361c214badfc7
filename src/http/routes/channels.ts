/** /v1/admin/channels */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentChannel } from '../../admin/channels.ts';
import { channelKindNames, type ChannelKind } from '../../domain/channel.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import { compileCheck, refuse, type Check } from '../validation.ts';
import { exactly, id, idParams, name, orNull, page, text, time } from '../shapes.ts';

const path = '/v1/admin/channels';
const kind = Type.Unsafe<ChannelKind>({ type: 'string', enum: [...channelKindNames] });
const anySettings = Type.Record(Type.String(), Type.Unknown());

const channel = exactly({
  id,
  name,
  kind,
  settings: anySettings,
  enabled: Type.Boolean(),
  createdAt: time,
  updatedAt: time,
});

const sortable = { name: 'name', createdAt: 'createdAt', updatedAt: 'updatedAt' };
const filters = {
  name: several(word),
  kind: several(kind),
  enabled: Type.Optional(Type.Boolean()),
  ...dates,
};

/** Settings are as the kind's own schema has them. */
const newChannel = ({ kinds }: Admin['channels']) =>
  Type.Object(
    { name, kind, settings: Type.Optional(anySettings) },
    {
      additionalProperties: false,
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
  route({
    method: 'POST',
    path,
    scope: 'admin',
    summary: 'Make a channel',
    status: 201,
    body: newChannel(channels),
    answer: channel,
    handle: async ({ body, caller }) => presentChannel(await channels.create(body, caller)),
  }),
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary: 'List channels',
    query: listQuery(Object.keys(sortable), filters),
    answer: page(channel),
    handle: async ({ query }) => {
      const wanted = pageOf(query, sortable, '-createdAt');
      const found = await channels.list({ ...query, ...rangeOf(query) }, wanted);
      return paged(found, wanted, presentChannel);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    summary: 'Read a channel',
    params: idParams,
    answer: channel,
    handle: async ({ params }) => presentChannel(await channels.get(params.id)),
  }),
  ...changingRoutes(channels),
];

const changingRoutes = (channels: Admin['channels']): Route[] => {
  const checks = Object.fromEntries(
    Object.values(channels.kinds).map((one) => [one.kind, compileCheck(one.settingsSchema)]),
  ) as Readonly<Record<ChannelKind, Check>>;
  return [
    route({
      method: 'PATCH',
      path: `${path}/:id`,
      scope: 'admin',
      summary: 'Rename a channel, switch it off or on, or give it other settings (whole)',
      params: idParams,
      exists: (params) => channels.get(params.id),
      body: Type.Object(
        {
          name: Type.Optional(name),
          enabled: Type.Optional(Type.Boolean()),
          settings: Type.Optional(anySettings),
        },
        { additionalProperties: false, minProperties: 1 },
      ),
      answer: channel,
      handle: async ({ params, body, caller }) => {
        const { kind: given } = await channels.get(params.id);
        const problems = body.settings ? checks[given](body.settings) : [];
        refuse(
          'invalid_field',
          problems.map(({ path: place, message }) => ({ path: `/settings${place}`, message })),
        );
        return presentChannel(await channels.change(params.id, body, caller));
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/test`,
      scope: 'operator',
      summary: 'Send a message that is marked as a test, once',
      params: idParams,
      exists: (params) => channels.get(params.id),
      body: exactly({}),
      action: true,
      answer: exactly({
        outcome: Type.Unsafe<'delivered' | 'failed'>({
          type: 'string',
          enum: ['delivered', 'failed'],
        }),
        reason: orNull(text),
      }),
      handle: ({ params }) => channels.test(params.id),
    }),
  ];
};
