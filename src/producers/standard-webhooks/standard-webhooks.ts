/** Senders that follow Standard Webhooks, or use Svix: `{ type, timestamp, data }`, with the id in a header. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';

/** Whether the record of a type such as `user.created` is a person. Invoices and products have numbers of their own. */
const isPerson =
  "contains(['user', 'customer', 'contact', 'person', 'member', 'subscriber', 'lead', 'profile', 'client'], split(not_null(type, ''), '.')[-2])";
const ofPerson = (member: string) => `${isPerson} && data.${member} || null`;
const isCompany =
  "contains(['company', 'organization', 'account', 'product', 'shop', 'store', 'team'], split(not_null(type, ''), '.')[-2])";

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
    filter: `!${isCompany}`,
    eventId: [{ header: 'webhook-id' }, { header: 'svix-id' }],
    eventType: 'type',
    eventDate: 'timestamp',
    contact: {
      externalId: [ofPerson('id'), 'data.contact_id', 'data.customer_id', 'data.user_id'],
      name: [
        `(${isPerson} || data.email || data.phone) && data.name || null`,
        joined(['data.first_name', 'data.last_name']),
      ],
      phone: ['data.phone', 'data.phone_number'],
      email: 'data.email',
    },
    text: 'data.message',
  }),
};
