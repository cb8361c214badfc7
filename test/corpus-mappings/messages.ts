/** Mappings, written by hand, that read what is true in the requests of messengers, e-mail and analytics. */
import type { MappingDocument } from '../../src/domain/mapping.ts';
import { at } from './source.ts';

export const messages: Readonly<Record<string, MappingDocument>> = {
  'brevo.list_addition': {
    eventType: at('event'),
    eventDate: at('ts_event'),
    contact: { email: at('email') },
  },
  'chatwoot.conversation_created': {
    eventId: { header: 'X-Chatwoot-Delivery' },
    eventType: at('event'),
    eventDate: at('timestamp'),
    contact: {
      externalId: at('meta.sender.id'),
      name: at('meta.sender.name'),
      phone: at('meta.sender.phone_number'),
      email: at('meta.sender.email'),
    },
  },
  'chatwoot.message_created': {
    filter: "message_type == 'incoming' && !private",
    eventId: { header: 'X-Chatwoot-Delivery' },
    eventType: at('event'),
    eventDate: at('created_at'),
    contact: {
      externalId: at('sender.id'),
      name: at('sender.name'),
      phone: at('sender.phone_number'),
      email: at('sender.email'),
    },
    message: { text: at('content') },
  },
  'crisp.message_send': {
    filter: "data.from == 'user'",
    eventType: at('event'),
    eventDate: at('timestamp'),
    contact: { externalId: at('data.session_id'), name: at('data.user.nickname') },
    message: { text: at('data.content') },
  },
  'customer_io.reporting_email_delivered': {
    eventId: at('event_id'),
    eventType: { join: [at('object_type'), at('metric')], with: '.' },
    eventDate: at('timestamp'),
    contact: { externalId: at('data.customer_id'), email: at('data.recipient') },
    context: { campaign: at('data.campaign_id') },
  },
  'intercom.contact_user_created': {
    eventId: at('id'),
    eventType: at('topic'),
    eventDate: at('created_at'),
    contact: {
      externalId: at('data.item.id'),
      name: at('data.item.name'),
      phone: at('data.item.phone'),
      email: at('data.item.email'),
      document: at('data.item.custom_attributes.cpf'),
    },
    context: { campaign: at('data.item.custom_attributes.utm_campaign') },
  },
  'intercom.conversation_user_created': {
    eventId: at('id'),
    eventType: at('topic'),
    eventDate: at('created_at'),
    contact: {
      externalId: at('data.item.source.author.id'),
      name: at('data.item.source.author.name'),
      email: at('data.item.source.author.email'),
    },
    message: { text: at('data.item.source.body', 'stripHtml') },
  },
  'mailchimp.subscribe': {
    eventId: { join: [at('type'), at('fired_at'), at('data.id')], with: ':' },
    eventType: at('type'),
    eventDate: at('fired_at'),
    contact: {
      externalId: at('data.id'),
      name: { join: [at('data.merges.FNAME'), at('data.merges.LNAME')] },
      phone: at('data.merges.PHONE'),
      email: at('data.email'),
    },
  },
  'mautic.form_on_submit': {
    split: '"mautic.form_on_submit"',
    eventDate: at('timestamp'),
    contact: {
      externalId: at('submission.lead.id'),
      name: at('submission.results.nome'),
      phone: at('submission.results.telefone'),
      email: at('submission.results.email'),
    },
    message: { text: at('submission.results.mensagem') },
  },
  'mautic.queued_batch': {
    split: '"mautic.lead_post_save_new"',
    eventDate: at('timestamp'),
    contact: {
      externalId: at('contact.id'),
      name: {
        join: [at('contact.fields.core.firstname.value'), at('contact.fields.core.lastname.value')],
      },
      phone: at('contact.fields.core.mobile.value'),
      email: at('contact.fields.core.email.value'),
    },
  },
  'segment.identify': {
    eventId: at('messageId'),
    eventType: at('type'),
    eventDate: at('timestamp'),
    contact: {
      externalId: at('userId'),
      name: at('traits.name'),
      phone: at('traits.phone'),
      email: at('traits.email'),
    },
    context: { origin: at('context.campaign.source'), campaign: at('context.campaign.name') },
  },
  'segment.track': {
    eventId: at('messageId'),
    eventType: at('event'),
    eventDate: at('timestamp'),
    contact: { externalId: at('userId'), email: at('context.traits.email') },
    message: { text: at('properties.message') },
  },
  'slack.event_message': {
    eventId: at('event_id'),
    eventType: at('event.type'),
    eventDate: at('event_time'),
    contact: { externalId: at('event.user') },
    message: { text: at('event.text') },
  },
  'slack.url_verification': { eventType: at('type') },
  'twilio.incoming_sms': {
    eventId: at('MessageSid'),
    contact: { externalId: at('MessageSid'), phone: at('From') },
    message: { text: at('Body') },
  },
  'twilio.incoming_whatsapp': {
    eventId: at('MessageSid'),
    contact: { externalId: at('WaId'), name: at('ProfileName'), phone: at('From') },
    message: { text: at('Body') },
    context: { origin: at('ReferralSourceUrl'), campaign: at('ReferralHeadline') },
  },
  'whautomate.contact_created': {
    eventId: at('event.id'),
    eventType: at('event.type'),
    eventDate: at('event.timeStamp'),
    contact: {
      externalId: at('contact.id'),
      name: at('contact.name'),
      phone: at('contact.phoneNumber'),
      document: at('contact.customFields', { json: { path: 'cpf' } }),
    },
    message: { text: at('contact.notes') },
    context: { origin: at('contact.channel') },
  },
  'zendesk.user_created': {
    eventId: at('id'),
    eventType: at('type'),
    eventDate: at('time'),
    contact: {
      externalId: at('detail.id'),
      name: at('detail.name'),
      phone: at('detail.phone'),
      email: at('detail.email'),
    },
  },
};
