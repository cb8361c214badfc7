/** Mappings written by hand that read every true value in the requests of CRMs. */
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import { pathSource } from './path-source.ts';

const points = (list: string) => ({
  first: [pathSource(`${list}[?primary].value | [0]`), pathSource(`${list}[0].value`)],
});

export const crm: Readonly<Record<string, MappingDocument>> = {
  'agendor.on_person_created': {
    eventType: pathSource('event'),
    eventDate: pathSource('data.createdAt'),
    contact: {
      externalId: pathSource('data.id'),
      name: pathSource('data.name'),
      phone: {
        first: [
          pathSource('data.contact.whatsapp'),
          pathSource('data.contact.mobile'),
          pathSource('data.contact.work'),
        ],
      },
      email: pathSource('data.contact.email'),
      document: pathSource('data.cpf'),
    },
    message: { text: pathSource('data.description') },
    context: { origin: pathSource('data.leadOrigin.name') },
  },
  'close.lead_created': {
    eventId: pathSource('event.id'),
    eventType: { join: [pathSource('event.object_type'), pathSource('event.action')], with: '.' },
    eventDate: pathSource('event.date_created'),
    contact: {
      externalId: pathSource('event.lead_id'),
      name: pathSource('event.data.contacts[0].name'),
      phone: pathSource('event.data.contacts[0].phones[0].phone'),
      email: pathSource('event.data.contacts[0].emails[0].email'),
    },
    message: { text: pathSource('event.data.description') },
    context: { origin: pathSource('event.data.custom."Origem do lead"') },
  },
  'copper.person_update': {
    split: 'ids',
    eventType: { path: 'event', root: true },
    eventDate: { path: 'timestamp', root: true },
    contact: {
      externalId: pathSource('@'),
      name: { path: 'updated_attributes.name[-1]', root: true },
      email: { path: 'updated_attributes.email[-1]', root: true },
    },
  },
  'gohighlevel.contact_create': {
    eventId: pathSource('webhookId'),
    eventType: pathSource('type'),
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('id'),
      name: {
        first: [pathSource('name'), { join: [pathSource('firstName'), pathSource('lastName')] }],
      },
      phone: pathSource('phone', { phone: { regionPath: 'country' } }),
      email: pathSource('email'),
      document: pathSource("customFields[?id=='BcdmQEsNgz6AVpgCPF01'].value | [0]"),
    },
    context: {
      origin: pathSource('source'),
      campaign: pathSource("customFields[?id=='BcdmQEsNgz6AVpgCAMP1'].value | [0]"),
    },
  },
  'hubspot.subscription_batch': {
    split: '@',
    eventId: {
      join: [
        pathSource('portalId'),
        pathSource('subscriptionId'),
        pathSource('eventId'),
        pathSource('occurredAt'),
      ],
      with: ':',
    },
    eventType: pathSource('subscriptionType'),
    eventDate: pathSource('occurredAt'),
    // An item for a changed property has the name and the new value.
    contact: {
      externalId: pathSource('objectId'),
      email: pathSource("[@][?propertyName=='email'].propertyValue | [0]"),
      phone: pathSource("[@][?propertyName=='phone'].propertyValue | [0]"),
    },
  },
  'hubspot.workflow_contact': {
    eventDate: pathSource('properties.createdate.value'),
    contact: {
      externalId: pathSource('vid'),
      name: {
        join: [pathSource('properties.firstname.value'), pathSource('properties.lastname.value')],
      },
      phone: pathSource('properties.phone.value'),
      email: pathSource('properties.email.value'),
    },
    message: { text: pathSource('properties.message.value') },
    context: {
      origin: pathSource('properties.hs_analytics_source.value'),
      campaign: pathSource('properties.hs_analytics_source_data_1.value'),
    },
  },
  'kommo.contacts_add': {
    split: 'contacts.add',
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('id'),
      name: pathSource('name'),
      phone: pathSource("custom_fields[?code=='PHONE'].values[0].value | [0]"),
      email: pathSource("custom_fields[?code=='EMAIL'].values[0].value | [0]"),
      document: pathSource("custom_fields[?name=='CPF'].values[0].value | [0]"),
    },
  },
  'kommo.leads_add': {
    split: 'leads.add',
    eventDate: pathSource('created_at'),
    contact: { externalId: pathSource('id') },
    context: {
      origin: pathSource("custom_fields[?name=='utm_source'].values[0].value | [0]"),
      campaign: pathSource("custom_fields[?name=='utm_campaign'].values[0].value | [0]"),
    },
  },
  'odoo.send_webhook_notification': {
    eventType: pathSource('_action'),
    eventDate: pathSource('create_date'),
    contact: {
      externalId: pathSource('_id'),
      name: { first: [pathSource('contact_name || partner_name')] },
      phone: pathSource('mobile || phone'),
      email: pathSource('email_from'),
    },
    message: { text: pathSource('description', 'stripHtml') },
  },
  'pipedrive.v1_added_person': {
    eventType: pathSource('event'),
    eventDate: pathSource('meta.timestamp'),
    contact: {
      externalId: pathSource('current.id'),
      name: pathSource('current.name'),
      phone: points('current.phone'),
      email: points('current.email'),
    },
  },
  'pipedrive.v2_create_person': {
    eventId: pathSource('meta.id'),
    eventType: { join: [pathSource('meta.action'), pathSource('meta.entity')], with: '.' },
    eventDate: pathSource('meta.timestamp'),
    contact: {
      externalId: pathSource('data.id'),
      name: pathSource('data.name'),
      phone: points('data.phones'),
      email: points('data.emails'),
      document: pathSource('data.custom_fields.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0001.value'),
    },
    context: {
      origin: pathSource('data.custom_fields.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb0002.value'),
    },
  },
  'piperun.deal_automation': {
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('id'),
      name: pathSource('person.name'),
      phone: {
        first: [
          pathSource('person.contact_phones[0].number'),
          pathSource('company.contact_phones[0].number'),
        ],
      },
      email: {
        first: [
          pathSource('person.contact_emails[0].address'),
          pathSource('company.contact_emails[0].address'),
        ],
      },
      document: pathSource('person.cpf'),
    },
    message: { text: pathSource("fields[?nome=='Interesse'].valor | [0]") },
    context: { origin: pathSource('origin.name') },
  },
  'zoho_crm.notification_leads_insert': {
    split: 'ids',
    eventType: { path: 'operation', root: true },
    eventDate: { path: 'server_time', root: true },
    contact: { externalId: pathSource('@') },
  },
  'zoho_crm.workflow_webhook_form': {
    eventType: pathSource('tipo_evento'),
    eventDate: pathSource('criado_em'),
    contact: {
      externalId: pathSource('lead_id'),
      name: { join: [pathSource('primeiro_nome'), pathSource('sobrenome')] },
      phone: pathSource('celular'),
      email: pathSource('email'),
    },
    message: { text: pathSource('descricao') },
    context: { origin: pathSource('origem') },
  },
};
