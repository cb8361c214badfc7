/** /v1/admin/contacts/erase, /v1/admin/blocks and /v1/admin/erasures */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { erasureCounts, type ErasureRecord } from '../../domain/people/erasure.ts';
import { listQuery, presentPage, parsePaging, filterText } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import { createView, fieldOf, isoDate } from '../routing/view.ts';
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
import { contactEtag } from './contact-view.ts';
import { path as contactsPath } from './contacts.ts';

const path = '/v1/admin/erasures';
const blockedPath = '/v1/admin/blocks';

const identifier = strictObject({ kind: text, hash: text });
const countsAnswer = strictObject(
  Object.fromEntries(erasureCounts.map((name) => [name, count])) as Record<
    (typeof erasureCounts)[number],
    typeof count
  >,
);
const field = fieldOf<ErasureRecord>();
const erasure = createView({
  id: field(id, ({ _id }) => _id),
  state: field(
    Type.Unsafe<'running' | 'done'>({ type: 'string', enum: ['running', 'done'] }),
    ({ open }) => (open ? 'running' : 'done'),
  ),
  contactIds: field(Type.Array(id), ({ contactIds }) => [...contactIds]),
  block: field(Type.Boolean(), ({ block }) => block),
  reason: field(nullable(text), ({ reason }) => reason),
  identifiers: field(Type.Array(identifier), ({ identifiers }) =>
    identifiers.map(({ kind, hash }) => ({ kind, hash })),
  ),
  counts: field(countsAnswer, ({ counts }) => counts),
  createdAt: field(time, ({ createdAt }) => createdAt.toISOString()),
  createdBy: field(text, ({ createdBy }) => createdBy.name),
  finishedAt: field(nullable(time), ({ finishedAt }) => isoDate(finishedAt)),
  audit: field(
    nullable(strictObject({ id, seq: count, hash: text })),
    ({ audit }) => audit && { id: audit._id, seq: audit.seq, hash: audit.hash },
  ),
});

type BlockedIdentity = Awaited<ReturnType<Admin['erasures']['listBlocked']>>['results'][number];
const blockedField = fieldOf<BlockedIdentity>();
const blocked = createView({
  id: blockedField(id, ({ _id }) => _id),
  channelId: blockedField(id, ({ channelId }) => channelId),
  kind: blockedField(text, ({ kind }) => kind),
  blockedAt: blockedField(time, ({ blockedAt }) => blockedAt.toISOString()),
  erasureId: blockedField(id, ({ erasureId }) => erasureId),
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

/** Must come before the routes of contacts, whose ids have the same position in the path. */
export const erasureRoutes = ({ contacts, erasures }: Admin): Route[] => [
  route({
    method: 'POST',
    path: `${contactsPath}/erase`,
    scope: 'admin',
    summary:
      'Erase a person everywhere, by phone, email or document, whether a contact exists or not',
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
    answer: erasure.answer,
    handle: async ({ body, caller }) => {
      const { block, reason, ...named } = body;
      const given = { ...(block && { block }), ...(reason && { reason }) };
      return erasure.present(await erasures.erasePerson(named, given, caller));
    },
  }),
  route({
    method: 'POST',
    path: `${contactsPath}/:id/erase`,
    scope: 'admin',
    summary: 'Erase this contact everywhere, with all contacts merged into it',
    params: idParams,
    find: (params) => contacts.get(params.id),
    etagOf: contactEtag,
    hasEtag: false,
    body: Type.Object(terms, { additionalProperties: false }),
    allowsEmptyBody: true,
    answer: erasure.answer,
    handle: async ({ params, body, caller }) => {
      const contact = await contacts.get(params.id);
      return erasure.present(await erasures.eraseContact(contact, body, caller));
    },
  }),
  ...blockRoutes(erasures),
  route({
    method: 'GET',
    path,
    scope: 'admin',
    summary: 'List erasures',
    query: listQuery(Object.keys(sortable), {}),
    answer: pageSchema(erasure.answer),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      return presentPage(await erasures.list(wanted), wanted, erasure.present);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'admin',
    summary: 'Read the progress of an erasure; when it is done, its certificate',
    params: idParams,
    answer: erasure.answer,
    handle: async ({ params }) => erasure.present(await erasures.get(params.id)),
  }),
];

const blockRoutes = (erasures: Admin['erasures']): Route[] => [
  route({
    method: 'GET',
    path: blockedPath,
    scope: 'admin',
    summary: 'List blocked identities, or check one by value',
    query: listQuery(Object.keys(blockedSortable), person),
    answer: pageSchema(blocked.answer),
    handle: async ({ query }) => {
      const wanted = parsePaging(query, blockedSortable, '-blockedAt');
      return presentPage(await erasures.listBlocked(query, wanted), wanted, blocked.present);
    },
  }),
  route({
    method: 'DELETE',
    path: `${blockedPath}/:id`,
    scope: 'admin',
    summary: 'Remove an identity from the block list',
    params: idParams,
    find: (params) => erasures.requireBlocked(params.id),
    answer: strictObject({}),
    handle: async ({ params, caller }) => {
      await erasures.unblock(params.id, caller);
      return {};
    },
  }),
];
