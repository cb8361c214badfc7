/** Contacts that clients create and change, one by one or in batches. */
import { invalidField, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import { parseContactEdit, type ContactFields } from '../../mapping/evaluation/contact-input.ts';
import type { ApiContext } from '../context.ts';

type ContactInput = ContactFields & {
  readonly fields: Readonly<Record<string, string>>;
};
export type NewContactInput = ContactInput & { readonly channelIds: readonly string[] };

export function createContacts(deps: ApiContext) {
  const { people, channels, defaultRegion } = deps;

  /** Returns the values by register key, and the identities in the channel. Throws `invalid_field`. */
  async function parse(given: ContactInput, channelId: string) {
    const region = regionOf(await channels.get(channelId), defaultRegion);
    return parseContactEdit(given, { channelId, region });
  }

  return {
    /** Creates the contact in each channel, or in none. Throws `conflict` with the contact that has an identity already. */
    async create({ channelIds, ...given }: NewContactInput, actor: Actor): Promise<ContactRecord> {
      const wanted = [...new Set(channelIds)];
      const found = new Set(
        (await channels.getMany(wanted))
          .filter(({ deletedAt }) => !deletedAt)
          .map(({ _id }) => _id),
      );
      const missing = wanted.findIndex((id) => !found.has(id));
      if (missing !== -1) throw invalidField(`/channel_ids/${missing}`, 'does not exist');
      const parsed = await Promise.all(
        wanted.map(async (channelId) => ({ channelId, ...(await parse(given, channelId)) })),
      );
      const created = await people.create(parsed, actor);
      const [first] = valueOrThrow(created, 'conflict');
      if (!first) throw invalidField('/channel_ids', 'must name a channel');
      return first;
    },

    /** Throws `not_found`, `invalid_field`, or `conflict` as `create`. */
    async change(contact: ContactRecord, input: ContactInput, actor: Actor): Promise<void> {
      const { channelId, _id } = contact;
      const edited = await people.edit(_id, { ...(await parse(input, channelId)), actor });
      valueOrThrow(edited, 'conflict');
    },
  };
}
