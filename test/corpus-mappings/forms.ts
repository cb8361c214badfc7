/** Mappings written by hand that read every true value in the requests of forms, calendars and advertisements. */
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import { pathSource } from './path-source.ts';

const answer = (ref: string, value: string) =>
  pathSource(`form_response.answers[?field.ref=='${ref}'].${value} | [0]`);
const asked = (question: string) =>
  pathSource(`payload.questions_and_answers[?question=='${question}'].answer | [0]`);
const replied = (question: string) =>
  pathSource(`responses[?question=='${question}'].answer | [0]`);
const given = (name: string) => pathSource(`field_data[?name=='${name}'].values[0] | [0]`);
const filled = (field: string) => pathSource(`changes[?field=='${field}'].value | [0]`);

export const forms: Readonly<Record<string, MappingDocument>> = {
  'airtable.automation_script_fetch': {
    eventDate: pathSource('fields."Criado em"'),
    contact: {
      externalId: pathSource('recordId'),
      name: pathSource('fields."Nome "'),
      phone: pathSource('fields."Telefone (WhatsApp)"'),
      email: pathSource('fields."E-mail"'),
    },
    message: { text: pathSource('fields."Observações"') },
    context: { origin: pathSource('fields.Origem.name') },
  },
  'airtable.webhook_ping': {
    eventDate: pathSource('timestamp'),
    contact: { externalId: pathSource('base.id') },
  },
  'calendly.invitee_created': {
    eventType: pathSource('event'),
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('payload.uri'),
      name: {
        first: [
          pathSource('payload.name'),
          { join: [pathSource('payload.first_name'), pathSource('payload.last_name')] },
        ],
      },
      phone: asked('Número de telefone'),
      email: pathSource('payload.email'),
    },
    message: { text: asked('Assunto da conversa') },
    context: {
      origin: pathSource('payload.tracking.utm_source'),
      campaign: pathSource('payload.tracking.utm_campaign'),
    },
  },
  'contact_form_7.cf7_to_webhook': {
    contact: {
      name: pathSource('"your-name"'),
      phone: pathSource('"your-phone"'),
      email: pathSource('"your-email"'),
    },
    message: { text: pathSource('"your-message"') },
  },
  'elementor_forms.advanced_data': {
    contact: {
      name: pathSource('fields.name.value'),
      phone: pathSource('fields.phone.value'),
      email: pathSource('fields.email.value'),
    },
    message: { text: pathSource('fields.field_aa00001.value') },
    context: {
      origin: pathSource('fields.utm_source.value'),
      campaign: pathSource('fields.utm_campaign.value'),
    },
  },
  'elementor_forms.flat_bracket_json': {
    contact: {
      name: pathSource('"fields[name][value]"'),
      phone: pathSource('"fields[phone][value]"'),
      email: pathSource('"fields[email][value]"'),
    },
  },
  'elementor_forms.simple_data': {
    contact: {
      name: pathSource('"Seu nome"'),
      phone: pathSource('WhatsApp'),
      email: pathSource('"Seu melhor e-mail"'),
    },
    message: { text: pathSource('Mensagem') },
  },
  'facebook_lead_ads.lead_field_data_forwarded': {
    eventDate: pathSource('created_time'),
    contact: {
      externalId: pathSource('id'),
      name: given('full_name'),
      phone: given('phone_number'),
      email: given('email'),
    },
    message: { text: given('qual_o_seu_interesse?') },
    context: { origin: pathSource('platform'), campaign: pathSource('campaign_name') },
  },
  'facebook_lead_ads.leadgen_change': {
    split: 'entry[].changes[]',
    eventType: pathSource('field'),
    eventDate: pathSource('value.created_time'),
    contact: { externalId: pathSource('value.leadgen_id') },
    context: { campaign: pathSource('value.ad_id') },
  },
  'google_forms_apps_script.item_responses': {
    eventId: pathSource('responseId'),
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('responseId'),
      name: { join: [replied('Nome'), replied('Sobrenome')] },
      phone: replied('Telefone'),
      email: pathSource('respondentEmail'),
    },
    message: {
      text: pathSource("join(', ', responses[?question=='Cursos de interesse'].answer | [0])"),
    },
  },
  'google_forms_apps_script.sheet_named_values': {
    eventDate: pathSource('namedValues."Carimbo de data/hora"[0]'),
    contact: {
      name: pathSource('namedValues."Nome completo"[0]'),
      phone: pathSource('namedValues."WhatsApp (com DDD)"[0]'),
      email: pathSource('namedValues."Endereço de e-mail"[0]'),
      document: pathSource('namedValues.CPF[0]'),
    },
    message: { text: pathSource('namedValues."Como podemos ajudar?"[0]') },
  },
  'tiktok_lead_gen.lead': {
    split: 'entry',
    eventDate: pathSource('create_time'),
    contact: {
      externalId: pathSource('id'),
      name: filled('Nome completo'),
      phone: filled('Telefone'),
      email: filled('E-mail'),
    },
    message: { text: filled('Qual o melhor horário?') },
    context: { campaign: pathSource('campaign_name') },
  },
  'typeform.form_response': {
    eventId: pathSource('event_id'),
    eventType: pathSource('event_type'),
    eventDate: pathSource('form_response.submitted_at'),
    contact: {
      externalId: pathSource('form_response.token'),
      name: answer('nome', 'text'),
      phone: answer('telefone', 'phone_number'),
      email: answer('email', 'email'),
    },
    message: { text: answer('mensagem', 'text') },
    context: {
      origin: pathSource('form_response.hidden.utm_source'),
      campaign: pathSource('form_response.hidden.utm_campaign'),
    },
  },
  'webflow.form_submission': {
    eventId: pathSource('payload.id'),
    eventType: pathSource('triggerType'),
    eventDate: pathSource('payload.submittedAt'),
    contact: {
      externalId: pathSource('payload.id'),
      name: {
        join: [pathSource('payload.data."First Name"'), pathSource('payload.data."Last Name"')],
      },
      phone: pathSource('payload.data."Phone Number"', { phone: { region: 'US' } }),
      email: pathSource('payload.data.Email'),
    },
    message: { text: pathSource('payload.data.Message') },
  },
  'wpforms.webhooks_addon': {
    contact: {
      externalId: pathSource('entry_id'),
      name: { join: [pathSource('first_name'), pathSource('last_name')] },
      phone: pathSource('phone_number'),
      email: pathSource('email_address'),
    },
    message: { text: pathSource('comment') },
  },
};
