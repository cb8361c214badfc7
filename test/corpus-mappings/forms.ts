/** Mappings, written by hand, that read what is true in the requests of forms, calendars and advertisements. */
import type { MappingDocument } from '../../src/domain/mapping.ts';
import { at } from './source.ts';

const answer = (ref: string, value: string) =>
  at(`form_response.answers[?field.ref=='${ref}'].${value} | [0]`);
const asked = (question: string) =>
  at(`payload.questions_and_answers[?question=='${question}'].answer | [0]`);
const replied = (question: string) => at(`responses[?question=='${question}'].answer | [0]`);
const given = (name: string) => at(`field_data[?name=='${name}'].values[0] | [0]`);
const filled = (field: string) => at(`changes[?field=='${field}'].value | [0]`);

export const forms: Readonly<Record<string, MappingDocument>> = {
  'airtable.automation_script_fetch': {
    eventDate: at('fields."Criado em"'),
    contact: {
      externalId: at('recordId'),
      name: at('fields."Nome "'),
      phone: at('fields."Telefone (WhatsApp)"'),
      email: at('fields."E-mail"'),
    },
    message: { text: at('fields."Observações"') },
    context: { origin: at('fields.Origem.name') },
  },
  'airtable.webhook_ping': { eventDate: at('timestamp'), contact: { externalId: at('base.id') } },
  'calendly.invitee_created': {
    eventType: at('event'),
    eventDate: at('created_at'),
    contact: {
      externalId: at('payload.uri'),
      name: {
        first: [at('payload.name'), { join: [at('payload.first_name'), at('payload.last_name')] }],
      },
      phone: asked('Número de telefone'),
      email: at('payload.email'),
    },
    message: { text: asked('Assunto da conversa') },
    context: {
      origin: at('payload.tracking.utm_source'),
      campaign: at('payload.tracking.utm_campaign'),
    },
  },
  'contact_form_7.cf7_to_webhook': {
    contact: { name: at('"your-name"'), phone: at('"your-phone"'), email: at('"your-email"') },
    message: { text: at('"your-message"') },
  },
  'elementor_forms.advanced_data': {
    contact: {
      name: at('fields.name.value'),
      phone: at('fields.phone.value'),
      email: at('fields.email.value'),
    },
    message: { text: at('fields.field_aa00001.value') },
    context: { origin: at('fields.utm_source.value'), campaign: at('fields.utm_campaign.value') },
  },
  'elementor_forms.flat_bracket_json': {
    contact: {
      name: at('"fields[name][value]"'),
      phone: at('"fields[phone][value]"'),
      email: at('"fields[email][value]"'),
    },
  },
  'elementor_forms.simple_data': {
    contact: { name: at('"Seu nome"'), phone: at('WhatsApp'), email: at('"Seu melhor e-mail"') },
    message: { text: at('Mensagem') },
  },
  'facebook_lead_ads.lead_field_data_forwarded': {
    eventDate: at('created_time'),
    contact: {
      externalId: at('id'),
      name: given('full_name'),
      phone: given('phone_number'),
      email: given('email'),
    },
    message: { text: given('qual_o_seu_interesse?') },
    context: { origin: at('platform'), campaign: at('campaign_name') },
  },
  'facebook_lead_ads.leadgen_change': {
    split: 'entry[].changes[]',
    eventType: at('field'),
    eventDate: at('value.created_time'),
    contact: { externalId: at('value.leadgen_id') },
    context: { campaign: at('value.ad_id') },
  },
  'google_forms_apps_script.item_responses': {
    eventId: at('responseId'),
    eventDate: at('timestamp'),
    contact: {
      externalId: at('responseId'),
      name: { join: [replied('Nome'), replied('Sobrenome')] },
      phone: replied('Telefone'),
      email: at('respondentEmail'),
    },
    message: { text: at("join(', ', responses[?question=='Cursos de interesse'].answer | [0])") },
  },
  'google_forms_apps_script.sheet_named_values': {
    eventDate: at('namedValues."Carimbo de data/hora"[0]'),
    contact: {
      name: at('namedValues."Nome completo"[0]'),
      phone: at('namedValues."WhatsApp (com DDD)"[0]'),
      email: at('namedValues."Endereço de e-mail"[0]'),
      document: at('namedValues.CPF[0]'),
    },
    message: { text: at('namedValues."Como podemos ajudar?"[0]') },
  },
  'tiktok_lead_gen.lead': {
    split: 'entry',
    eventDate: at('create_time'),
    contact: {
      externalId: at('id'),
      name: filled('Nome completo'),
      phone: filled('Telefone'),
      email: filled('E-mail'),
    },
    message: { text: filled('Qual o melhor horário?') },
    context: { campaign: at('campaign_name') },
  },
  'typeform.form_response': {
    eventId: at('event_id'),
    eventType: at('event_type'),
    eventDate: at('form_response.submitted_at'),
    contact: {
      externalId: at('form_response.token'),
      name: answer('nome', 'text'),
      phone: answer('telefone', 'phone_number'),
      email: answer('email', 'email'),
    },
    message: { text: answer('mensagem', 'text') },
    context: {
      origin: at('form_response.hidden.utm_source'),
      campaign: at('form_response.hidden.utm_campaign'),
    },
  },
  'webflow.form_submission': {
    eventId: at('payload.id'),
    eventType: at('triggerType'),
    eventDate: at('payload.submittedAt'),
    contact: {
      externalId: at('payload.id'),
      name: { join: [at('payload.data."First Name"'), at('payload.data."Last Name"')] },
      phone: at('payload.data."Phone Number"', { phone: { region: 'US' } }),
      email: at('payload.data.Email'),
    },
    message: { text: at('payload.data.Message') },
  },
  'wpforms.webhooks_addon': {
    contact: {
      externalId: at('entry_id'),
      name: { join: [at('first_name'), at('last_name')] },
      phone: at('phone_number'),
      email: at('email_address'),
    },
    message: { text: at('comment') },
  },
};
