/** /v1/admin/contacts/conflicts */
import { Type } from 'typebox';
import { identityKinds } from '../../domain/people/contact.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { commaList } from '../../http/requests/query.ts';
import { channelOf } from '../../http/auth/authorization.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  emptyBody,
  strictObject,
  id,
  idParams,
  nullable,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { ApiContext } from '../context.ts';
import { contact } from './contact-view.ts';
import { dismissConflict, listConflicts, type ConflictView } from './contacts.ts';
import { path as contactsPath } from './contact-routes.ts';

const path = `${contactsPath}/conflicts`;
const state = stringEnum(['open', 'resolved']);
const resolution = stringEnum(['merged', 'dismissed', 'erased']);

const named = strictObject({ kind: stringEnum(identityKinds), contactId: id });

const { field, view } = viewsOf<ConflictView>();
const conflict = view({
  id,
  channelId: id,
  state: field(state, ({ resolvedAt }) => (resolvedAt ? 'resolved' : 'open')),
  resolution: nullable(resolution),
  eventId: id,
  contacts: field(
    Type.Array(contact.answer, {
      description: 'The contacts; the one that the event was assigned to comes first.',
    }),
    ({ contacts }) => contacts.map((one) => contact.present(one)),
  ),
  named: field(
    Type.Array(named, { description: 'The contact of each identity of the event.' }),
    (shown) => [...shown.named],
  ),
  createdAt: time,
  resolvedAt: nullable(time),
});

/** Must come before the routes of contacts, whose ids have the same position in the path. */
export const conflictRoutes = (ctx: ApiContext): Route[] => [
  listRoute(conflict, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listContactConflicts',
    tag: 'Contacts',
    schemaName: 'ContactsConflict',
    summary:
      'List conflicts: events whose identities belong to two contacts. Default: open conflicts',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters: { state: Type.Optional(state), channelId: commaList(id), contactId: commaList(id) },
    list: ({ query, caller }, page) => {
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      return listConflicts(ctx, { state: 'open', ...query, channelId }, page);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/:id/dismiss`,
    scope: 'operator',
    restriction: channelOf(ctx.people.getConflict),
    operationId: 'dismissContactConflict',
    tag: 'Contacts',
    summary: 'Dismiss a conflict: its contacts are different people',
    params: idParams,
    find: (params) => ctx.people.getConflict(params.id),
    ...emptyBody,
    answer: conflict.answer,
    handle: async ({ params, caller }) =>
      conflict.present(await dismissConflict(ctx, params.id, caller)),
  }),
];
