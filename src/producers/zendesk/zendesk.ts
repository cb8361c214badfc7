/** Zendesk's event webhooks: an envelope with `detail` of the resource and `event` of the change. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { starter } from '../starter.ts';

const isUser = "starts_with(not_null(type, ''), 'zen:event-type:user.')";
const ofUser = (member: string) => `${isUser} && detail.${member} || null`;

export const zendesk: Producer = {
  name: 'zendesk',
  title: 'Zendesk',
  ...jsonBody,
  delivers: {
    en: 'Users and tickets when they are created or changed.',
    'pt-BR': 'Usuários e tickets ao serem criados ou alterados.',
    es: 'Usuarios y tickets al crearse o modificarse.',
  },
  instructions: {
    en: 'Admin Center → Apps and integrations → Webhooks → Create: Zendesk events, the URL, POST, JSON. The secret is shown after saving.',
    'pt-BR':
      'Central de administração → Apps e integrações → Webhooks → Criar: eventos do Zendesk, a URL, POST, JSON. O segredo aparece depois de salvar.',
    es: 'Centro de administración → Aplicaciones e integraciones → Webhooks → Crear: eventos de Zendesk, la URL, POST, JSON. El secreto aparece al guardar.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-zendesk-webhook-id'), 0.99],
      [hasHeader(payload, 'x-zendesk-webhook-signature'), 0.99],
      [hasAll(payload.body, 'zendesk_event_version', 'detail'), 0.95],
    ),
  signature: 'zendesk',
  starterMapping: starter({
    // Organizations, articles and agents have numbers of their own.
    filter: `${isUser} || detail.requester_id`,
    eventId: 'id',
    eventType: 'type',
    eventDate: 'time',
    contact: {
      externalId: [ofUser('id'), 'detail.requester_id'],
      name: ofUser('name'),
      phone: ofUser('phone'),
      email: ofUser('email'),
      former: { externalId: "type == 'zen:event-type:user.merged' && event.user.id || null" },
    },
    text: ['event.comment.body', 'detail.description'],
  }),
};
