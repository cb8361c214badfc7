/** Stripe. One envelope contains any of its objects; only some of them have a person. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll, hasHeader } from '../detection.ts';
import { sourceOf, starter } from '../starter.ts';

const isCustomer = "data.object.object == 'customer'";

/** Products, accounts and payouts name no customer. */
const hasPerson = [
  isCustomer,
  ...[
    'customer',
    'customer_email',
    'receipt_email',
    'customer_details.email',
    'customer_details.phone',
    'billing_details.email',
    'billing_details.phone',
  ].map((member) => `data.object.${member}`),
].join(' || ');

const any = (...names: string[]) => names.map((name) => `data.object.${name}`);

/** Only of a customer: products have a name, and accounts an e-mail. */
const ofCustomer = (member: string) => `${isCustomer} && data.object.${member} || null`;

export const stripe: Producer = {
  name: 'stripe',
  title: 'Stripe',
  ...jsonBody,
  delivers: {
    en: 'Customers, payments, checkouts and subscriptions.',
    'pt-BR': 'Clientes, pagamentos, checkouts e assinaturas.',
    es: 'Clientes, pagos, checkouts y suscripciones.',
  },
  instructions: {
    en: 'Workbench → Webhooks → Add destination: choose the events and paste the URL. The secret begins with whsec_.',
    'pt-BR':
      'Workbench → Webhooks → Adicionar destino: escolha os eventos e cole a URL. O segredo começa com whsec_.',
    es: 'Workbench → Webhooks → Agregar destino: elija los eventos y pegue la URL. El secreto empieza con whsec_.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'stripe-signature'), 0.99],
      [hasAll(payload.body, 'api_version', 'livemode', 'pending_webhooks', 'type'), 0.9],
    ),
  signature: 'stripe',
  isPing: ({ body }) => {
    const type = valueAt(body, 'type');
    return type === 'ping' || type === 'v2.core.event_destination.ping';
  },
  starterMapping: starter({
    filter: hasPerson,
    eventId: 'id',
    eventType: 'type',
    eventDate: 'created',
    contact: {
      externalId: [...any('customer'), ofCustomer('id')],
      name: [
        ...any('customer_details.name', 'billing_details.name', 'customer_name'),
        ofCustomer('name'),
      ],
      phone: {
        ...sourceOf([
          ...any('customer_details.phone', 'billing_details.phone', 'customer_phone'),
          ofCustomer('phone'),
        ]),
        transforms: [{ phone: { regionPath: 'data.object.customer_details.address.country' } }],
      },
      email: [
        ...any(
          'customer_details.email',
          'billing_details.email',
          'customer_email',
          'receipt_email',
        ),
        ofCustomer('email'),
      ],
      document:
        "data.object.customer_details.tax_ids[?type == 'br_cpf' || type == 'br_cnpj'].value | [0]",
    },
    context: {
      origin: 'data.object.metadata.utm_source',
      campaign: 'data.object.metadata.utm_campaign',
    },
  }),
};
