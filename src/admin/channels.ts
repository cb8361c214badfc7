/** Channels, as people manage them. */
import { AppError } from '../base/errors.ts';
import { channelKinds } from '../channels/registry.ts';
import type { Actor } from '../domain/audit.ts';
import type { ChannelKind, ChannelRecord } from '../domain/channel.ts';
import { isPhoneRegion } from '../domain/phone.ts';
import type { ChannelStore } from '../store/channels.ts';

export const presentChannel = (channel: ChannelRecord) => ({
  id: channel._id,
  name: channel.name,
  kind: channel.kind,
  settings: channel.settings,
  enabled: channel.enabled,
  createdAt: channel.createdAt.toISOString(),
  updatedAt: channel.updatedAt.toISOString(),
});

export type GivenChannel = {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly settings?: { readonly region?: string };
};

export function createChannels({ channels }: { readonly channels: ChannelStore }) {
  return {
    kinds: channelKinds,
    list: channels.list,

    async get(id: string): Promise<ChannelRecord> {
      const channel = await channels.get(id);
      if (!channel) throw new AppError('not_found');
      return channel;
    },

    create({ name, kind, settings = {} }: GivenChannel, actor: Actor): Promise<ChannelRecord> {
      if (settings.region !== undefined && !isPhoneRegion(settings.region)) {
        const fields = [{ path: '/settings/region', message: 'is no country with phone numbers' }];
        throw new AppError('invalid_field', { details: { fields } });
      }
      return channels.create({ name, kind, settings: { ...settings } }, actor);
    },
  };
}
