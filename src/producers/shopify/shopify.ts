/**
 * Shopify. The id and the type of the event are in headers. An order's `name` is its number, so the person is read from the
 * customer or the address. Customers are identified by GraphQL ids, which both orders and customers contain.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader, headerOf } from '../detection.ts';
import { isAny, joined, sourceOf, starter } from '../starter.ts';

const attribute = (...names: string[]) => `note_attributes[?${isAny('name', names)}].value | [0]`;

const isCustomer = "starts_with(admin_graphql_api_id, 'gid://shopify/Customer/')";

/** Shops, locations and companies have an e-mail or a phone too. */
const hasPerson = [
  'customer.id || customer.email || customer.phone || admin_graphql_api_customer_kept_id',
  `admin_graphql_api_id && ${isCustomer}`,
  "(type(line_items) == 'array' || order_id) && (email || contact_email || phone || billing_address.phone || shipping_address.phone)",
  '!admin_graphql_api_id && !myshopify_domain && (first_name || last_name)',
].join(' || ');

export const shopify: Producer = {
  name: 'shopify',
  title: 'Shopify',
  ...jsonBody,
  delivers: {
    en: 'Customers, orders, carts and checkouts.',
    'pt-BR': 'Clientes, pedidos, carrinhos e checkouts.',
    es: 'Clientes, pedidos, carritos y checkouts.',
  },
  instructions: {
    en: 'Settings → Notifications → Webhooks → Create webhook: event, JSON, the URL. The secret is shown below the list.',
    'pt-BR':
      'Configurações → Notificações → Webhooks → Criar webhook: evento, JSON e a URL. O segredo aparece abaixo da lista.',
    es: 'Configuración → Notificaciones → Webhooks → Crear webhook: evento, JSON y la URL. El secreto aparece bajo la lista.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-shopify-topic'), 0.99],
      [hasHeader(payload, 'x-shopify-hmac-sha256'), 0.99],
      [hasAll(payload.body, 'admin_graphql_api_id'), 0.8],
    ),
  signature: 'shopify',
  isPing: (payload) => headerOf(payload, 'x-shopify-test') === 'true',
  starterMapping: starter({
    filter: hasPerson,
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: [{ header: 'X-Shopify-Triggered-At' }, 'updated_at', 'created_at'],
    contact: {
      externalId: [
        'admin_graphql_api_customer_kept_id',
        'customer.admin_graphql_api_id',
        'customer.id',
        `admin_graphql_api_id && ${isCustomer} && admin_graphql_api_id || null`,
      ],
      name: [
        joined(['customer.first_name', 'customer.last_name']),
        'billing_address.name',
        'shipping_address.name',
        joined(['first_name', 'last_name']),
      ],
      phone: {
        ...sourceOf([
          'phone',
          'customer.phone',
          'billing_address.phone',
          'shipping_address.phone',
          'default_address.phone',
        ]),
        transforms: [
          {
            phone: {
              regionPath:
                'billing_address.country_code || shipping_address.country_code || default_address.country_code',
            },
          },
        ],
      },
      email: ['email', 'contact_email', 'customer.email'],
      former: { externalId: 'admin_graphql_api_customer_deleted_id' },
      document: attribute('cpf', 'CPF', 'cnpj', 'CNPJ'),
    },
    text: 'note',
    context: {
      origin: [attribute('utm_source'), 'source_name'],
      campaign: attribute('utm_campaign'),
    },
  }),
};
