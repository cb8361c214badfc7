/**
 * Twilio messaging, SMS and WhatsApp. It sends forms, signs them together with the URL, and expects TwiML. Delivery reports
 * come to the same URL with `MessageStatus`; they are not messages.
 */
import type { JsonObject } from '../../base/json/json-values.ts';
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { messengerBody, type Message } from '../messenger/messenger.ts';
import { wordsIn } from '../messenger/shown-text.ts';
import { starter } from '../starter.ts';
import { textOfMessage } from './message-text.ts';

/**
 * A person in WhatsApp has a number, an id of the business (`ExternalUserId`), or both; one in Messenger has an id. Only a number
 * has a plus.
 */
function personIdOf({ ExternalUserId, WaId, From }: JsonObject): string | null {
  const from = wordsIn(From);
  const isNumber = from?.includes('+') ?? true;
  return wordsIn(ExternalUserId) ?? wordsIn(WaId) ?? (isNumber ? null : from);
}

const messageOf = (body: JsonObject): Message => ({
  personId: personIdOf(body),
  text: textOfMessage(body),
});

export const twilio: Producer = {
  name: 'twilio',
  title: 'Twilio',
  ...messengerBody(anyFormatBody, { itemsOf: (body) => [body], read: messageOf }),
  delivers: {
    en: 'SMS and WhatsApp messages that people send.',
    'pt-BR': 'Mensagens de SMS e WhatsApp que as pessoas enviam.',
    es: 'Mensajes de SMS y WhatsApp que envían las personas.',
  },
  instructions: {
    en: 'Phone number → Messaging → “A message comes in”: Webhook, the URL, HTTP POST. The secret is the account’s auth token.',
    'pt-BR':
      'Número → Messaging → “A message comes in”: Webhook, a URL, HTTP POST. O segredo é o auth token da conta.',
    es: 'Número → Messaging → “A message comes in”: Webhook, la URL, HTTP POST. El secreto es el auth token de la cuenta.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-twilio-signature'), 0.99],
      [hasAll(payload.body, 'MessageSid', 'AccountSid', 'From'), 0.95],
    ),
  signature: 'twilio',
  starterMapping: starter({
    filter: "!MessageStatus || MessageStatus == 'received'",
    eventId: 'MessageSid',
    contact: {
      // The id of a message is not the person's, but a text message has no other.
      externalId: ['messenger.personId', 'MessageSid'],
      name: 'ProfileName',
      phone: [
        "contains(not_null(From, ''), '+') && From || null",
        "WaId && join('', ['whatsapp:+', WaId])",
        '!(messenger.personId) && From || null',
      ],
    },
    text: ['messenger.text', 'Body'],
    context: { origin: 'ReferralSourceUrl', campaign: 'ReferralHeadline' },
  }),
  // Twilio reports any other answer to the account's owner as an error.
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
};
