/** Mappings written by hand that read every true value in the requests of shops, payments and automations. */
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import { pathSource } from './path-source.ts';

export const shops: Readonly<Record<string, MappingDocument>> = {
  'eduzz.invoice_paid': {
    eventId: pathSource('id'),
    eventType: pathSource('event'),
    eventDate: pathSource('sentDate'),
    contact: {
      externalId: pathSource('data.buyer.id'),
      name: pathSource('data.buyer.name'),
      phone: { first: [pathSource('data.buyer.cellphone'), pathSource('data.buyer.phone')] },
      email: pathSource('data.buyer.email'),
      document: pathSource('data.buyer.document'),
    },
    context: { origin: pathSource('data.utm.source'), campaign: pathSource('data.utm.campaign') },
  },
  'hotmart.cart_abandonment': {
    eventId: pathSource('id'),
    eventType: pathSource('event'),
    eventDate: pathSource('creation_date'),
    contact: {
      name: pathSource('data.buyer.name'),
      phone: pathSource('data.buyer.phone'),
      email: pathSource('data.buyer.email'),
    },
  },
  'hotmart.purchase_approved': {
    eventId: pathSource('id'),
    eventType: pathSource('event'),
    eventDate: pathSource('creation_date'),
    contact: {
      externalId: pathSource('data.purchase.transaction'),
      name: pathSource('data.buyer.name'),
      phone: {
        first: [
          {
            join: [
              pathSource('data.buyer.checkout_phone_code'),
              pathSource('data.buyer.checkout_phone'),
            ],
            with: '',
          },
          pathSource('data.buyer.phone'),
        ],
      },
      email: pathSource('data.buyer.email'),
      document: pathSource('data.buyer.document'),
    },
    context: {
      origin: pathSource('data.purchase.origin.sck'),
      campaign: pathSource('data.purchase.origin.xcod'),
    },
  },
  'make.http_module_custom': {
    eventId: pathSource('event_id'),
    eventType: pathSource('evento'),
    eventDate: pathSource('data_evento'),
    contact: {
      externalId: pathSource('lead.codigo'),
      name: pathSource('lead.nome'),
      phone: pathSource('lead.telefone'),
      email: pathSource('lead."e-mail"'),
      document: pathSource('lead.cpf'),
    },
    message: { text: pathSource('mensagem') },
    context: { origin: pathSource('campanha.origem'), campaign: pathSource('campanha.nome') },
  },
  'nuvemshop.customers_redact': {
    contact: {
      externalId: pathSource('customer.id'),
      phone: pathSource('customer.phone'),
      email: pathSource('customer.email'),
      document: pathSource('customer.identification'),
    },
  },
  'nuvemshop.order_created': {
    eventType: pathSource('event'),
    contact: { externalId: pathSource('id') },
  },
  'shopify.customers_create': {
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('admin_graphql_api_id'),
      name: { join: [pathSource('first_name'), pathSource('last_name')] },
      phone: { first: [pathSource('phone'), pathSource('default_address.phone')] },
      email: pathSource('email'),
    },
    message: { text: pathSource('note') },
  },
  'shopify.orders_create': {
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('customer.id'),
      name: pathSource('billing_address.name'),
      phone: {
        first: [
          pathSource('phone'),
          pathSource('customer.phone'),
          pathSource('billing_address.phone'),
        ],
      },
      email: pathSource('email'),
      document: pathSource("note_attributes[?name=='cpf'].value | [0]"),
    },
    message: { text: pathSource('note') },
    context: {
      origin: pathSource('source_name'),
      campaign: pathSource("note_attributes[?name=='utm_campaign'].value | [0]"),
    },
  },
  'stripe.checkout_session_completed': {
    eventId: pathSource('id'),
    eventType: pathSource('type'),
    eventDate: pathSource('created'),
    contact: {
      externalId: pathSource('data.object.customer'),
      name: pathSource('data.object.customer_details.name'),
      phone: pathSource('data.object.customer_details.phone'),
      email: pathSource('data.object.customer_details.email'),
      document: pathSource("data.object.customer_details.tax_ids[?type=='br_cpf'].value | [0]"),
    },
    context: { campaign: pathSource('data.object.metadata.utm_campaign') },
  },
  'stripe.customer_created': {
    eventId: pathSource('id'),
    eventType: pathSource('type'),
    eventDate: pathSource('created'),
    contact: {
      externalId: pathSource('data.object.id'),
      name: pathSource('data.object.name'),
      phone: pathSource('data.object.phone'),
      email: pathSource('data.object.email'),
    },
  },
};
