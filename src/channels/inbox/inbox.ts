import type { Channel } from '../channel.ts';
import { regionSetting } from '../delivery-settings.ts';

/** The kind without a destination: contacts, chats and messages stay in Inlet. */
export const inbox: Channel = {
  kind: 'inbox',
  settingsSchema: {
    type: 'object',
    properties: { region: regionSetting },
    additionalProperties: false,
  },
};
