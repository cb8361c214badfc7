/**
 * Twilio messaging, SMS and WhatsApp. It sends forms, signs them together with the URL, and expects TwiML. Delivery reports
 * come to the same URL with `MessageStatus`; they are not messages.
 */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { starter } from '../starter.ts';

export const twilio: Producer = {
  name: 'twilio',
  title: 'Twilio',
  ...anyFormatBody,
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
      // A sender in Messenger has no number, and the id of a message is not the person's.
      externalId: [
        'WaId',
        "starts_with(not_null(From, ''), 'messenger:') && From || null",
        'MessageSid',
      ],
      name: 'ProfileName',
      phone: 'From',
    },
    text: 'Body',
    context: { origin: 'ReferralSourceUrl', campaign: 'ReferralHeadline' },
  }),
  // Twilio reports any other answer to the account's owner as an error.
  answer: { status: 200, contentType: 'text/xml', body: '<Response/>' },
};
