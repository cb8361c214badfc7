import type { Channel } from '../channel.ts';
import { regionSetting } from '../region-setting.ts';

/** Contacts, chats and messages appear in Inlet itself. */
export const inbox: Channel = {
  kind: 'inbox',
  settingsSchema: {
    type: 'object',
    properties: { region: regionSetting },
    additionalProperties: false,
  },
};
