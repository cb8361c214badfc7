/** /v1/chat/contacts */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { AppError, invalidField } from '../../base/errors.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { channelOf, requireChannelAccess } from '../../http/auth/authorization.ts';
import { statusOf, toAppError } from '../../http/error-handler.ts';
import { commaList } from '../../http/requests/query.ts';
import { compileValidator, requireValid } from '../../http/requests/validation.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type Call, type Route } from '../../http/routing/route.ts';
import {
  contactFields,
  id,
  idParams,
  name,
  nullable,
  strictObject,
  stringEnum,
  text,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { editContact } from '../people/contacts.ts';
import { onlyTests } from './chat-routes.ts';
import { createContact, findByPhone, requireContact, type NewContact } from './contacts.ts';
import { contact, presentContact, type Viewer } from './views.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';

const path = '/v1/chat/contacts';

// A plus sign that is not escaped in a URL is a space.
const phoneDdi = Type.String({
  pattern: '^[+ ]?[1-9][0-9]{0,2}$',
  description: 'The country code, with or without a plus sign.',
});
const phone = Type.String({
  pattern: '[0-9]',
  maxLength: 40,
  description: 'The national digits; a Brazilian mobile’s ninth digit may be missing.',
});

const e164Of = (given: { readonly phone_ddi: string; readonly phone: string }): string =>
  `+${given.phone_ddi.replaceAll(/\D/g, '')}${given.phone.replaceAll(/\D/g, '')}`;

const maxFields = 100;
const own = {
  email: Type.Optional(nullable(Type.String({ maxLength: 320 }))),
  document: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  fields: Type.Optional(contactFields(Type.String({ maxLength: 5_000 }))),
};
const scalar = Type.Union([Type.String({ maxLength: 5_000 }), Type.Number(), Type.Boolean()]);
/** A list is written as its values with commas. */
const field = Type.Union([scalar, Type.Null(), Type.Array(scalar, { maxItems: 100 })]);

/** Members that the schema does not name become fields of the contact. */
const newContact = Type.Object(
  {
    name,
    phone_ddi: phoneDdi,
    phone,
    channel_ids: Type.Array(id, { minItems: 1, maxItems: 20 }),
    ...own,
  },
  {
    additionalProperties: field,
    maxProperties: maxFields,
    description: 'Further members become fields of the contact.',
    examples: [
      {
        name: 'Ana Souza',
        phone_ddi: '55',
        phone: '11987654321',
        channel_ids: ['0198c0de-0000-7000-8000-000000000001'],
      },
    ],
  },
);
const contactChange = Type.Object(
  {
    name: Type.Optional(name),
    phone_ddi: Type.Optional(phoneDdi),
    phone: Type.Optional(phone),
    ...own,
  },
  {
    additionalProperties: field,
    minProperties: 1,
    maxProperties: maxFields,
    description: 'Further members become fields of the contact.',
  },
);

const known = new Set(Object.keys({ ...newContact.properties }));

type Given = {
  readonly email?: string | null;
  readonly document?: string | null;
  readonly fields?: Readonly<Record<string, string>>;
};

type FieldValue = string | number | boolean;

/** Checked by the schema. */
const textOf = (value: unknown): string => ([value].flat() as FieldValue[]).map(String).join(', ');

/** The optional fields of a body, and its further members as text. Empty ones are absent. */
function ownFieldsOf({ email, document, fields, ...rest }: Given) {
  const further = Object.entries(rest).flatMap(([key, value]: [string, unknown]) =>
    known.has(key) || value === null || value === '' ? [] : [[key, textOf(value)] as const],
  );
  return {
    ...(email && { email }),
    ...(document && { document }),
    fields: { ...fields, ...Object.fromEntries(further) },
  };
}

const inputOf = (body: Static<typeof newContact>): NewContact => ({
  name: body.name,
  phone: e164Of(body),
  channelIds: body.channel_ids,
  ...ownFieldsOf(body),
});

/** Each item is checked by itself, and has a result of its own. */
const batch = Type.Array(Type.Object({}, { additionalProperties: true }), {
  minItems: 1,
  maxItems: 100,
});
const checkNewContact = compileValidator(newContact);
type Batch = readonly object[] | { readonly contacts: readonly object[] };
const itemsOf = (body: Batch): readonly object[] => ('contacts' in body ? body.contacts : body);

const batchResult = strictObject({
  status: stringEnum(['created', 'failed']),
  id: nullable(id),
  contact_id: nullable(id),
  code: nullable(text),
  contactId: nullable({
    ...id,
    description: 'The contact that has the number already. Null for tokens with masked contacts.',
  }),
});

type Caused = Pick<Call, 'caller' | 'executor'>;

async function createFor(
  ctx: ApiContext,
  body: Static<typeof newContact>,
  { caller, executor }: Caused,
) {
  for (const [index, channelId] of body.channel_ids.entries())
    requireChannelAccess(caller, channelId, { path: `/channel_ids/${index}` });
  const created = createContact(ctx, inputOf(body), executor.actor);
  return caller.maskContacts ? created.catch(withoutContact) : created;
}

/** Rethrows without the contact: its id would say which number is whose. */
function withoutContact(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.details.contactId === undefined) throw thrown;
  const { contactId: _contactId, ...details } = thrown.details;
  throw new AppError(thrown.code, { details, cause: thrown });
}

