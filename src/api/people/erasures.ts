/** Erasure of a person, and the block list. */
import { randomBytes, createHmac } from 'node:crypto';
import { AppError, orNotFound, refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { failure } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import { identitiesOf, identityChannelOf, type Identity } from '../../domain/people/contact.ts';
import {
  maxSought,
  noErasureCounts,
  type ErasureRecord,
  type ErasureSubject,
} from '../../domain/people/erasure.ts';
import type { Page } from '../../domain/pagination.ts';
import type { ApiContext } from '../context.ts';
import { getContact, identityValue } from './contacts.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';
import { getChannels, listChannelIds } from '../../store/channels/channels.ts';

type ErasureOptions = { readonly block?: boolean; readonly reason?: string };
type NamedPerson = Partial<Readonly<Record<'phone' | 'email' | 'document' | 'channelId', string>>>;

type NewErasure = { readonly sought: ErasureSubject; readonly owned: number };

/** `owned`: the number of identities, also of those that are not in `sought`. */
function newErasure(
  { sought, owned }: NewErasure,
  { block, reason }: ErasureOptions,
  actor: Actor,
): ErasureRecord {
  const salt = randomBytes(32).toString('hex');
  const hashOf = (kind: string, value: string) =>
    createHmac('sha256', salt).update(`${kind}:${value}`).digest('hex');
  const hashes = new Map(
    sought.identities.map(({ kind, value }) => [hashOf(kind, value), kind] as const),
  );
  return {
    _id: newId(),
    open: true,
    nextAt: new Date(0),
    phase: 'events',
    cursor: null,
    group: null,
    sought,
    salt,
    identifiers: [...hashes].map(([hash, kind]) => ({ kind, hash })),
    identifiersTotal: Math.max(owned, hashes.size),
    contactIds: sought.contactIds,
    block: block ?? false,
    reason: reason ?? null,
    counts: noErasureCounts,
    createdAt: new Date(),
    createdBy: { tokenId: actor.tokenId, name: actor.name },
    finishedAt: null,
    audit: null,
  };
}

type Begin = ErasureOptions & {
  readonly actor: Actor;
  /** The contact that the actor named. */
  readonly contactId?: string;
};

async function beginErasure(
  { people, erasures, wakeErasure }: ApiContext,
  sought: ErasureSubject,
  { actor, contactId, ...options }: Begin,
): Promise<ErasureRecord> {
  const owned = await people.countIdentities(sought.contactIds);
  const begun = await erasures.begin(
    newErasure({ sought, owned }, options, actor),
    actor,
    contactId,
  );
  wakeErasure();
  return begun;
}

/** Returns the contacts with all merged contacts and their counterparts in other channels, and the identities of all. */
async function subjectOf(
  { people }: ApiContext,
  ids: readonly string[],
  given: readonly Identity[],
): Promise<ErasureSubject> {
  const own = await people.mergeTreeIds(ids);
  const counterparts = await people.listCounterparts(own);
  const contactIds = [...new Set([...own, ...(await people.mergeTreeIds(counterparts))])];
  const owned = await people.listIdentities(contactIds, maxSought);
  const known = await people.getMany(contactIds);
  const channelOf = new Map(known.map(({ _id, channelId }) => [_id, channelId]));
  const rows = [
    ...owned.map(({ contactId, test, ...row }) => {
      const channelId = identityChannelOf(channelOf.get(contactId) ?? '', test);
      return { ...row, channelId };
    }),
    ...given,
  ].map(({ _id, channelId, kind, value }) => [_id, { _id, channelId, kind, value }] as const);
  const identities = [...new Map(rows).values()];
  const channels = [...known, ...identities].map(({ channelId }) => channelId);
  return { contactIds, identities, channelIds: [...new Set(channels)] };
}

/** Erases the person of a contact. Throws `not_found`, or `conflict` if the contact is already erased. */
export async function eraseContact(
  ctx: ApiContext,
  { id: contactId, ...options }: ErasureOptions & { readonly id: string },
  actor: Actor,
): Promise<ErasureRecord> {
  const { erased } = orNotFound(await getContact(ctx, contactId));
  if (erased) throw refusal(failure('erased'), 'conflict');
  return beginErasure(ctx, await subjectOf(ctx, [contactId], []), { ...options, actor, contactId });
}

/** Erases who has one of the identities, whether there is a contact or not. */
export async function erasePerson(
  ctx: ApiContext,
  { block, reason, ...named }: ErasureOptions & NamedPerson,
  actor: Actor,
): Promise<ErasureRecord> {
  const { people } = ctx;
  const given = await identitiesFor(ctx, named);
  const found = await Promise.all(
    given.map(async ({ kind, value, channelId }) => {
      const ids = await people.findByIdentity({ kind, values: [value] });
      const owners = await people.getMany(ids);
      return owners.filter((one) => one.channelId === channelId).map(({ _id }) => _id);
    }),
  );
  const sought = await subjectOf(ctx, [...new Set(found.flat())], given);
  return beginErasure(ctx, sought, { block, reason, actor });
}

const kinds = ['phone', 'email', 'document'] as const;

/** Returns the identities in each channel. Throws `code` for values that cannot be parsed. */
async function identitiesFor(
  ctx: ApiContext,
  named: NamedPerson,
  code: 'invalid_field' | 'invalid_query' = 'invalid_field',
): Promise<Identity[]> {
  const ids = named.channelId ? [named.channelId] : await listChannelIds(ctx);
  const all = await getChannels(ctx, ids);
  const problems = new Map<string, PublicText>();
  const identities = all.flatMap((channel) => {
    const region = regionOf(channel, ctx.defaultRegion);
    const values = kinds.map((kind) => {
      const text = named[kind];
      if (text === undefined) return null;
      const value = identityValue(kind, text, region);
      if (value === null) problems.set(kind, textWith('field.invalid_identity', { kind }));
      return value;
    });
    const [phone = null, email = null, document = null] = values;
    const scope = { channelId: channel._id, webhookId: '' };
    return identitiesOf({ externalId: null, phone, email, document }, scope);
  });
  if (problems.size > 0) {
    const fields = [...problems].map(([kind, message]) => ({
      path: code === 'invalid_query' ? kind : `/${kind}`,
      message,
    }));
    throw new AppError(code, { details: { fields } });
  }
  return identities;
}

/** Throws `not_found` unless the identity is blocked. */
export async function requireBlocked({ erasures }: ApiContext, id: string): Promise<void> {
  if (!(await erasures.isBlocked(id))) throw new AppError('not_found');
}

/** Lists blocked identities; with a phone, email or document, only matching ones. */
export async function listBlocked(ctx: ApiContext, named: NamedPerson, page: Page) {
  const isAsked = kinds.some((kind) => named[kind] !== undefined);
  const asked = isAsked ? await identitiesFor(ctx, named, 'invalid_query') : null;
  return ctx.erasures.listBlocked(asked && asked.map(({ _id }) => _id), page);
}

export async function unblock({ erasures }: ApiContext, id: string, actor: Actor): Promise<void> {
  if (!(await erasures.unblock(id, actor)).ok) throw new AppError('not_found');
}
