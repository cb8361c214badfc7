/** Calendly. The outer `event` is the type, the one in `payload` a URI. The phone is the reminder number or the answer to a question. */
import type { Source } from '../../domain/mappings/mapping.ts';
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll, hasHeader } from '../detection.ts';

/** The answer to the first question with one of these words in it. */
const answer = (...words: string[]): Source => {
  const test = words.map((word) => `contains(lower(question), '${word}')`).join(' || ');
  return { path: `payload.questions_and_answers[?question && (${test})].answer | [0]` };
};

export const calendly: Producer = {
  name: 'calendly',
  title: 'Calendly',
  ...jsonBody,
  delivers: {
    en: 'People who book, move or cancel a meeting.',
    'pt-BR': 'Pessoas que agendam, remarcam ou cancelam uma reunião.',
    es: 'Personas que agendan, mueven o cancelan una reunión.',
  },
  instructions: {
    en: 'Create a webhook subscription through Calendly’s API with the URL, the event invitee.created and a signing key, which is the secret.',
    'pt-BR':
      'Crie uma assinatura de webhook pela API do Calendly com a URL, o evento invitee.created e uma signing key, que é o segredo.',
    es: 'Cree una suscripción de webhook por la API de Calendly con la URL, el evento invitee.created y una signing key, que es el secreto.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'calendly-webhook-signature'), 0.99],
      [
        hasAll(payload.body, 'event', 'created_by', 'payload') &&
          hasAll(valueAt(payload.body, 'payload'), 'uri'),
        0.85,
      ],
    ),
  signature: 'calendly',
  starterMapping: {
    eventId: { join: [{ path: 'event' }, { path: 'payload.uri' }], with: ' ' },
    eventType: { path: 'event' },
    eventDate: { path: 'created_at', transforms: ['date'] },
    contact: {
      externalId: { path: 'payload.uri' },
      name: {
        first: [
          { path: 'payload.name' },
          { join: [{ path: 'payload.first_name' }, { path: 'payload.last_name' }] },
        ],
      },
      phone: {
        first: [
          { path: 'payload.text_reminder_number' },
          answer('telefone', 'teléfono', 'telefono', 'phone', 'whatsapp', 'celular', 'móvil'),
        ],
        transforms: ['phone'],
      },
      email: { path: 'payload.email', transforms: ['email'] },
    },
    message: {
      text: answer('assunto', 'asunto', 'subject', 'mensagem', 'mensaje', 'message', 'prepar'),
    },
    context: {
      origin: { path: 'payload.tracking.utm_source' },
      campaign: { path: 'payload.tracking.utm_campaign' },
    },
  },
};
