/** Contacts of the conversations API: find, and create in one or several channels. */
import { invalidField, orNotFound, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { canonicalPhone, parseStoredPhone } from '../../domain/people/phone.ts';
import { parseContactEdit, type ContactFields } from '../../mapping/evaluation/contact-input.ts';
import type { ApiContext } from '../context.ts';
import { getChannels } from '../../store/channels/channels.ts';

export type NewContact = ContactFields & {
  readonly fields: Readonly<Record<string, string>>;
  readonly channelIds: readonly string[];
};

/** Returns the contact, or the one that it was merged into. Throws `not_found`. */
export const requireContact = async ({ inbox }: ApiContext, id: string): Promise<ContactRecord> =>
  orNotFound(await inbox.getContact(id));

/** Throws `not_found`. Without channels: of all. */
export async function findByPhone(
  { inbox }: ApiContext,
  e164: string,
  channelIds: readonly string[] | undefined,
): Promise<ContactRecord> {
  const phone = parseStoredPhone(e164, null);
  const found = phone && (await inbox.findByPhone(canonicalPhone(phone), channelIds));
  return orNotFound(found || null);
}

/** Creates the contact in each channel, or in none. Throws `conflict` with the contact that has an identity already. */
export async function createContact(
  ctx: ApiContext,
  { channelIds, ...given }: NewContact,
  actor: Actor,
): Promise<ContactRecord> {
  const wanted = [...new Set(channelIds)];
  const found = new Map(
    (await getChannels(ctx, wanted))
      .filter(({ deletedAt }) => !deletedAt)
      .map((channel) => [channel._id, channel]),
  );
  const missing = wanted.findIndex((id) => !found.has(id));
  if (missing !== -1) throw invalidField(`/channel_ids/${missing}`, 'field.missing_record');
  const parsed = wanted.map((channelId) => {
    const region = regionOf(found.get(channelId), ctx.defaultRegion);
    return { channelId, ...parseContactEdit(given, { channelId, region }) };
  });
  const created = await ctx.people.create(parsed, actor);
  const [first] = valueOrThrow(created, 'conflict');
  if (!first) throw invalidField('/channel_ids', 'field.no_channel');
  return first;
}
