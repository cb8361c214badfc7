/** The kinds of destination that a channel can be. */
import type { ChannelKind } from '../domain/channel.ts';
import type { Channel } from './channel.ts';

/** Contacts, chats and messages appear in Inlet itself. */
const inbox: Channel = {
  kind: 'inbox',
  settingsSchema: {
    type: 'object',
    properties: {
      region: {
        type: 'string',
        pattern: '^[A-Z]{2}$',
        description: 'Where phone numbers without a country code belong.',
      },
    },
    additionalProperties: false,
  },
};

export const channelKinds = { inbox } satisfies Record<ChannelKind, Channel>;
