/** Hotmart. Purchases and abandoned carts have the buyer's phone in different fields. It sends a static token instead of a signature. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll, hasHeader } from '../detection.ts';

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
        hasAll(payload.body, 'creation_date', 'event', 'version', 'data') &&
          hasAll(valueAt(payload.body, 'data'), 'product', 'buyer'),
        0.85,
      ],
    ),
  signature: 'hotmart',
  isPing: ({ body }) => valueAt(body, 'data', 'purchase', 'transaction') === testTransaction,
  starterMapping: {
    eventId: { path: 'id' },
    eventType: { path: 'event' },
    eventDate: { path: 'creation_date', transforms: ['date'] },
    contact: {
      externalId: { path: 'data.purchase.transaction' },
      name: {
        first: [
          { path: 'data.buyer.name' },
          { join: [{ path: 'data.buyer.first_name' }, { path: 'data.buyer.last_name' }] },
        ],
      },
      phone: {
        first: [
          {
            join: [
              { path: 'data.buyer.checkout_phone_code' },
              { path: 'data.buyer.checkout_phone' },
            ],
            with: '',
          },
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
      email: { path: 'data.buyer.email', transforms: ['email'] },
      document: { path: 'data.buyer.document', transforms: ['document'] },
    },
    context: {
      origin: { path: 'data.purchase.origin.sck' },
      campaign: { path: 'data.purchase.origin.xcod' },
    },
  },
};
