/** Contacts and identity conflicts: search, read, edit, merge and unmerge. */
import {
  AppError,
  invalidField,
  invalidQuery,
  orNotFound,
  valueOrThrow,
} from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import {
  fieldRegisterKey,
  identitiesOf,
  identityKinds,
  type ContactRecord,
  type IdentityKind,
} from '../../domain/people/contact.ts';
import { externalIdKeys } from '../../domain/people/external-id.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { parseContactEdit, parseContactFields } from '../../mapping/evaluation/contact-input.ts';
import type { ConflictFilter } from '../../store/people/conflicts.ts';
import type { ContactSearch } from '../../store/people/contact-queries.ts';
import type { ApiContext } from '../context.ts';
import type { ConflictRecord } from '../../store/people/records.ts';
import { textWith } from '../../base/texts/texts.ts';
import { getChannels, findChannel } from '../../store/channels/channels.ts';
import { listWebhookIds } from '../../store/webhooks/webhooks.ts';

/** A contact with its members, identities, chats, merges and the events and changes of its history. */
export type ContactDetails = NonNullable<Awaited<ReturnType<ApiContext['people']['readDetails']>>>;

/** Search by identities and by the beginning of the name. */
type ContactQuery = Pick<ContactSearch, 'search' | 'channelId'> &
  Partial<Readonly<Record<IdentityKind, readonly string[]>>> & {
    readonly webhookId?: readonly string[];
  };

type ContactEdit = Parameters<typeof parseContactEdit>[0] & {
  /** The fields that events do not overwrite. Absent: they stay. */
  readonly pins?: readonly string[];
};

/** Names of pinned fields: as the API writes them (`name`, `fields.city`), and as keys of registers. */
const fieldPrefix = 'fields.';
const pinToRegisterKey = (pin: string): string =>
  pin.startsWith(fieldPrefix) ? fieldRegisterKey(pin.slice(fieldPrefix.length)) : pin;
export const registerKeyToPin = (key: string): string =>
  key.startsWith('f:') ? fieldPrefix + decodeURIComponent(key.slice(2)) : key;

/** Returns null for one that is unknown. */
export const getContact = async (
  { people }: ApiContext,
  id: string,
): Promise<ContactRecord | null> => (await people.getMany([id]))[0] ?? null;

/** Limit of one identity query: a MongoDB query is a document of at most 16 MiB. */
const maxValues = 20_000;

/** Converts values to stored identities. Values that cannot be parsed are searched unchanged. */
async function identitiesIn(
  ctx: ApiContext,
  { kind, given }: { readonly kind: IdentityKind; readonly given: readonly string[] },
  { region, webhookId }: { region: string; webhookId: readonly string[] | undefined },
) {
  if (kind === 'externalId') {
    const ids = webhookId ?? (await listWebhookIds(ctx));
    if (ids.length * given.length > maxValues) {
      throw invalidQuery('webhookId', 'field.required_for_many_ids');
    }
    const keys = given.flatMap(externalIdKeys);
    return { kind, values: ids.flatMap((id) => keys.map((key) => `${id}:${key}`)) };
  }
  return { kind, values: given.map((text) => identityValue(kind, text, region) ?? text) };
}

/** Returns the ids of the contacts that have all the identities, or null if the query has no identity. */
async function findIds(ctx: ApiContext, query: ContactQuery): Promise<string[] | null> {
  const { channelId = [], webhookId } = query;
  const [channel] = channelId.length === 1 ? await getChannels(ctx, channelId) : [];
  const region = regionOf(channel, ctx.defaultRegion);
  const wanted = await Promise.all(
    identityKinds.flatMap((kind) => {
      const given = query[kind];
      return given ? [identitiesIn(ctx, { kind, given }, { region, webhookId })] : [];
    }),
  );
  const found = await Promise.all(wanted.map((one) => ctx.people.findByIdentity(one)));
  const [first, ...others] = found.map((ids) => new Set(ids));
  if (!first) return null;
  return [...first].filter((id) => others.every((ids) => ids.has(id)));
}

