/** Mappings written by hand that read every true value in the requests of messengers, e-mail and analytics. */
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import { pathSource } from './path-source.ts';

export const messages: Readonly<Record<string, MappingDocument>> = {
  'brevo.list_addition': {
    eventType: pathSource('event'),
    eventDate: pathSource('ts_event'),
    contact: { email: pathSource('email') },
  },
  'chatwoot.conversation_created': {
    eventId: { header: 'X-Chatwoot-Delivery' },
    eventType: pathSource('event'),
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('meta.sender.id'),
      name: pathSource('meta.sender.name'),
      phone: pathSource('meta.sender.phone_number'),
      email: pathSource('meta.sender.email'),
    },
  },
  'chatwoot.message_created': {
    filter: "message_type == 'incoming' && !private",
    eventId: { header: 'X-Chatwoot-Delivery' },
    eventType: pathSource('event'),
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('sender.id'),
      name: pathSource('sender.name'),
      phone: pathSource('sender.phone_number'),
      email: pathSource('sender.email'),
    },
    message: { text: pathSource('content') },
  },
  'crisp.message_send': {
    filter: "data.from == 'user'",
    eventType: pathSource('event'),
    eventDate: pathSource('timestamp'),
    contact: { externalId: pathSource('data.session_id'), name: pathSource('data.user.nickname') },
    message: { text: pathSource('data.content') },
  },
  'customer_io.reporting_email_delivered': {
    eventId: pathSource('event_id'),
    eventType: { join: [pathSource('object_type'), pathSource('metric')], with: '.' },
    eventDate: pathSource('timestamp'),
    contact: { externalId: pathSource('data.customer_id'), email: pathSource('data.recipient') },
    context: { campaign: pathSource('data.campaign_id') },
  },
  'intercom.contact_user_created': {
    eventId: pathSource('id'),
    eventType: pathSource('topic'),
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('data.item.id'),
      name: pathSource('data.item.name'),
      phone: pathSource('data.item.phone'),
      email: pathSource('data.item.email'),
      document: pathSource('data.item.custom_attributes.cpf'),
    },
    context: { campaign: pathSource('data.item.custom_attributes.utm_campaign') },
  },
  'intercom.conversation_user_created': {
    eventId: pathSource('id'),
    eventType: pathSource('topic'),
    eventDate: pathSource('created_at'),
    contact: {
      externalId: pathSource('data.item.source.author.id'),
      name: pathSource('data.item.source.author.name'),
      email: pathSource('data.item.source.author.email'),
    },
    message: { text: pathSource('data.item.source.body', 'stripHtml') },
  },
  'mailchimp.subscribe': {
    eventId: {
      join: [pathSource('type'), pathSource('fired_at'), pathSource('data.id')],
      with: ':',
    },
    eventType: pathSource('type'),
    eventDate: pathSource('fired_at'),
    contact: {
      externalId: pathSource('data.id'),
      name: { join: [pathSource('data.merges.FNAME'), pathSource('data.merges.LNAME')] },
      phone: pathSource('data.merges.PHONE'),
      email: pathSource('data.email'),
    },
  },
  'mautic.form_on_submit': {
    split: '"mautic.form_on_submit"',
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('submission.lead.id'),
      name: pathSource('submission.results.nome'),
      phone: pathSource('submission.results.telefone'),
      email: pathSource('submission.results.email'),
    },
    message: { text: pathSource('submission.results.mensagem') },
  },
  'mautic.queued_batch': {
    split: '"mautic.lead_post_save_new"',
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('contact.id'),
      name: {
        join: [
          pathSource('contact.fields.core.firstname.value'),
          pathSource('contact.fields.core.lastname.value'),
        ],
      },
      phone: pathSource('contact.fields.core.mobile.value'),
      email: pathSource('contact.fields.core.email.value'),
    },
  },
  'segment.identify': {
    eventId: pathSource('messageId'),
    eventType: pathSource('type'),
    eventDate: pathSource('timestamp'),
    contact: {
      externalId: pathSource('userId'),
      name: pathSource('traits.name'),
      phone: pathSource('traits.phone'),
      email: pathSource('traits.email'),
    },
    context: {
      origin: pathSource('context.campaign.source'),
      campaign: pathSource('context.campaign.name'),
    },
  },
  'segment.track': {
    eventId: pathSource('messageId'),
    eventType: pathSource('event'),
    eventDate: pathSource('timestamp'),
    contact: { externalId: pathSource('userId'), email: pathSource('context.traits.email') },
    message: { text: pathSource('properties.message') },
  },
  'slack.event_message': {
    eventId: pathSource('event_id'),
    eventType: pathSource('event.type'),
    eventDate: pathSource('event_time'),
    contact: { externalId: pathSource('event.user') },
    message: { text: pathSource('event.text') },
  },
  'slack.url_verification': { eventType: pathSource('type') },
  'twilio.incoming_sms': {
    eventId: pathSource('MessageSid'),
    contact: { externalId: pathSource('MessageSid'), phone: pathSource('From') },
    message: { text: pathSource('Body') },
  },
  'twilio.incoming_whatsapp': {
    eventId: pathSource('MessageSid'),
    contact: {
      externalId: pathSource('WaId'),
      name: pathSource('ProfileName'),
      phone: pathSource('From'),
    },
    message: { text: pathSource('Body') },
    context: { origin: pathSource('ReferralSourceUrl'), campaign: pathSource('ReferralHeadline') },
  },
  'whautomate.contact_created': {
    eventId: pathSource('event.id'),
    eventType: pathSource('event.type'),
    eventDate: pathSource('event.timeStamp'),
    contact: {
      externalId: pathSource('contact.id'),
      name: pathSource('contact.name'),
      phone: pathSource('contact.phoneNumber'),
      document: pathSource('contact.customFields', { json: { path: 'cpf' } }),
    },
    message: { text: pathSource('contact.notes') },
    context: { origin: pathSource('contact.channel') },
  },
  'zendesk.user_created': {
    eventId: pathSource('id'),
    eventType: pathSource('type'),
    eventDate: pathSource('time'),
    contact: {
      externalId: pathSource('detail.id'),
      name: pathSource('detail.name'),
      phone: pathSource('detail.phone'),
      email: pathSource('detail.email'),
    },
  },
};
