/** /v1/admin/tokens: for unrestricted tokens only. */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { scopes, tokenStates, type Caller, type Token } from '../../domain/access/token.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../../http/requests/query.ts';
import { WithEtag } from '../../http/requests/etag.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  flag,
  changeObject,
  strictObject,
  id,
  idParams,
  name,
  nullable,
  time,
  stringEnum,
  timeText,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { changeToken, createToken, revokeToken } from './tokens.ts';

const path = '/v1/admin/tokens';
const scope = stringEnum(scopes);
const state = stringEnum(tokenStates);
const ids = Type.Array(id, { minItems: 1, maxItems: 100, uniqueItems: true });

const { field, view } = viewsOf<Token>();
const token = view(
  {
    id,
    name,
    scopes: Type.Array(scope),
    restriction: nullable(strictObject({ webhookIds: Type.Array(id), channelIds: Type.Array(id) })),
    maskContacts: field(Type.Boolean(), ({ maskContacts }) => maskContacts === true),
    createdAt: time,
    expiresAt: nullable(time),
    revokedAt: nullable(time),
    lastUsedAt: nullable(time),
  },
  { untagged: ['lastUsedAt'] },
);
const newToken = strictObject({
  ...token.answer.properties,
  token: Type.String({ description: 'The token, shown only once.' }),
});

export const callerToken = strictObject({
  id,
  name,
  scopes: Type.Array(scope),
  restricted: Type.Boolean({
    description: 'Whether it is restricted to some webhooks or channels.',
  }),
});

export const presentCaller = ({ tokenId, name: own, scopes: may, restriction }: Caller) => ({
  id: tokenId,
  name: own,
  scopes: [...may],
  restricted: restriction !== null,
});

const filters = {
  name: commaList(filterText),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A part of the name; case is ignored.',
    }),
  ),
  scope: commaList(scope),
  state: commaList(state),
  ...dateRange,
};

const given = strictObject({
  name,
  scopes: Type.Array(scope, { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  expiresAt: Type.Optional(nullable(timeText)),
  webhookIds: Type.Optional(ids),
  channelIds: Type.Optional(ids),
  maskContacts: flag(
    'The conversations API masks numbers, addresses, documents and fields of contacts. For the scope `inbox` alone.',
  ),
});

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

export const tokenRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'admin',
    operationId: 'createToken',
    tag: 'Tokens',
    summary:
      'Create a token, optionally restricted to webhooks and channels; only this response contains it',
    status: 201,
    body: given,
    answer: newToken,
    handle: async ({ body, caller }) => {
      const wanted = { ...body, expiresAt: dateOf(body.expiresAt) };
      const made = await createToken(ctx, wanted, caller);
      const data = { ...token.present(made.stored), token: made.token };
      return new WithEtag(data, token.etagOf(made.stored));
    },
  }),
  listRoute(token, {
    path,
    scope: 'admin',
    operationId: 'listTokens',
    tag: 'Tokens',
    summary: 'List tokens, revoked and expired ones included',
    sortable: { name: 'name', createdAt: 'createdAt', lastUsedAt: 'lastUsedAt' },
    sortBy: '-createdAt',
    filters,
    list: ({ query }, page) => ctx.tokens.list({ ...query, ...parseDateRange(query) }, page),
  }),
  route({
    method: 'GET',
    path: `${path}/current`,
    scope: 'viewer',
    restriction: 'anything',
    operationId: 'getCurrentToken',
    tag: 'Tokens',
    summary: 'Read the scopes and restriction of the token of this request',
    answer: callerToken,
    handle: ({ caller }) => Promise.resolve(presentCaller(caller)),
  }),
  ...oneTokenRoutes(ctx),
];

function oneTokenRoutes(ctx: ApiContext): Route[] {
  const record = {
    path: `${path}/:id`,
    params: idParams,
    find: (params: Static<typeof idParams>) => ctx.tokens.get(params.id),
  };
  const one = recordRoutes(token, record);
  return [
    one.read({
      scope: 'admin',
      operationId: 'getToken',
      tag: 'Tokens',
      schemaName: 'Token',
      summary: 'Read a token, without the token itself',
    }),
    one.change({
      scope: 'admin',
      operationId: 'updateToken',
      tag: 'Tokens',
      summary: 'Rename a token or change its expiry; its scopes stay',
      body: changeObject({ name, expiresAt: nullable(timeText) }),
      handle: ({ params, body, caller }) => {
        const { expiresAt, ...named } = body;
        const set = { ...named, ...(expiresAt !== undefined && { expiresAt: dateOf(expiresAt) }) };
        return changeToken(ctx, { ...set, ...params }, caller);
      },
    }),
    resourceRoute(token, {
      ...record,
      method: 'DELETE',
      scope: 'admin',
      operationId: 'deleteToken',
      tag: 'Tokens',
      summary: 'Revoke a token; its record stays',
      handle: ({ params, caller }) => revokeToken(ctx, params.id, caller),
    }),
  ];
}
