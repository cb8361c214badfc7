/** The settings of a Telegram channel. */
import type { FieldProblem } from '../../base/errors.ts';
import type { ChannelSettings, OutboundOptions } from '../channel.ts';
import { deliverySettings, eventMessagesSetting } from '../delivery-settings.ts';
import { urlProblems } from '../http/call-destination.ts';
import { regionSetting } from '../region-setting.ts';

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
    apiUrl: {
      type: 'string',
      pattern: '^https?://[^\\s?#]+$',
      maxLength: 500,
      description: `The Bot API, such as a server of your own; ${defaultApiUrl} by default.`,
    },
    ...eventMessagesSetting,
    ...deliverySettings('none'),
    region: regionSetting,
  },
  required: ['botToken'],
  additionalProperties: false,
} as const;

export const isText = (value: unknown): value is string => typeof value === 'string';

const baseOf = ({ apiUrl }: ChannelSettings): string =>
  isText(apiUrl) ? apiUrl.replace(/\/+$/, '') : defaultApiUrl;

type Method = 'sendMessage' | 'getMe' | 'setWebhook' | 'getWebhookInfo';

/** Contains the token. */
export const methodUrl = (settings: ChannelSettings, method: Method): URL =>
  new URL(`${baseOf(settings)}/bot${String(settings.botToken)}/${method}`);

export function originOf(settings: ChannelSettings): string | null {
  const url = baseOf(settings);
  return URL.canParse(url) ? new URL(url).origin : null;
}

export const validateSettings = (
  settings: ChannelSettings,
  options: OutboundOptions,
): readonly FieldProblem[] =>
  settings.apiUrl === undefined ? [] : urlProblems(settings, 'apiUrl', options);
