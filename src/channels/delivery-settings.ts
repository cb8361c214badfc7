/** The settings that kinds share. */
import type { Idempotency, ChannelSettings, Rates, Capabilities } from './channel.ts';
import { isText } from '../base/json/json-values.ts';

/** The default region of phone numbers, a setting of every kind. */
export const regionSetting = {
  type: 'string',
  pattern: '^[A-Z]{2}$',
  description: 'The region of phone numbers without a country code.',
} as const;

const maxPerMinute = 60_000;
const maxRetryDelaySeconds = 86_400;

const onUnknownText: Readonly<Record<Idempotency, string>> = {
  native:
    'send it again with the same id (the default), or make it a dead letter for a person to decide.',
  reconcile:
    'send it again, or make it a dead letter (the default) until the destination reports it or a person decides.',
  none: 'send it again, or make it a dead letter for a person to decide (the default).',
};

/** Settings that a person may leave out. */
export const deliverySettings = (idempotency: Idempotency) =>
  ({
    onUnknown: {
      type: 'string',
      enum: ['resend', 'hold'],
      description: `When it is unknown whether a message arrived: ${onUnknownText[idempotency]}`,
    },
    maxPerMinute: {
      type: 'integer',
      minimum: 1,
      maximum: maxPerMinute,
      description: 'Messages a minute, of all workers together. Others wait.',
    },
    maxAttempts: {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: 'Attempts of a message, the first included; default 9.',
    },
    maxRetryDelaySeconds: {
      type: 'integer',
      minimum: 1,
      maximum: maxRetryDelaySeconds,
      description: 'The longest wait between two attempts, if the destination asks for none.',
    },
  }) as const;

/** The URL of a service's API, where a channel may name another than the default. */
export const apiUrlSetting = (description: string) =>
  ({ type: 'string', pattern: '^https?://[^\\s?#]+$', maxLength: 500, description }) as const;

export const apiUrlOf = ({ apiUrl }: ChannelSettings, defaultUrl: string): string =>
  isText(apiUrl) ? apiUrl.replace(/\/+$/, '') : defaultUrl;

/** Returns scheme, host and port; null for what is no URL. */
export const originIn = (url: unknown): string | null =>
  isText(url) && URL.canParse(url) ? new URL(url).origin : null;

/** Of a kind that sends texts to a person at any time. */
export const textCapabilities: Capabilities = {
  reaches: 'person',
  media: false,
  templates: false,
  windowHours: null,
  replies: true,
};

/** Of the kinds that reach a person. */
export const eventMessagesSetting = {
  eventMessages: {
    type: 'string',
    enum: ['keep', 'send'],
    description:
      'The messages of events: keep them in Inlet (the default), because a form has the own words of the person, or send them to the ' +
      'person too. Messages of agents are always sent.',
  },
} as const;

export const eventMessagesAreSent = ({ eventMessages }: ChannelSettings): boolean =>
  eventMessages === 'send';

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Returns the rates of a kind; a person may lower or raise that of the channel. */
export function ratesOf(settings: ChannelSettings, own: Rates = {}): Rates {
  const perMinute = numberOf(settings.maxPerMinute) ?? own.perMinute;
  return { ...own, ...(perMinute !== undefined && { perMinute }) };
}

export const retriesOf = ({ maxAttempts, maxRetryDelaySeconds: seconds }: ChannelSettings) => ({
  maxAttempts: numberOf(maxAttempts),
  maxDelaySeconds: numberOf(seconds),
});

/** Whether a message that may have arrived becomes a dead letter, instead of being sent again. */
export const holdsUnknown = ({ onUnknown }: ChannelSettings, idempotency: Idempotency): boolean =>
  typeof onUnknown === 'string' ? onUnknown === 'hold' : idempotency !== 'native';
