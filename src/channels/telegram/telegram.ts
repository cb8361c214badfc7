/**
 * Sends the messages of agents to the Telegram chat of their contact by the Bot API; those of events only if it is set to.
 *
 * Promises: a message goes only to the chat that the contact itself wrote from.
 * Must never: put the token, a chat or a part of the message or the answer in a reason.
 */
import { isJsonObject, isText, jsonObjectIn } from '../../base/json/json-values.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type {
  Channel,
  ChannelSettings,
  Deliver,
  OutboundOptions,
  OutgoingMessage,
  Probe,
} from '../channel.ts';
import { eventMessagesAreSent, ratesOf, textCapabilities } from '../delivery-settings.ts';
import {
  createDestinationCall,
  createGetProbe,
  isAccepted,
  type DestinationAnswer,
} from '../http/call-destination.ts';
import { rejected } from '../outcomes.ts';
import { createRegistration } from './registration.ts';
import { methodUrl, originOf, settingsSchema, validateSettings } from './settings.ts';
import { errorOf } from './api-errors.ts';

/** Telegram allows 30 messages a second, and one a second to a chat. */
const ownRates = { perMinute: 1_800, recipientMs: 1_000 };
const maxTextLength = 4_096;

/**
 * The starter mapping of the producer writes it. The external id is no address: the events of other webhooks write theirs to the
 * same contact.
 */
const chatIdField = 'telegramChatId';
const isChatId = (value: unknown): value is string => isText(value) && /^-?\d{1,20}$/.test(value);

/** A test without a contact goes to the chat of the settings. */
const chatOf = ({ contact }: OutgoingMessage, { testChatId }: ChannelSettings): unknown =>
  contact ? contact.fields[chatIdField] : testChatId;

/** Returns why nothing is sent, or null. */
function problemOf({ content: { text, files } }: OutgoingMessage): DeliveryOutcome | null {
  if (files) return rejected('no_media');
  if (text.trim() === '') return rejected('no_text');
  return Array.from(text).length > maxTextLength ? rejected('text_too_long') : null;
}

/** The id of a message is unique in its chat only. */
function sentTo(chatId: string, { body }: DestinationAnswer): DeliveryOutcome {
  const { result } = jsonObjectIn(body);
  const id = isJsonObject(result) ? result.message_id : null;
  return Number.isSafeInteger(id)
    ? { kind: 'delivered', externalId: `${chatId}:${String(id)}` }
    : { kind: 'delivered' };
}

function createDeliver(options: OutboundOptions): Deliver {
  const call = createDestinationCall(options);

  return async function deliver(message, settings, { timeoutMs }) {
    const chatId = chatOf(message, settings);
    if (!isChatId(chatId)) return rejected(message.contact ? 'no_chat' : 'no_test_chat');
    const problem = problemOf(message);
    if (problem) return problem;
    const result = await call({
      url: methodUrl(settings, 'sendMessage'),
      body: JSON.stringify({ chat_id: chatId, text: message.content.text }),
      timeoutMs,
    });
    if (result.kind === 'failed') return result.outcome;
    return isAccepted(result) ? sentTo(chatId, result) : errorOf(result);
  };
}

/** Reads the bot, which proves its token. */
const createProbe = (options: OutboundOptions): Probe =>
  createGetProbe(options, {
    requestOf: (settings) => ({ url: methodUrl(settings, 'getMe') }),
    errorOf,
  });

export const telegram: Channel = {
  kind: 'telegram',
  settingsSchema,
  inbound: { producers: ['telegram'], createRegistration },
  outbound: {
    capabilities: textCapabilities,
    idempotency: 'none',
    ratesOf: (settings) => ratesOf(settings, ownRates),
    sendsEventMessages: eventMessagesAreSent,
    createDeliver,
    createProbe,
    originOf,
    validateSettings,
  },
};
