/** The settings of a Telegram channel. */
import type { FieldProblem } from '../../base/errors.ts';
import type { ChannelSettings, OutboundOptions } from '../channel.ts';
import {
  deliverySettings,
  eventMessagesSetting,
  regionSetting,
  apiUrlSetting,
  apiUrlOf,
  originIn,
} from '../delivery-settings.ts';
import { urlProblems } from '../http/call-destination.ts';

const defaultApiUrl = 'https://api.telegram.org';

export const settingsSchema = {
  type: 'object',
  properties: {
    botToken: {
      type: 'string',
      pattern: '^\\d{5,20}:[A-Za-z0-9_-]{20,100}$',
      writeOnly: true,
      description: 'The token of the bot: @BotFather → /newbot, or /token for a bot that exists.',
    },
    testChatId: {
      type: 'string',
      pattern: '^-?\\d{1,20}$',
      description:
        'The chat that receives test messages: your own numeric id, after you have written to the bot.',
    },
    apiUrl: apiUrlSetting(
      `The Bot API, such as a server of your own; ${defaultApiUrl} by default.`,
    ),
    ...eventMessagesSetting,
    ...deliverySettings('none'),
    region: regionSetting,
  },
  required: ['botToken'],
  additionalProperties: false,
} as const;

type Method = 'sendMessage' | 'getMe' | 'setWebhook' | 'getWebhookInfo';

/** Contains the token. */
export const methodUrl = (settings: ChannelSettings, method: Method): URL =>
  new URL(`${apiUrlOf(settings, defaultApiUrl)}/bot${String(settings.botToken)}/${method}`);

export const originOf = (settings: ChannelSettings): string | null =>
  originIn(apiUrlOf(settings, defaultApiUrl));

export const validateSettings = (
  settings: ChannelSettings,
  options: OutboundOptions,
): readonly FieldProblem[] =>
  settings.apiUrl === undefined ? [] : urlProblems(settings, 'apiUrl', options);
