/**
 * Shopify. The id and the type of the event are in headers. An order's `name` is its number, so the person is read from the
 * customer or the address. Customers are identified by GraphQL ids, which both orders and customers contain.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader, headerOf } from '../detection.ts';

const attribute = (...names: string[]): Source => ({
  path: `note_attributes[?${names.map((name) => `name == '${name}'`).join(' || ')}].value | [0]`,
});

const isCustomer = "starts_with(admin_graphql_api_id, 'gid://shopify/Customer/')";

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
  starterMapping: {
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: {
      first: [{ header: 'X-Shopify-Triggered-At' }, { path: 'updated_at' }, { path: 'created_at' }],
      transforms: ['date'],
    },
    contact: {
      externalId: {
        first: [
          { path: 'customer.admin_graphql_api_id' },
          { path: 'customer.id' },
          { path: `admin_graphql_api_id && ${isCustomer} && admin_graphql_api_id || null` },
        ],
      },
      name: {
        first: [
          { join: [{ path: 'customer.first_name' }, { path: 'customer.last_name' }] },
          { path: 'billing_address.name' },
          { path: 'shipping_address.name' },
          { join: [{ path: 'first_name' }, { path: 'last_name' }] },
        ],
      },
      phone: {
        first: [
          { path: 'phone' },
          { path: 'customer.phone' },
          { path: 'billing_address.phone' },
          { path: 'shipping_address.phone' },
          { path: 'default_address.phone' },
        ],
        transforms: [
          {
            phone: {
              regionPath:
                'billing_address.country_code || shipping_address.country_code || default_address.country_code',
            },
          },
        ],
      },
      email: {
        first: [{ path: 'email' }, { path: 'contact_email' }, { path: 'customer.email' }],
        transforms: ['email'],
      },
      document: { ...attribute('cpf', 'CPF', 'cnpj', 'CNPJ'), transforms: ['document'] },
    },
    message: { text: { path: 'note' } },
    context: {
      origin: { first: [attribute('utm_source'), { path: 'source_name' }] },
      campaign: attribute('utm_campaign'),
    },
  },
};
