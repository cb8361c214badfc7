/**
 * Nuvemshop (Tiendanube). Its webhooks have ids only, of orders, products and customers. A request of privacy has the customer and
 * no type. Automations that read the order forward it whole. One mapping reads all.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';

const isCustomer = "starts_with(not_null(event, ''), 'customer/')";
/** An event that occurs once for its record. */
const once = "ends_with(not_null(event, ''), '/created') && event || null";

export const nuvemshop: Producer = {
  name: 'nuvemshop',
  title: 'Nuvemshop (Tiendanube)',
  ...jsonBody,
  delivers: {
    en: 'Ids of customers and orders that change, requests of privacy, and orders that an automation forwards.',
    'pt-BR':
      'Ids de clientes e pedidos que mudam, pedidos de privacidade, e pedidos que uma automação encaminha.',
    es: 'Ids de clientes y pedidos que cambian, solicitudes de privacidad, y pedidos que reenvía una automatización.',
  },
  instructions: {
    en: 'Create the webhook by the API of your app (POST /webhooks) with the event and the URL. The secret is the app’s client secret. The events have ids only: let Make or n8n read the order and forward it.',
    'pt-BR':
      'Crie o webhook pela API do seu app (POST /webhooks) com o evento e a URL. O segredo é o client secret do app. Os eventos só trazem ids: faça o Make ou o n8n ler o pedido e encaminhá-lo.',
    es: 'Cree el webhook por la API de su app (POST /webhooks) con el evento y la URL. El secreto es el client secret de la app. Los eventos solo traen ids: haga que Make o n8n lea el pedido y lo reenvíe.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-linkedstore-hmac-sha256'), 0.98],
      [hasAll(payload.body, 'store_id', 'customer', 'orders_to_redact'), 0.95],
      [hasAll(payload.body, 'store_id', 'customer', 'orders_requested'), 0.95],
      [hasAll(payload.body, 'store_id', 'event', 'id'), 0.8],
      [hasAll(payload.body, 'contact_identification', 'store_id', 'customer'), 0.9],
    ),
  signature: 'nuvemshop',
  starterMapping: starter({
    filter: `${isCustomer} || customer || contact_email || contact_phone`,
    removal: `orders_to_redact || orders_requested || data_request || type(orders_to_redact) == 'array' || event == 'customer/deleted'`,
    eventId: joined(['store_id', once, 'id'], ':'),
    eventType: 'event',
    eventDate: ['updated_at', 'created_at'],
    contact: {
      externalId: ['customer.id', `${isCustomer} && id || null`],
      name: ['customer.name', 'contact_name'],
      phone: ['customer.phone', 'contact_phone'],
      email: ['customer.email', 'contact_email'],
      document: ['customer.identification', 'contact_identification'],
    },
    text: 'note',
  }),
};