/** A rejection is the result of its item; any other error ends the batch. */
async function createOfBatch(
  ctx: ApiContext,
  body: object,
  caused: Caused,
): Promise<Static<typeof batchResult>> {
  try {
    requireValid('invalid_field', checkNewContact(body));
    const { _id } = await createFor(ctx, body as Static<typeof newContact>, caused);
    return { status: 'created', id: _id, contact_id: _id, code: null, contactId: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (statusOf[error.kind] >= 500) throw thrown;
    const { contactId = null } = error.details;
    return { status: 'failed', id: null, contact_id: null, code: error.code, contactId };
  }
}

/** A contact of a list, and who reads it. */
type Seen = { readonly record: ContactRecord; readonly caller: Viewer };

export const conversationContactRoutes = (ctx: ApiContext): Route[] => [
  listRoute(
    { answer: contact, present: ({ record, caller }: Seen) => presentContact(record, caller) },
    {
      path,
      scope: 'inbox',
      restriction: 'narrowed',
      operationId: 'listChatContacts',
      tag: 'Contacts',
      summary: 'List contacts, newest first',
      // Not by the last change: each event would then update an index.
      sortable: { created_at: 'createdAt' },
      sortBy: '-created_at',
      filters: { test: onlyTests, filter_channel_id: commaList(id) },
      list: async ({ query, caller }, page) => {
        const channelIds = narrowIds(caller.restriction?.channelIds, query.filter_channel_id);
        const found = await ctx.inbox.listContacts(
          { ...(channelIds && { channelIds }), test: query.test === true },
          page,
        );
        return { ...found, results: found.results.map((record) => ({ record, caller })) };
      },
    },
  ),
  ...creatingRoutes(ctx),
  route({
    method: 'GET',
    path: `${path}/by-phone`,
    scope: 'inbox',
    restriction: 'narrowed',
    operationId: 'findChatContactByPhone',
    tag: 'Contacts',
    summary: 'Find a contact by its number; of several channels, the contact changed last',
    query: strictObject({ phone_ddi: phoneDdi, phone, filter_channel_id: commaList(id) }),
    findsOne: true,
    answer: contact,
    handle: async ({ query, caller }) => {
      const channelIds = narrowIds(caller.restriction?.channelIds, query.filter_channel_id);
      return presentContact(await findByPhone(ctx, e164Of(query), channelIds), caller);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'inbox',
    restriction: channelOf((contactId) => requireContact(ctx, contactId)),
    operationId: 'getChatContact',
    tag: 'Contacts',
    schemaName: 'ChatContact',
    summary: 'Read a contact, or the one that it was merged into',
    params: idParams,
    answer: contact,
    handle: async ({ params, caller }) =>
      presentContact(await requireContact(ctx, params.id), caller),
  }),
  ...changingRoutes(ctx),
];

/** The path of a batch must come before `/:id`. */
const creatingRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'inbox',
    restriction: 'narrowed',
    operationId: 'createChatContact',
    tag: 'Contacts',
    summary: 'Create a contact in each of the channels, or in none',
    status: 201,
    body: newContact,
    allowsForm: true,
    answer: contact,
    handle: async (call) => presentContact(await createFor(ctx, call.body, call), call.caller),
  }),
  route({
    method: 'POST',
    path: `${path}/batch`,
    scope: 'inbox',
    restriction: 'narrowed',
    operationId: 'createChatContacts',
    tag: 'Contacts',
    summary:
      'Create up to 100 contacts, with a result for each; for tokens with masked contacts each counts as a request',
    status: 201,
    body: Type.Union([batch, strictObject({ contacts: batch })]),
    allowsList: true,
    itemsOf: (body) => itemsOf(body).length,
    answer: strictObject({ results: Type.Array(batchResult) }),
    handle: async (call) => {
      const results: Static<typeof batchResult>[] = [];
      for (const one of itemsOf(call.body)) results.push(await createOfBatch(ctx, one, call));
      return { results };
    },
  }),
];

const changingRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'PATCH',
    path: `${path}/:id`,
    scope: 'inbox',
    restriction: channelOf((contactId) => requireContact(ctx, contactId)),
    operationId: 'updateChatContact',
    tag: 'Contacts',
    summary: 'Change a contact; fields that are absent stay',
    params: idParams,
    find: (params) => requireContact(ctx, params.id),
    body: contactChange,
    allowsForm: true,
    answer: contact,
    handle: async ({ params, body, caller, executor }) => {
      // What is masked would be written back.
      if (caller.maskContacts) throw new AppError('forbidden');
      const { name: newName, phone_ddi, phone: number } = body;
      if ((phone_ddi === undefined) !== (number === undefined)) {
        throw invalidField(number === undefined ? '/phone' : '/phone_ddi', 'field.required');
      }
      const input = {
        ...(newName !== undefined && { name: newName }),
        ...(phone_ddi !== undefined &&
          number !== undefined && { phone: e164Of({ phone_ddi, phone: number }) }),
        ...ownFieldsOf(body),
        actor: executor.actor,
      };
      await editContact(ctx, await requireContact(ctx, params.id), input);
      return presentContact(await requireContact(ctx, params.id), caller);
    },
  }),
];
