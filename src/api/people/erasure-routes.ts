/** /v1/admin/contacts/erase, /v1/admin/blocks and /v1/admin/erasures */
import { Type } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import { erasureCounts, maxSought, type ErasureRecord } from '../../domain/people/erasure.ts';
import { filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  nothing,
  count,
  strictObject,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { contactEtag } from './contact-view.ts';
import { getContact } from './contacts.ts';
import { eraseContact, erasePerson, listBlocked, requireBlocked, unblock } from './erasures.ts';
import { path as contactsPath } from './contact-routes.ts';

const path = '/v1/admin/erasures';
const blockedPath = '/v1/admin/blocks';

const countsAnswer = strictObject(
  Object.fromEntries(erasureCounts.map((name) => [name, count])) as Record<
    (typeof erasureCounts)[number],
    typeof count
  >,
);
const { field, view } = viewsOf<ErasureRecord>();
const erasure = view({
  id,
  state: field(stringEnum(['running', 'done']), ({ open }) => (open ? 'running' : 'done')),
  contactIds: Type.Array(id),
  block: Type.Boolean(),
  reason: nullable(text),
  identifiers: Type.Array(strictObject({ kind: text, hash: text })),
  identifiersTotal: Type.Integer({
    description: `Also of those that are not listed. Up to ${maxSought} of the contacts are listed.`,
  }),
  counts: countsAnswer,
  createdAt: time,
  createdBy: field(text, ({ createdBy }) => createdBy.name),
  finishedAt: nullable(time),
  audit: field(nullable(strictObject({ id })), ({ audit }) => audit && { id: audit._id }),
});

type BlockedIdentity = Awaited<ReturnType<typeof listBlocked>>['results'][number];
const blocked = viewsOf<BlockedIdentity>().view({
  id,
  channelId: id,
  kind: text,
  blockedAt: time,
  erasureId: id,
});

const options = {
  block: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};
const person = {
  phone: Type.Optional(filterText),
  email: Type.Optional(filterText),
  document: Type.Optional(filterText),
  channelId: Type.Optional(id),
};

/** Must come before the routes of contacts, whose ids have the same position in the path. */
export const erasureRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path: `${contactsPath}/erase`,
    scope: 'admin',
    operationId: 'eraseContacts',
    tag: 'Contacts',
    summary:
      'Erase a person everywhere, by phone, email or document, whether a contact exists or not',
    body: strictObject(
      { ...person, ...options },
      {
        anyOf: (['phone', 'email', 'document'] as const).map((one) => ({
          required: [one],
          properties: { [one]: {} },
        })),
      },
    ),
    answer: erasure.answer,
    handle: async ({ body, caller }) => erasure.present(await erasePerson(ctx, body, caller)),
  }),
  route({
    method: 'POST',
    path: `${contactsPath}/:id/erase`,
    scope: 'admin',
    operationId: 'eraseContact',
    tag: 'Contacts',
    summary: 'Erase this contact everywhere, with all contacts merged into it',
    params: idParams,
    find: (params) => getContact(ctx, params.id),
    etagOf: contactEtag,
    hasEtag: false,
    body: strictObject(options),
    allowsEmptyBody: true,
    answer: erasure.answer,
    handle: async ({ params, body, caller }) =>
      erasure.present(await eraseContact(ctx, { ...body, ...params }, caller)),
  }),
  ...blockRoutes(ctx),
  listRoute(erasure, {
    path,
    scope: 'admin',
    operationId: 'listErasures',
    tag: 'Erasures',
    summary: 'List erasures',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    list: (_call, page) => ctx.erasures.list(page),
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    operationId: 'getErasure',
    tag: 'Erasures',
    schemaName: 'Erasure',
    summary: 'Read the progress of an erasure; when it is done, its certificate',
    params: idParams,
    answer: erasure.answer,
    handle: async ({ params }) => erasure.present(orNotFound(await ctx.erasures.get(params.id))),
  }),
];

const blockRoutes = (ctx: ApiContext): Route[] => [
  listRoute(blocked, {
    path: blockedPath,
    scope: 'admin',
    operationId: 'listBlocks',
    tag: 'Blocks',
    schemaName: 'Block',
    summary: 'List blocked identities, or check one by value',
    sortable: { blockedAt: 'blockedAt' },
    sortBy: '-blockedAt',
    filters: person,
    list: ({ query }, page) => listBlocked(ctx, query, page),
  }),
  route({
    method: 'DELETE',
    path: `${blockedPath}/:id`,
    scope: 'admin',
    operationId: 'deleteBlock',
    tag: 'Blocks',
    summary: 'Remove an identity from the block list',
    params: idParams,
    find: (params) => requireBlocked(ctx, params.id),
    answer: nothing,
    handle: ({ params, caller }) => unblock(ctx, params.id, caller),
  }),
];
