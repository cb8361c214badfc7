/**
 * RD Station. Marketing sends a list of leads, or one contact with its conversion; CRM sends a contact, or a deal with its contacts.
 * A deal, its owner and an organization have ids of their own: only the contact is read.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll } from '../detection.ts';
import { joined, starter } from '../starter.ts';

const isCrmContact = "starts_with(not_null(event_name, ''), 'crm_contact')";

/** A member of the lead, of the contact of an event, and of the contact of CRM. */
const ofLead = (member: string) => [`!event_name && ${member} || null`, `contact.${member}`];
const ofCrm = (member: string) => [
  `${isCrmContact} && document.${member} || null`,
  `document.contacts[0].${member}`,
];

const source = 'last_conversion.conversion_origin';

export const rdStation: Producer = {
  name: 'rd-station',
  title: 'RD Station',
  ...jsonBody,
  delivers: {
    en: 'Leads that convert (Marketing), and contacts and deals (CRM).',
    'pt-BR': 'Leads que convertem (Marketing), e contatos e negociações (CRM).',
    es: 'Leads que convierten (Marketing), y contactos y negociaciones (CRM).',
  },
  instructions: {
    en: 'Marketing: Integrations → Webhooks → Create webhook, trigger “Conversion”, and the URL. CRM: Settings → Integrations → Webhooks, event “contact created”.',
    'pt-BR':
      'Marketing: Integrações → Webhooks → Criar webhook, gatilho “Conversão”, e a URL. CRM: Configurações → Integrações → Webhooks, evento “contato criado”.',
    es: 'Marketing: Integraciones → Webhooks → Crear webhook, activador “Conversión”, y la URL. CRM: Configuración → Integraciones → Webhooks, evento “contacto creado”.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'leads.personal_phone', 'leads.last_conversion'), 0.95],
      [hasAll(body, 'leads.email', 'leads.first_conversion'), 0.95],
      [hasAll(body, 'event_type', 'entity_type', 'event_identifier', 'contact.uuid'), 0.95],
      [hasAll(body, 'event_name', 'event_timestamp', 'document'), 0.9],
    ),
  starterMapping: starter({
    split: 'leads || to_array(@)',
    filter: `!event_name || ${isCrmContact} || document.contacts[0]`,
    eventId: [
      joined(['id', 'last_conversion.created_at', 'lead_stage'], ':'),
      joined(['event_type', 'contact.uuid', 'event_timestamp'], ':'),
      joined(['event_name', 'document.id', 'event_timestamp'], ':'),
    ],
    eventType: ['event_type', 'event_name'],
    eventDate: ['event_timestamp', 'last_conversion.created_at', 'created_at'],
    contact: {
      externalId: [...ofLead('uuid'), ...ofLead('id'), ...ofCrm('id')],
      name: [...ofLead('name'), ...ofCrm('name')],
      phone: [...ofLead('mobile_phone'), ...ofLead('personal_phone'), ...ofCrm('phones[0].phone')],
      email: [...ofLead('email'), ...ofCrm('emails[0].email')],
    },
    text: [
      'last_conversion.content.mensagem',
      'last_conversion.content.message',
      'last_conversion.content.comentario',
    ],
    context: {
      origin: [`${source}.source`, 'document.deal_source.name'],
      campaign: [`${source}.campaign`, 'document.campaign.name'],
    },
  }),
};
