/** /v1/admin/contacts */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentContact, type WholeContact } from '../../admin/people/contact.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { createEtag, WithEtag } from '../requests/etag.ts';
import { ranks, type Rank } from '../../domain/people/register-layers.ts';
import { narrowIds, type ResourceOwner } from '../../domain/access/token.ts';
import { listQuery, presentPage, parsePaging, commaList, filterText } from '../requests/query.ts';
import { route, type Route } from '../routing/route.ts';
import {
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  text,
  stringMap,
  time,
} from '../routing/schemas.ts';

export const path = '/v1/admin/contacts';

const enumOf = <Word extends string>(...words: Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: words });
export const status = enumOf('active', 'merged', 'erased');

const listed = {
  id,
  channelId: id,
  status,
  mergedInto: nullable({ ...id, description: 'Whom it turned out to be.' }),
  name: nullable(text),
  phone: nullable(text),
  email: nullable(text),
  document: nullable(text),
  externalId: nullable(text),
  fields: stringMap,
  pins: Type.Array(text, { description: 'Fields that events do not overwrite.' }),
  createdAt: time,
  updatedAt: time,
};
export const contact = strictObject(listed);

const register = strictObject({
  field: text,
  value: text,
  pinned: Type.Boolean(),
  by: enumOf('event', 'person'),
  rank: Type.Unsafe<Rank>({
    type: 'string',
    enum: [...ranks],
    description:
      'Which of two values a merge shows: a pinned one before one with a date of its own, that before an undated one; then the later.',
  }),
  at: nullable(text),
  eventId: nullable(id),
  contactId: nullable(id),
  beneath: nullable(
    Type.String({ description: 'What events say, where a pin shows something else.' }),
  ),
});

const history = strictObject({
  at: time,
  kind: enumOf('event', 'change'),
  what: nullable(text),
  eventId: nullable(id),
  by: nullable(text),
  contactId: nullable(id),
});

const chat = strictObject({
  id,
  status: text,
  startedAt: time,
  closedAt: nullable(time),
  lastMessageAt: nullable(time),
  contactId: id,
});

const whole = {
  ...listed,
  registers: Type.Array(register),
  identities: Type.Array(
    strictObject({
      kind: enumOf('externalId', 'phone', 'email', 'document'),
      value: text,
      webhookId: nullable(id),
      contactId: id,
    }),
  ),
  chats: Type.Array(chat),
  merges: Type.Array(strictObject({ id, survivorId: id, mergedId: id, at: time, by: text })),
  history: Type.Array(history),
};

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

/** What somebody may edit is in the list as well: the history and the chats that grow beside it are no part of the tag. */
export const tagOf = (record: ContactRecord) => createEtag(presentContact(record));

function tagged(shown: WholeContact): WithEtag<WholeContact> {
  const { registers: _registers, identities: _identities, ...rest } = shown;
  const { chats: _chats, merges: _merges, history: _history, ...listedPart } = rest;
  return new WithEtag(shown, createEtag(listedPart), false);
}

/** With what a merge says beside it. */
function beside<More extends object>(
  more: More,
  shown: WholeContact,
): WithEtag<More & WholeContact> {
  return new WithEtag({ ...more, ...shown }, tagged(shown).tag, false);
}

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
    reach: 'narrowed',
    summary: 'Search contacts: by how the name begins, by an identity, by channel',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(contact),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const channelId = narrowIds(caller.restriction?.channelIds, query.channelId);
      return presentPage(
        await contacts.list({ ...query, channelId }, wanted),
        wanted,
        presentContact,
      );
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    reach: ofContact(contacts),
    summary: 'Read a contact: where each value comes from, identities, chats, merges and history',
    params: idParams,
    answer: strictObject(whole),
    handle: async ({ params }) => tagged(await contacts.read(params.id)),
  }),
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'operator',
    reach: ofContact(contacts),
    summary: 'Edit fields; those in `pins`, which is given whole, are not overwritten by events',
    params: idParams,
    exists: (params) => contacts.get(params.id),
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
    tagOf,
    answer: strictObject(whole),
    handle: async ({ params, body, caller }) =>
      tagged(await contacts.change(params.id, body, caller)),
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
    exists: (params) => contacts.get(params.id),
    body: strictObject({ contactId: id }),
    tagOf,
    answer: strictObject({ mergeId: id, ...whole }),
    handle: async ({ params, body, caller }) => {
      const { mergeId, ...shown } = await contacts.merge(params.id, body.contactId, caller);
      return beside({ mergeId }, shown);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/:id/unmerge`,
    scope: 'operator',
    reach: ofContact(contacts),
    summary: 'Take a merge into this contact back; the last one where none is named',
    params: idParams,
    exists: (params) => contacts.get(params.id),
    body: Type.Object({ mergeId: Type.Optional(id) }, { additionalProperties: false }),
    action: true,
    tagOf,
    answer: strictObject({ mergeId: id, unmergedId: id, ...whole }),
    handle: async ({ params, body, caller }) => {
      const undone = await contacts.unmerge(params.id, body.mergeId ?? null, caller);
      const { mergeId, unmergedId, ...shown } = undone;
      return beside({ mergeId, unmergedId }, shown);
    },
  }),
];
