/** /v1/admin/contacts */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { narrowIds, type ResourceOwner } from '../../domain/access/token.ts';
import { listQuery, presentPage, parsePaging, commaList, filterText } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import { strictObject, id, idParams, pageSchema } from '../routing/schemas.ts';
import { contact, contactEtag, wholeContact } from './contact-view.ts';

export const path = '/v1/admin/contacts';

const sortable = { createdAt: 'createdAt' };
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

const ofContact =
  (contacts: Admin['contacts']) =>
  async (params: { id: string }): Promise<ResourceOwner> => {
    const { channelId } = await contacts.get(params.id);
    return { channelId };
  };

export const contactRoutes = ({ contacts }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'Search contacts by name prefix, identity or channel',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(contact.answer),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      return presentPage(
        await contacts.list({ ...query, channelId }, wanted),
        wanted,
        contact.present,
      );
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: ofContact(contacts),
    summary: 'Read a contact: the origin of each value, identities, chats, merges and history',
    params: idParams,
    answer: wholeContact.answer,
    handle: async ({ params }) => wholeContact.show(await contacts.read(params.id), {}),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'operator',
    restriction: ofContact(contacts),
    summary:
      'Update fields of a contact. `pins` replaces the list of fields that events do not overwrite',
    params: idParams,
    find: (params) => contacts.get(params.id),
    body: Type.Object(
      {
        name: Type.Optional(value),
        phone: Type.Optional(value),
        email: Type.Optional(value),
        document: Type.Optional(value),
        fields: Type.Optional(
          Type.Unsafe<Record<string, string>>({
            type: 'object',
            propertyNames: { minLength: 1, maxLength: 200 },
            maxProperties: 100,
            additionalProperties: value,
          }),
        ),
        pins: Type.Optional(Type.Array(Type.String({ pattern: fieldName }), { maxItems: 100 })),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
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
    restriction: ofContact(contacts),
    summary: 'Undo a merge into this contact, by default the last one',
    params: idParams,
    find: (params) => contacts.get(params.id),
    body: Type.Object({ mergeId: Type.Optional(id) }, { additionalProperties: false }),
    allowsEmptyBody: true,
    etagOf: contactEtag,
    answer: strictObject({
      mergeId: id,
      unmergedId: id,
      ...wholeContact.answer.properties,
    }),
    handle: async ({ params, body, caller }) => {
      const undone = await contacts.unmerge(params.id, body.mergeId ?? null, caller);
      const { mergeId, unmergedId, restored } = undone;
      return wholeContact.show(restored, { mergeId, unmergedId });
    },
  }),
];