/** Throws `invalid_query` if external ids would be searched in too many webhooks, or for a webhook without one. */
export async function listContacts(
  ctx: ApiContext,
  query: ContactQuery,
  page: Page,
): Promise<Paged<ContactRecord>> {
  const { search, channelId, webhookId, externalId } = query;
  if (webhookId && !externalId) throw invalidQuery('webhookId', 'field.requires_external_id');
  const ids = await findIds(ctx, query);
  return ctx.people.list(
    { ...(search && { search }), ...(channelId && { channelId }), ...(ids && { ids }) },
    page,
  );
}

/** Throws `not_found`. */
export const readContact = async ({ people }: ApiContext, id: string): Promise<ContactDetails> =>
  orNotFound(await people.readDetails(id));

/** Throws `not_found`, `invalid_field`, or `conflict` with the state that forbids the change. */
export async function editContact(
  ctx: ApiContext,
  { _id, channelId }: Pick<ContactRecord, '_id' | 'channelId'>,
  { pins, actor, ...given }: ContactEdit & { readonly actor: Actor },
): Promise<void> {
  const region = regionOf(await findChannel(ctx, channelId), ctx.defaultRegion);
  const edited = await ctx.people.edit(_id, {
    ...parseContactEdit(given, { channelId, region }),
    ...(pins && { pinned: pins.map(pinToRegisterKey) }),
    actor,
  });
  if (!edited.ok && edited.reason === 'missing_value') {
    throw invalidField(
      '/pins',
      textWith('field.no_value', { name: registerKeyToPin(edited.missing) }),
    );
  }
  valueOrThrow(edited, 'conflict');
}

/** Merges a contact into another. Returns the survivor and the merge's id. Throws as `editContact`. */
export async function mergeContact(
  ctx: ApiContext,
  { id, contactId }: { readonly id: string; readonly contactId: string },
  actor: Actor,
) {
  if (!(await getContact(ctx, contactId))) throw invalidField('/contactId', 'field.missing_record');
  const merged = valueOrThrow(await ctx.people.merge(id, contactId, actor), 'conflict');
  return { mergeId: merged._id, merged: await readContact(ctx, id) };
}

export async function unmergeContact(
  ctx: ApiContext,
  { id, mergeId }: { readonly id: string; readonly mergeId?: string },
  actor: Actor,
) {
  const undone = await ctx.people.unmerge(id, mergeId ?? null, actor);
  if (!undone.ok && undone.reason === 'not_found') {
    throw invalidField('/mergeId', 'field.other_merge');
  }
  const { _id, mergedId } = valueOrThrow(undone, 'conflict');
  return { mergeId: _id, unmergedId: mergedId, restored: await readContact(ctx, id) };
}

/** Returns the stored value of an identity, or null if the text cannot be parsed. */
export function identityValue(
  kind: Exclude<IdentityKind, 'externalId'>,
  text: string,
  region: string,
): string | null {
  try {
    const values = parseContactFields({ [kind]: text }, region);
    const scope = { channelId: '', webhookId: '' };
    return identitiesOf({ ...values, externalId: null }, scope)[0]?.value ?? null;
  } catch {
    return null;
  }
}

export type ConflictView = ConflictRecord & { readonly contacts: readonly ContactRecord[] };

async function withContacts(
  { people }: ApiContext,
  conflict: ConflictRecord,
): Promise<ConflictView> {
  const found = await people.getMany(conflict.contactIds);
  const byId = new Map(found.map((contact) => [contact._id, contact]));
  return { ...conflict, contacts: conflict.contactIds.flatMap((id) => byId.get(id) ?? []) };
}

export async function listConflicts(
  ctx: ApiContext,
  filter: ConflictFilter,
  page: Page,
): Promise<Paged<ConflictView>> {
  const found = await ctx.people.listConflicts(filter, page);
  return {
    ...found,
    results: await Promise.all(found.results.map((one) => withContacts(ctx, one))),
  };
}

/** Throws, with the resolution, `invalid_transition` for one that is resolved. */
export async function dismissConflict(
  ctx: ApiContext,
  id: string,
  actor: Actor,
): Promise<ConflictView> {
  const dismissed = await ctx.people.dismissConflict(id, actor);
  if (dismissed.ok) return withContacts(ctx, dismissed.value);
  const { resolution = 'open' } = orNotFound(await ctx.people.getConflict(id));
  throw new AppError('invalid_transition', { details: { state: resolution } });
}
