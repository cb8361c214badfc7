/** /v1/admin/contacts */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { commaList, filterText } from '../../http/requests/query.ts';
import { channelOf } from '../../http/auth/authorization.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  changeObject,
  contactFields,
  strictObject,
  id,
  idParams,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { contact, contactEtag, identity, wholeContact } from './contact-view.ts';
import {
  editContact,
  getContact,
  listContacts,
  mergeContact,
  readContact,
  unmergeContact,
} from './contacts.ts';

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

export const contactRoutes = (ctx: ApiContext): Route[] => [
  listRoute(contact, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    heavy: { kind: 'search', when: ['search'] },
    operationId: 'listContacts',
    tag: 'Contacts',
    schemaName: 'ContactSummary',
    summary: 'Search contacts by name prefix, identity or channel',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters,
    list: ({ query, caller }, page) => {
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      return listContacts(ctx, { ...query, channelId }, page);
    },
  }),
  ...oneContactRoutes(ctx),
];

/** What the routes of one contact have in common. */
const ofContact = (ctx: ApiContext) => ({
  params: idParams,
  find: (params: Static<typeof idParams>) => getContact(ctx, params.id),
  etagOf: contactEtag,
});

function oneContactRoutes(ctx: ApiContext): Route[] {
  const one = { ...ofContact(ctx), restriction: channelOf((id) => getContact(ctx, id)) };
  return [
    route({
      ...one,
      find: undefined,
      etagOf: undefined,
      method: 'GET',
      path: `${path}/:id`,
      scope: 'viewer',
      operationId: 'getContact',
      tag: 'Contacts',
      schemaName: 'Contact',
      summary: 'Read a contact: the origin of each value, identities, chats, merges and history',
      answer: wholeContact.answer,
      handle: async ({ params }) => wholeContact.show(await readContact(ctx, params.id), {}),
    }),
    listRoute(identity, {
      path: `${path}/:id/identities`,
      scope: 'viewer',
      restriction: one.restriction,
      operationId: 'listContactIdentities',
      tag: 'Contacts',
      schemaName: 'ContactIdentity',
      summary: 'List the identities of a contact and of the contacts merged into it',
      params: idParams,
      sortable: { kind: 'kind' },
      sortBy: 'kind',
      list: async ({ params }, page) =>
        orNotFound(await ctx.people.listIdentityPage(params.id, page)),
    }),
    route({
      ...one,
      method: 'PATCH',
      path: `${path}/:id`,
      scope: 'operator',
      operationId: 'updateContact',
      tag: 'Contacts',
      summary:
        'Update fields of a contact. `pins` replaces the list of fields that events do not overwrite',
      body: changeObject({
        name: value,
        phone: value,
        email: value,
        document: value,
        fields: contactFields(value),
        pins: Type.Array(Type.String({ pattern: fieldName }), { maxItems: 100 }),
      }),
      answer: wholeContact.answer,
      handle: async ({ params, body, caller }) => {
        const edited = orNotFound(await getContact(ctx, params.id));
        await editContact(ctx, edited, { ...body, actor: caller });
        return wholeContact.show(await readContact(ctx, params.id), {});
      },
    }),
    ...mergeRoutes(ctx),
  ];
}

function mergeRoutes(ctx: ApiContext): Route[] {
  const named = ofContact(ctx);
  return [
    route({
      ...named,
      method: 'POST',
      path: `${path}/:id/merge`,
      scope: 'operator',
      operationId: 'mergeContact',
      tag: 'Contacts',
      summary: 'Merge another contact into this one',
      body: strictObject({ contactId: id }),
      answer: strictObject({ mergeId: id, ...wholeContact.answer.properties }),
      handle: async ({ params, body, caller }) => {
        const { mergeId, merged } = await mergeContact(ctx, { ...body, ...params }, caller);
        return wholeContact.show(merged, { mergeId });
      },
    }),
    route({
      ...named,
      restriction: channelOf((id) => getContact(ctx, id)),
      method: 'POST',
      path: `${path}/:id/unmerge`,
      scope: 'operator',
      operationId: 'unmergeContact',
      tag: 'Contacts',
      summary: 'Undo a merge into this contact, by default the last one',
      body: strictObject({ mergeId: Type.Optional(id) }),
      allowsEmptyBody: true,
      answer: strictObject({ mergeId: id, unmergedId: id, ...wholeContact.answer.properties }),
      handle: async ({ params, body, caller }) => {
        const { restored, ...ids } = await unmergeContact(ctx, { ...body, ...params }, caller);
        return wholeContact.show(restored, ids);
      },
    }),
  ];
}
