/** Contacts: search, edit, merge, unmerge, and identity conflicts. */
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
import type { PeopleStore } from '../../store/people/people.ts';
import type { ApiContext } from '../context.ts';
import type { ConflictRecord } from '../../store/people/records.ts';

/** A contact with its members, identities, chats, merges and the events and changes of its history. */
type ContactDetails = NonNullable<Awaited<ReturnType<PeopleStore['readDetails']>>>;

type ContactDeps = Pick<ApiContext, 'people' | 'channels' | 'webhooks' | 'defaultRegion'>;

/** Search by identities and by the beginning of the name. */
type ContactQuery = Pick<ContactSearch, 'search' | 'channelId'> &
  Partial<Readonly<Record<IdentityKind, readonly string[]>>> & {
    readonly webhookId?: readonly string[];
  };

type ContactInput = Parameters<typeof parseContactEdit>[0] & {
  readonly pins?: readonly string[];
};

/** Names of pinned fields: as the API writes them (`name`, `fields.city`), and as keys of registers. */
const fieldPrefix = 'fields.';
const pinToRegisterKey = (pin: string): string =>
  pin.startsWith(fieldPrefix) ? fieldRegisterKey(pin.slice(fieldPrefix.length)) : pin;
export const registerKeyToPin = (key: string): string =>
  key.startsWith('f:') ? fieldPrefix + decodeURIComponent(key.slice(2)) : key;

export function createContacts(deps: ContactDeps) {
  const { people } = deps;
  return {
    /** Null for one that is unknown. */
    get: async (id: string): Promise<ContactRecord | null> =>
      (await people.getMany([id]))[0] ?? null,
    read: async (id: string): Promise<ContactDetails> => orNotFound(await people.readDetails(id)),
    listIdentities: async (id: string, page: Page) =>
      orNotFound(await people.listIdentityPage(id, page)),
    ...createContactSearch(deps),
    ...createChanges(deps),
    ...createConflicts(people),
  };
}

/** Limit of one identity query: a MongoDB query is a document of at most 16 MiB. */
const maxValues = 20_000;

function createContactSearch({ people, channels, webhooks, defaultRegion }: ContactDeps) {
  /** Returns the ids of matching contacts, or null if the query has no identity. */
  async function idsOf(query: ContactQuery): Promise<string[] | null> {
    const { channelId = [], webhookId } = query;
    const [channel] = channelId.length === 1 ? await channels.getMany(channelId) : [];
    const region = regionOf(channel, defaultRegion);
    const wanted = await Promise.all(
      identityKinds.flatMap((kind) => {
        const given = query[kind];
        return given ? [valuesOf(kind, given, { region, webhookId })] : [];
      }),
    );
    const found = await Promise.all(wanted.map((one) => people.findByIdentity(one)));
    const [first, ...others] = found.map((ids) => new Set(ids));
    if (!first) return null;
    return [...first].filter((id) => others.every((ids) => ids.has(id)));
  }

  /** Converts values to stored identities. Values that cannot be parsed are searched unchanged. */
  async function valuesOf(
    kind: IdentityKind,
    given: readonly string[],
    { region, webhookId }: { region: string; webhookId: readonly string[] | undefined },
  ) {
    if (kind === 'externalId') {
      const ids = webhookId ?? (await webhooks.listIds());
      if (ids.length * given.length > maxValues) {
        throw invalidQuery('webhookId', 'is required for this many external ids');
      }
      const keys = given.flatMap(externalIdKeys);
      return { kind, values: ids.flatMap((id) => keys.map((key) => `${id}:${key}`)) };
    }
    const values = given.map((text) => identityValue(kind, text, region) ?? text);
    return { kind, values };
  }

  return {
    /** Lists contacts. Throws `invalid_query` if external ids would be searched in too many webhooks, or for a webhook without one. */
    async list(query: ContactQuery, page: Page): Promise<Paged<ContactRecord>> {
      const { search, channelId, webhookId, externalId } = query;
      if (webhookId && !externalId) throw invalidQuery('webhookId', 'requires externalId');
      const ids = await idsOf(query);
      return people.list(
        { ...(search && { search }), ...(channelId && { channelId }), ...(ids && { ids }) },
        page,
      );
    },
  };
}

function createChanges({ people, channels, defaultRegion }: ContactDeps) {
  const read = async (id: string): Promise<ContactDetails> =>
    orNotFound(await people.readDetails(id));

  return {
    /**
     * Edits a contact. Throws `not_found`, `invalid_field`, or `conflict` with the state that forbids the
     * change.
     */
    async change(id: string, given: ContactInput, actor: Actor): Promise<ContactDetails> {
      const { channelId } = orNotFound((await people.getMany([id]))[0]);
      const region = regionOf(await channels.get(channelId), defaultRegion);
      const edited = await people.edit(id, {
        ...parseContactEdit(given, { channelId, region }),
        ...(given.pins && { pinned: given.pins.map(pinToRegisterKey) }),
        actor,
      });
      if (!edited.ok && edited.reason === 'missing_value') {
        throw invalidField('/pins', `${registerKeyToPin(edited.missing)} has no value`);
      }
      valueOrThrow(edited, 'conflict');
      return read(id);
    },

    /** Merges a contact into another. Returns the survivor and the merge's id. Throws as `change`. */
    async merge(id: string, contactId: string, actor: Actor) {
      if ((await people.getMany([contactId])).length === 0) {
        throw invalidField('/contactId', 'does not exist');
      }
      const merged = valueOrThrow(await people.merge(id, contactId, actor), 'conflict');
      return { mergeId: merged._id, merged: await read(id) };
    },

    async unmerge(id: string, mergeId: string | null, actor: Actor) {
      const undone = await people.unmerge(id, mergeId, actor);
      if (!undone.ok && undone.reason === 'not_found') {
        throw invalidField('/mergeId', 'is not a merge of this contact');
      }
      const { _id, mergedId } = valueOrThrow(undone, 'conflict');
      return { mergeId: _id, unmergedId: mergedId, restored: await read(id) };
    },
  };
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

function createConflicts(people: PeopleStore) {
  async function withContacts(conflict: ConflictRecord): Promise<ConflictView> {
    const found = await people.getMany(conflict.contactIds);
    const byId = new Map(found.map((contact) => [contact._id, contact]));
    return { ...conflict, contacts: conflict.contactIds.flatMap((id) => byId.get(id) ?? []) };
  }

  return {
    getConflict: people.getConflict,
    async listConflicts(filter: ConflictFilter, page: Page): Promise<Paged<ConflictView>> {
      const found = await people.listConflicts(filter, page);
      return { ...found, results: await Promise.all(found.results.map(withContacts)) };
    },
    async dismissConflict(id: string, actor: Actor): Promise<ConflictView> {
      const dismissed = await people.dismissConflict(id, actor);
      if (dismissed.ok) return withContacts(dismissed.value);
      const { resolution = 'open' } = orNotFound(await people.getConflict(id));
      throw new AppError('invalid_transition', { details: { state: resolution } });
    },
  };
}
