/** Mappings, written by hand, that read what is true in the requests of shops, payments and automations. */
import type { MappingDocument } from '../../src/domain/mapping.ts';
import { at } from './source.ts';

export const shops: Readonly<Record<string, MappingDocument>> = {
  'eduzz.invoice_paid': {
    eventId: at('id'),
    eventType: at('event'),
    eventDate: at('sentDate'),
    contact: {
      externalId: at('data.buyer.id'),
      name: at('data.buyer.name'),
      phone: { first: [at('data.buyer.cellphone'), at('data.buyer.phone')] },
      email: at('data.buyer.email'),
      document: at('data.buyer.document'),
    },
    context: { origin: at('data.utm.source'), campaign: at('data.utm.campaign') },
  },
  'hotmart.cart_abandonment': {
    eventId: at('id'),
    eventType: at('event'),
    eventDate: at('creation_date'),
    contact: {
      name: at('data.buyer.name'),
      phone: at('data.buyer.phone'),
      email: at('data.buyer.email'),
    },
  },
  'hotmart.purchase_approved': {
    eventId: at('id'),
    eventType: at('event'),
    eventDate: at('creation_date'),
    contact: {
      externalId: at('data.purchase.transaction'),
      name: at('data.buyer.name'),
      phone: {
        first: [
          {
            join: [at('data.buyer.checkout_phone_code'), at('data.buyer.checkout_phone')],
            with: '',
          },
          at('data.buyer.phone'),
        ],
      },
      email: at('data.buyer.email'),
      document: at('data.buyer.document'),
    },
    context: { origin: at('data.purchase.origin.sck'), campaign: at('data.purchase.origin.xcod') },
  },
  'make.http_module_custom': {
    eventId: at('event_id'),
    eventType: at('evento'),
    eventDate: at('data_evento'),
    contact: {
      externalId: at('lead.codigo'),
      name: at('lead.nome'),
      phone: at('lead.telefone'),
      email: at('lead."e-mail"'),
      document: at('lead.cpf'),
    },
    message: { text: at('mensagem') },
    context: { origin: at('campanha.origem'), campaign: at('campanha.nome') },
  },
  'nuvemshop.customers_redact': {
    contact: {
      externalId: at('customer.id'),
      phone: at('customer.phone'),
      email: at('customer.email'),
      document: at('customer.identification'),
    },
  },
  'nuvemshop.order_created': { eventType: at('event'), contact: { externalId: at('id') } },
  'shopify.customers_create': {
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: at('created_at'),
    contact: {
      externalId: at('admin_graphql_api_id'),
      name: { join: [at('first_name'), at('last_name')] },
      phone: { first: [at('phone'), at('default_address.phone')] },
      email: at('email'),
    },
    message: { text: at('note') },
  },
  'shopify.orders_create': {
    eventId: { header: 'X-Shopify-Webhook-Id' },
    eventType: { header: 'X-Shopify-Topic' },
    eventDate: at('created_at'),
    contact: {
      externalId: at('customer.id'),
      name: at('billing_address.name'),
      phone: { first: [at('phone'), at('customer.phone'), at('billing_address.phone')] },
      email: at('email'),
      document: at("note_attributes[?name=='cpf'].value | [0]"),
    },
    message: { text: at('note') },
    context: {
      origin: at('source_name'),
      campaign: at("note_attributes[?name=='utm_campaign'].value | [0]"),
    },
  },
  'stripe.checkout_session_completed': {
    eventId: at('id'),
    eventType: at('type'),
    eventDate: at('created'),
    contact: {
      externalId: at('data.object.customer'),
      name: at('data.object.customer_details.name'),
      phone: at('data.object.customer_details.phone'),
      email: at('data.object.customer_details.email'),
      document: at("data.object.customer_details.tax_ids[?type=='br_cpf'].value | [0]"),
    },
    context: { campaign: at('data.object.metadata.utm_campaign') },
  },
  'stripe.customer_created': {
    eventId: at('id'),
    eventType: at('type'),
    eventDate: at('created'),
    contact: {
      externalId: at('data.object.id'),
      name: at('data.object.name'),
      phone: at('data.object.phone'),
      email: at('data.object.email'),
    },
  },
};
