/** /v1/admin/channels */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentChannel } from '../../admin/channels.ts';
import { channelKindNames, type ChannelKind } from '../../domain/channel.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import { exactly, id, idParams, name, page, time } from '../shapes.ts';

const kind = Type.Unsafe<ChannelKind>({ type: 'string', enum: [...channelKindNames] });

const channel = exactly({
  id,
  name,
  kind,
  settings: Type.Record(Type.String(), Type.Unknown()),
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

/** As the one kind's own schema has them. */
const settingsOf = ({ kinds }: Admin['channels']) =>
  Type.Unsafe<{ region?: string }>({ ...kinds.inbox.settingsSchema });

export const channelRoutes = ({ channels }: Admin): Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/channels',
    scope: 'admin',
    summary: 'Make a channel',
    status: 201,
    body: exactly({ name, kind, settings: Type.Optional(settingsOf(channels)) }),
    answer: channel,
    handle: async ({ body, caller }) => presentChannel(await channels.create(body, caller)),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/channels',
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
    path: '/v1/admin/channels/:id',
    scope: 'viewer',
    summary: 'Read a channel',
    params: idParams,
    answer: channel,
    handle: async ({ params }) => presentChannel(await channels.get(params.id)),
  }),
];
