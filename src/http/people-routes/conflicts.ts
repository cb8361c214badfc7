/** /v1/admin/contacts/conflicts */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { ConflictView } from '../../admin/people/contacts.ts';
import { identityKinds, type IdentityKind } from '../../domain/people/contact.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { listQuery, presentPage, parsePaging, commaList } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import { strictObject, id, idParams, nullable, pageSchema, time } from '../routing/schemas.ts';
import { contact } from './contact-view.ts';
import { path as contactsPath } from './contacts.ts';

const path = `${contactsPath}/conflicts`;
const state = Type.Unsafe<'open' | 'resolved'>({ type: 'string', enum: ['open', 'resolved'] });
const resolution = Type.Unsafe<'merged' | 'dismissed' | 'erased'>({
  type: 'string',
  enum: ['merged', 'dismissed', 'erased'],
});

const conflict = strictObject({
  id,
  channelId: id,
  state,
  resolution: nullable(resolution),
  eventId: id,
  contacts: Type.Array(contact.answer, {
    description: 'The contacts; the one that the event was assigned to comes first.',
  }),
  named: Type.Array(
    strictObject({
      kind: Type.Unsafe<IdentityKind>({ type: 'string', enum: [...identityKinds] }),
      contactId: id,
    }),
    { description: 'The contact of each identity of the event; empty if that was not recorded.' },
  ),
  createdAt: time,
  resolvedAt: nullable(time),
});

const present = ({ conflict: record, contacts }: ConflictView) => ({
  id: record._id,
  channelId: record.channelId,
  state: record.resolvedAt ? ('resolved' as const) : ('open' as const),
  resolution: record.resolution ?? null,
  eventId: record.eventId,
  contacts: contacts.map(contact.present),
  named: [...(record.named ?? [])],
  createdAt: record.createdAt.toISOString(),
  resolvedAt: record.resolvedAt?.toISOString() ?? null,
});

const sortable = { createdAt: 'createdAt' };
const filters = {
  state: Type.Optional(state),
  channelId: commaList(id),
  contactId: commaList(id),
};

/** Must come before the routes of contacts, whose ids have the same position in the path. */
export const conflictRoutes = ({ contacts }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary:
      'List conflicts: events whose identities belong to two contacts. Default: open conflicts',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(conflict),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      const filter = { state: 'open' as const, ...query, channelId };
      return presentPage(await contacts.listConflicts(filter, wanted), wanted, present);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/:id/dismiss`,
    scope: 'operator',
    restriction: async (params) => ({
      channelId: (await contacts.getConflict(params.id)).channelId,
    }),
    summary: 'Dismiss a conflict: its contacts are different people',
    params: idParams,
    find: (params) => contacts.getConflict(params.id),
    body: strictObject({}),
    allowsEmptyBody: true,
    answer: conflict,
    handle: async ({ params, caller }) =>
      present(await contacts.dismissConflict(params.id, caller)),
  }),
];
