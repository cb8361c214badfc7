/** Senders that follow Standard Webhooks, or use Svix: `{ type, timestamp, data }`, with the id in a header. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';

export const standardWebhooks: Producer = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  ...jsonBody,
  delivers: {
    en: 'Events of any sender that follows standardwebhooks.com.',
    'pt-BR': 'Eventos de qualquer remetente que siga standardwebhooks.com.',
    es: 'Eventos de cualquier remitente que siga standardwebhooks.com.',
  },
  instructions: {
    en: 'Add the URL as an endpoint at the sender. The secret begins with whsec_; senders behind Svix need the scheme “svix”.',
    'pt-BR':
      'Adicione a URL como endpoint no remetente. O segredo começa com whsec_; remetentes com Svix precisam do esquema “svix”.',
    es: 'Agregue la URL como endpoint en el remitente. El secreto empieza con whsec_; los remitentes con Svix necesitan el esquema “svix”.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'webhook-id') && hasHeader(payload, 'webhook-timestamp'), 0.95],
      [hasHeader(payload, 'svix-id') && hasHeader(payload, 'svix-timestamp'), 0.95],
      [hasAll(payload.body, 'type', 'timestamp', 'data'), 0.3],
    ),
  signature: 'standard-webhooks',
  starterMapping: starter({
    eventId: [{ header: 'webhook-id' }, { header: 'svix-id' }],
    eventType: 'type',
    eventDate: 'timestamp',
    contact: {
      externalId: 'data.id',
      name: ['data.name', joined(['data.first_name', 'data.last_name'])],
      phone: ['data.phone', 'data.phone_number'],
      email: 'data.email',
    },
    text: 'data.message',
  }),
};
