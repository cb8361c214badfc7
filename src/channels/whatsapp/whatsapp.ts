/**
 * Sends the messages of agents to the number of their contact by the WhatsApp Cloud API; those of events only if it is set to.
 *
 * Promises: outside of the 24 hours after a message of the contact, the configured template is sent, or nothing. Each message
 * carries its id as `biz_opaque_callback_data`, by which a status names it when the answer was lost.
 * Must never: put a phone number, a credential or a part of the message or the answer in a reason.
 */
import { isJsonObject, isText, jsonObjectIn } from '../../base/json/json-values.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type {
  AttemptTerms,
  Channel,
  ChannelSettings,
  Deliver,
  OutboundOptions,
  Probe,
} from '../channel.ts';
import { eventMessagesAreSent, ratesOf } from '../delivery-settings.ts';
import {
  createDestinationCall,
  createGetProbe,
  isAccepted,
  type DestinationAnswer,
} from '../http/call-destination.ts';
import { rejected } from '../outcomes.ts';
import { outcomeOfError } from './api-errors.ts';
import { contentOf, windowHours } from './compose-content.ts';
import { ignores, readReply, readStatus } from './read-status.ts';
import { recipientOf } from './recipient.ts';
import { endpointOf, originOf, settingsSchema, validateSettings } from './settings.ts';

/** The default throughput of a number is 80 messages a second. */
const ownRates = { perMinute: 4_800, recipientMs: 1_000 };

const headersOf = ({ accessToken }: ChannelSettings) => ({
  authorization: `Bearer ${String(accessToken)}`,
});

const codeIn = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;

function errorOf({ status, retryAfterMs, body }: DestinationAnswer): DeliveryOutcome {
  const { error } = jsonObjectIn(body);
  const { code, error_subcode: subcode } = isJsonObject(error) ? error : {};
  return outcomeOfError({ code: codeIn(code), subcode: codeIn(subcode), status, retryAfterMs });
}

const maxIdLength = 300;

function outcomeOf(answer: DestinationAnswer): DeliveryOutcome {
  if (!isAccepted(answer)) return errorOf(answer);
  const { messages } = jsonObjectIn(answer.body);
  const first: unknown = Array.isArray(messages) ? messages[0] : null;
  const id = isJsonObject(first) ? first.id : null;
  const isKnown = isText(id) && id.length <= maxIdLength;
  return { kind: 'delivered', reported: 'accepted', ...(isKnown && { externalId: id }) };
}

function createDeliver(options: OutboundOptions): Deliver {
  const call = createDestinationCall(options);

  return async function deliver(message, settings, { timeoutMs, lastReplyAt }: AttemptTerms) {
    const recipient = recipientOf(message, settings);
    if (recipient === null) return rejected(message.contact ? 'no_phone' : 'no_test_phone');
    const made = contentOf(message, settings, { lastReplyAt, now: options.now() });
    if ('outcome' in made) return made.outcome;
    const result = await call({
      url: new URL(`${endpointOf(settings)}/messages`),
      headers: headersOf(settings),
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...recipient,
        ...made.content,
        biz_opaque_callback_data: message.id,
      }),
      timeoutMs,
    });
    return result.kind === 'failed' ? result.outcome : outcomeOf(result);
  };
}

/** Reads the phone number, which proves its id, the token and the token's access. */
const createProbe = (options: OutboundOptions): Probe =>
  createGetProbe(options, {
    requestOf: (settings) => ({
      url: new URL(`${endpointOf(settings)}?fields=id`),
      headers: headersOf(settings),
    }),
    errorOf,
  });

export const whatsapp: Channel = {
  kind: 'whatsapp',
  settingsSchema,
  inbound: { producers: ['whatsapp'], ignores, readReply, readStatus },
  outbound: {
    capabilities: { reaches: 'person', media: false, templates: true, windowHours, replies: true },
    idempotency: 'reconcile',
    ratesOf: (settings) => ratesOf(settings, ownRates),
    sendsEventMessages: eventMessagesAreSent,
    createDeliver,
    createProbe,
    originOf,
    validateSettings,
  },
};
