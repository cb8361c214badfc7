/** /v1/admin/contacts/erase, /v1/admin/blocks and /v1/admin/erasures */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentBlocked, presentErasure } from '../../admin/people/erasures.ts';
import { erasureCounts } from '../../domain/people/erasure.ts';
import { listQuery, presentPage, parsePaging, filterText } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  text,
  time,
} from '../routing/schemas.ts';
import { path as contactsPath, tagOf } from './contacts.ts';

const path = '/v1/admin/erasures';
const blockedPath = '/v1/admin/blocks';

const erasure = strictObject({
  id,
  state: Type.Unsafe<'running' | 'done'>({ type: 'string', enum: ['running', 'done'] }),
  contactIds: Type.Array(id),
  block: Type.Boolean(),
  reason: nullable(text),
  identifiers: Type.Array(strictObject({ kind: text, hash: text })),
  counts: strictObject(
    Object.fromEntries(erasureCounts.map((name) => [name, count])) as Record<
      (typeof erasureCounts)[number],
      typeof count
    >,
  ),
  createdAt: time,
  createdBy: text,
  finishedAt: nullable(time),
  audit: nullable(strictObject({ id, seq: count, hash: text })),
});

const blocked = strictObject({
  id,
  channelId: id,
  kind: text,
  blockedAt: time,
  erasureId: id,
});

const terms = {
  block: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};
const person = {
  phone: Type.Optional(filterText),
  email: Type.Optional(filterText),
  document: Type.Optional(filterText),
  channelId: Type.Optional(id),
};
const sortable = { createdAt: 'createdAt' };
const blockedSortable = { blockedAt: 'blockedAt' };

/** Before the contacts themselves, whose ids stand in the same place. */
export const erasureRoutes = ({ contacts, erasures }: Admin): Route[] => [
  route({
    method: 'POST',
    path: `${contactsPath}/erase`,
    scope: 'admin',
    summary: 'Forget a person everywhere, by number, address or document, known here or not',
    body: Type.Object(
      { ...person, ...terms },
      {
        additionalProperties: false,
        anyOf: (['phone', 'email', 'document'] as const).map((one) => ({
          required: [one],
          properties: { [one]: {} },
        })),
      },
    ),
    answer: erasure,
    handle: async ({ body, caller }) => {
      const { block, reason, ...named } = body;
      const given = { ...(block && { block }), ...(reason && { reason }) };
      return presentErasure(await erasures.erasePerson(named, given, caller));
    },
  }),
  route({
    method: 'POST',
    path: `${contactsPath}/:id/erase`,
    scope: 'admin',
    summary: 'Forget this person everywhere, with all who were merged into them',
    params: idParams,
    exists: (params) => contacts.get(params.id),
    tagOf,
    tagged: false,
    body: Type.Object(terms, { additionalProperties: false }),
    action: true,
    answer: erasure,
    handle: async ({ params, body, caller }) => {
      const contact = await contacts.get(params.id);
      return presentErasure(await erasures.eraseContact(contact, body, caller));
    },
  }),
  ...blockRoutes(erasures),
  route({
    method: 'GET',
    path,
    scope: 'admin',
    summary: 'List erasures',
    query: listQuery(Object.keys(sortable), {}),
    answer: pageSchema(erasure),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      return presentPage(await erasures.list(wanted), wanted, presentErasure);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    summary: 'Read how far an erasure is; once it is done, its certificate',
    params: idParams,
    answer: erasure,
    handle: async ({ params }) => presentErasure(await erasures.get(params.id)),
  }),
];

const blockRoutes = (erasures: Admin['erasures']): Route[] => [
  route({
    method: 'GET',
    path: blockedPath,
    scope: 'admin',
    summary: 'List the identities that must not come back; by value, whether it is one of them',
    query: listQuery(Object.keys(blockedSortable), person),
    answer: pageSchema(blocked),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, blockedSortable, '-blockedAt');
      return presentPage(await erasures.listBlocked(query, wanted), wanted, presentBlocked);
    },
  }),
  route({
    method: 'DELETE',
    path: `${blockedPath}/:id`,
    scope: 'admin',
    summary: 'Let an identity come back',
    params: idParams,
    exists: (params) => erasures.requireBlocked(params.id),
    answer: strictObject({}),
    handle: async ({ params, caller }) => {
      await erasures.unblock(params.id, caller);
      return {};
    },
  }),
];
