/** Mappings, written by hand, that read what is true in the requests of CRMs. */
import type { MappingDocument } from '../../src/domain/mapping.ts';
import { at } from './source.ts';

const points = (list: string) => ({
  first: [at(`${list}[?primary].value | [0]`), at(`${list}[0].value`)],
});

export const crm: Readonly<Record<string, MappingDocument>> = {
  'agendor.on_person_created': {
    eventType: at('event'),
    eventDate: at('data.createdAt'),
    contact: {
      externalId: at('data.id'),
      name: at('data.name'),
      phone: {
        first: [at('data.contact.whatsapp'), at('data.contact.mobile'), at('data.contact.work')],
      },
      email: at('data.contact.email'),
      document: at('data.cpf'),
    },
    message: { text: at('data.description') },
    context: { origin: at('data.leadOrigin.name') },
  },
  'close.lead_created': {
    eventId: at('event.id'),
    eventType: { join: [at('event.object_type'), at('event.action')], with: '.' },
    eventDate: at('event.date_created'),
    contact: {
      externalId: at('event.lead_id'),
      name: at('event.data.contacts[0].name'),
      phone: at('event.data.contacts[0].phones[0].phone'),
      email: at('event.data.contacts[0].emails[0].email'),
    },
    message: { text: at('event.data.description') },
    context: { origin: at('event.data.custom."Origem do lead"') },
  },
  'copper.person_update': {
    split: 'ids',
    eventType: { path: 'event', root: true },
    eventDate: { path: 'timestamp', root: true },
    contact: {
      externalId: at('@'),
      name: { path: 'updated_attributes.name[-1]', root: true },
      email: { path: 'updated_attributes.email[-1]', root: true },
    },
  },
  'gohighlevel.contact_create': {
    eventId: at('webhookId'),
    eventType: at('type'),
    eventDate: at('timestamp'),
    contact: {
      externalId: at('id'),
      name: { first: [at('name'), { join: [at('firstName'), at('lastName')] }] },
      phone: at('phone', { phone: { regionPath: 'country' } }),
      email: at('email'),
      document: at("customFields[?id=='BcdmQEsNgz6AVpgCPF01'].value | [0]"),
    },
    context: {
      origin: at('source'),
      campaign: at("customFields[?id=='BcdmQEsNgz6AVpgCAMP1'].value | [0]"),
    },
  },
  'hubspot.subscription_batch': {
    split: '@',
    eventId: {
      join: [at('portalId'), at('subscriptionId'), at('eventId'), at('occurredAt')],
      with: ':',
    },
    eventType: at('subscriptionType'),
    eventDate: at('occurredAt'),
    // An item that changes a property carries its name and its new value.
    contact: {
      externalId: at('objectId'),
      email: at("[@][?propertyName=='email'].propertyValue | [0]"),
      phone: at("[@][?propertyName=='phone'].propertyValue | [0]"),
    },
  },
  'hubspot.workflow_contact': {
    eventDate: at('properties.createdate.value'),
    contact: {
      externalId: at('vid'),
      name: { join: [at('properties.firstname.value'), at('properties.lastname.value')] },
      phone: at('properties.phone.value'),
      email: at('properties.email.value'),
    },
    message: { text: at('properties.message.value') },
    context: {
      origin: at('properties.hs_analytics_source.value'),
      campaign: at('properties.hs_analytics_source_data_1.value'),
    },
  },
  'kommo.contacts_add': {
    split: 'contacts.add',
    eventDate: at('created_at'),
    contact: {
      externalId: at('id'),
      name: at('name'),
      phone: at("custom_fields[?code=='PHONE'].values[0].value | [0]"),
      email: at("custom_fields[?code=='EMAIL'].values[0].value | [0]"),
      document: at("custom_fields[?name=='CPF'].values[0].value | [0]"),
    },
  },
  'kommo.leads_add': {
    split: 'leads.add',
    eventDate: at('created_at'),
    contact: { externalId: at('id') },
    context: {
      origin: at("custom_fields[?name=='utm_source'].values[0].value | [0]"),
      campaign: at("custom_fields[?name=='utm_campaign'].values[0].value | [0]"),
    },
  },
  'odoo.send_webhook_notification': {
    eventType: at('_action'),
    eventDate: at('create_date'),
    contact: {
      externalId: at('_id'),
      name: { first: [at('contact_name || partner_name')] },
      phone: at('mobile || phone'),
      email: at('email_from'),
    },
    message: { text: at('description', 'stripHtml') },
  },
  'pipedrive.v1_added_person': {
    eventType: at('event'),
    eventDate: at('meta.timestamp'),
    contact: {
      externalId: at('current.id'),
      name: at('current.name'),
      phone: points('current.phone'),
      email: points('current.email'),
    },
  },
  'pipedrive.v2_create_person': {
    eventId: at('meta.id'),
    eventType: { join: [at('meta.action'), at('meta.entity')], with: '.' },
    eventDate: at('meta.timestamp'),
    contact: {
      externalId: at('data.id'),
      name: at('data.name'),
      phone: points('data.phones'),
      email: points('data.emails'),
      document: at('data.custom_fields.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0001.value'),
    },
    context: { origin: at('data.custom_fields.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0002.value') },
  },
  'piperun.deal_automation': {
    eventDate: at('created_at'),
    contact: {
      externalId: at('id'),
      name: at('person.name'),
      phone: {
        first: [at('person.contact_phones[0].number'), at('company.contact_phones[0].number')],
      },
      email: {
        first: [at('person.contact_emails[0].address'), at('company.contact_emails[0].address')],
      },
      document: at('person.cpf'),
    },
    message: { text: at("fields[?nome=='Interesse'].valor | [0]") },
    context: { origin: at('origin.name') },
  },
  'zoho_crm.notification_leads_insert': {
    split: 'ids',
    eventType: { path: 'operation', root: true },
    eventDate: { path: 'server_time', root: true },
    contact: { externalId: at('@') },
  },
  'zoho_crm.workflow_webhook_form': {
    eventType: at('tipo_evento'),
    eventDate: at('criado_em'),
    contact: {
      externalId: at('lead_id'),
      name: { join: [at('primeiro_nome'), at('sobrenome')] },
      phone: at('celular'),
      email: at('email'),
    },
    message: { text: at('descricao') },
    context: { origin: at('origem') },
  },
};
