/** /v1/admin/contacts */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { commaList, filterText } from '../requests/query.ts';
import { channelOf } from '../auth/authorization.ts';
import { listRoute } from '../routing/list.ts';
import { route, type Route } from '../routing/route.ts';
import { changeObject, strictObject, id, idParams } from '../routing/schemas.ts';
import { contact, contactEtag, wholeContact } from './contact-view.ts';

export const path = '/v1/admin/contacts';

const filters = {
  search: Type.Optional(filterText),
  channelId: commaList(id),
  phone: commaList(filterText),
  email: commaList(filterText),
  document: commaList(filterText),
  externalId: commaList(filterText),
  webhookId: commaList(id),
};

const value = Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S' });
const fieldName = '^(?:name|phone|email|document|externalId|fields\\..{1,200})$';

export const contactRoutes = ({ contacts }: Admin): Route[] => [
  listRoute(contact, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'Search contacts by name prefix, identity or channel',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters,
    list: ({ query, caller }, page) => {
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      return contacts.list({ ...query, channelId }, page);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: channelOf(contacts.get),
    summary: 'Read a contact: the origin of each value, identities, chats, merges and history',
    params: idParams,
    answer: wholeContact.answer,
    handle: async ({ params }) => wholeContact.show(await contacts.read(params.id), {}),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'operator',
    restriction: channelOf(contacts.get),
    summary:
      'Update fields of a contact. `pins` replaces the list of fields that events do not overwrite',
    params: idParams,
    find: (params) => contacts.get(params.id),
    body: changeObject({
      name: value,
      phone: value,
      email: value,
      document: value,
      fields: Type.Unsafe<Record<string, string>>({
        type: 'object',
        propertyNames: { minLength: 1, maxLength: 200 },
        maxProperties: 100,
        additionalProperties: value,
      }),
      pins: Type.Array(Type.String({ pattern: fieldName }), { maxItems: 100 }),
    }),
    etagOf: contactEtag,
    answer: wholeContact.answer,
    handle: async ({ params, body, caller }) =>
      wholeContact.show(await contacts.change(params.id, body, caller), {}),
  }),
  ...mergingRoutes(contacts),
];

const mergingRoutes = (contacts: Admin['contacts']): Route[] => [
  route({
    method: 'POST',
    path: `${path}/:id/merge`,
    scope: 'operator',
    summary: 'Merge another contact into this one',
    params: idParams,
    find: (params) => contacts.get(params.id),
    body: strictObject({ contactId: id }),
    etagOf: contactEtag,
    answer: strictObject({ mergeId: id, ...wholeContact.answer.properties }),
    handle: async ({ params, body, caller }) => {
      const { mergeId, merged } = await contacts.merge(params.id, body.contactId, caller);
      return wholeContact.show(merged, { mergeId });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/:id/unmerge`,
    scope: 'operator',
    restriction: channelOf(contacts.get),
    summary: 'Undo a merge into this contact, by default the last one',
    params: idParams,
    find: (params) => contacts.get(params.id),
    body: strictObject({ mergeId: Type.Optional(id) }),
    allowsEmptyBody: true,
    etagOf: contactEtag,
    answer: strictObject({ mergeId: id, unmergedId: id, ...wholeContact.answer.properties }),
    handle: async ({ params, body, caller }) => {
      const { restored, ...ids } = await contacts.unmerge(params.id, body.mergeId ?? null, caller);
      return wholeContact.show(restored, ids);
    },
  }),
];
