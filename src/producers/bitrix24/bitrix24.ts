/**
 * Bitrix24. Its events have the id of a lead, a contact, a deal or a task, which are numbered separately: the external id has the type.
 * The values come from an automation that forwards them, or from the query of the URL.
 */
import { anyFormatBody } from '../decode/body.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll } from '../detection.ts';
import { joined, starter } from '../starter.ts';

const isLead = "starts_with(not_null(event, ''), 'ONCRMLEAD')";
const isContact = "starts_with(not_null(event, ''), 'ONCRMCONTACT')";
const isDocument = "contains(['CCrmDocumentLead', 'CCrmDocumentContact'], document_id[1])";

const idOf = (type: string) =>
  `data.FIELDS.ID && join('_', ['${type}', to_string(data.FIELDS.ID)]) || null`;

/** A value in the fields of the record, of which phones and e-mails are lists. */
const field = (name: string) => `data.FIELDS.${name}`;

export const bitrix24: Producer = {
  name: 'bitrix24',
  title: 'Bitrix24',
  ...anyFormatBody,
  delivers: {
    en: 'Leads and contacts of the CRM: their ids, and what an automation adds.',
    'pt-BR': 'Leads e contatos do CRM: os ids deles, e o que uma automação acrescenta.',
    es: 'Leads y contactos del CRM: sus ids, y lo que agrega una automatización.',
  },
  instructions: {
    en: 'In the automation of leads add “Outbound webhook” with the URL and &name={{Name}}&phone={{Phone}}&email={{E-mail}}. An outbound webhook of Developer resources sends the id only.',
    'pt-BR':
      'Na automação dos leads, adicione “Webhook de saída” com a URL e &name={{Nome}}&phone={{Telefone}}&email={{E-mail}}. Um webhook de saída dos Recursos para desenvolvedores envia somente o id.',
    es: 'En la automatización de los leads agregue “Webhook saliente” con la URL y &name={{Nombre}}&phone={{Teléfono}}&email={{E-mail}}. Un webhook saliente de los Recursos para desarrolladores envía solo el id.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'event', 'data.FIELDS', 'auth.domain'), 0.95],
      [hasAll(body, 'event', 'data', 'auth.application_token', 'auth.member_id'), 0.9],
      [hasAll(body, 'document_id', 'auth.domain', 'auth.member_id'), 0.9],
    ),
  starterMapping: starter({
    filter: `${isLead} || ${isContact} || ${isDocument}`,
    eventId: joined(['event', 'data.FIELDS.ID', 'ts'], ':'),
    eventType: 'event',
    eventDate: 'ts',
    contact: {
      externalId: [
        `${isLead} && ${idOf('lead')}`,
        `${isContact} && ${idOf('contact')}`,
        `${isDocument} && lower(document_id[2]) || null`,
      ],
      name: [joined([field('NAME'), field('LAST_NAME')]), { query: 'name' }],
      phone: [field('PHONE[0].VALUE'), { query: 'phone' }],
      email: [field('EMAIL[0].VALUE'), { query: 'email' }],
    },
    text: field('COMMENTS'),
    context: {
      origin: [field('UTM_SOURCE'), field('SOURCE_ID')],
      campaign: field('UTM_CAMPAIGN'),
    },
  }),
};
