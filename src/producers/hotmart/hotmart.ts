/** Hotmart. Purchases and abandoned carts have the buyer's phone in different fields. It sends a static token instead of a signature. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';

/** The transaction of Hotmart's test request, for every product. */
const testTransaction = 'HP16015479281022';

export const hotmart: Producer = {
  name: 'hotmart',
  title: 'Hotmart',
  ...jsonBody,
  delivers: {
    en: 'Purchases, subscriptions and abandoned carts.',
    'pt-BR': 'Compras, assinaturas e carrinhos abandonados.',
    es: 'Compras, suscripciones y carritos abandonados.',
  },
  instructions: {
    en: 'Tools → Webhook (API and notifications): add the URL, version 2.0.0. The secret is the account’s hottok.',
    'pt-BR':
      'Ferramentas → Webhook (API e notificações): cadastre a URL, versão 2.0.0. O segredo é o hottok da conta.',
    es: 'Herramientas → Webhook (API y notificaciones): agregue la URL, versión 2.0.0. El secreto es el hottok de la cuenta.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-hotmart-hottok'), 0.99],
      [
        hasAll(payload.body, 'creation_date', 'event', 'version', 'data.product', 'data.buyer'),
        0.85,
      ],
    ),
  signature: 'hotmart',
  isPing: ({ body }) => valueAt(body, 'data', 'purchase', 'transaction') === testTransaction,
  starterMapping: starter({
    eventId: 'id',
    eventType: 'event',
    eventDate: 'creation_date',
    contact: {
      externalId: 'data.purchase.transaction',
      name: ['data.buyer.name', joined(['data.buyer.first_name', 'data.buyer.last_name'])],
      phone: {
        first: [
          joined(['data.buyer.checkout_phone_code', 'data.buyer.checkout_phone'], ''),
          { path: 'data.buyer.phone' },
        ],
        transforms: [
          {
            phone: {
              regionPath:
                'data.buyer.address.country_iso || data.purchase.checkout_country.iso || data.checkout_country.iso',
            },
          },
        ],
      },
      email: 'data.buyer.email',
      document: 'data.buyer.document',
    },
    context: { origin: 'data.purchase.origin.sck', campaign: 'data.purchase.origin.xcod' },
  }),
};
