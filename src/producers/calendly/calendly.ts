/** Calendly. The outer `event` is the type, the one in `payload` a URI. The phone is the reminder number or the answer to a question. */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';

/** The answer to the first question with one of these words in it. */
const answer = (...words: string[]): string => {
  const test = words.map((word) => `contains(lower(question), '${word}')`).join(' || ');
  return `payload.questions_and_answers[?question && (${test})].answer | [0]`;
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
      [hasAll(payload.body, 'event', 'created_by', 'payload.uri'), 0.85],
    ),
  signature: 'calendly',
  starterMapping: starter({
    // Event types, users and forms without a booking have URIs of their own.
    filter: "starts_with(not_null(event, ''), 'invitee')",
    eventId: joined(['event', 'payload.uri'], ' '),
    eventType: 'event',
    eventDate: 'created_at',
    contact: {
      // A no-show has a URI of its own beside that of the invitee.
      externalId: ['payload.invitee', 'payload.uri'],
      name: ['payload.name', joined(['payload.first_name', 'payload.last_name'])],
      phone: [
        'payload.text_reminder_number',
        answer('telefone', 'teléfono', 'telefono', 'phone', 'whatsapp', 'celular', 'móvil'),
      ],
      email: 'payload.email',
      // Of a meeting that was moved.
      former: { externalId: 'payload.old_invitee' },
    },
    text: answer('assunto', 'asunto', 'subject', 'mensagem', 'mensaje', 'message', 'prepar'),
    context: { origin: 'payload.tracking.utm_source', campaign: 'payload.tracking.utm_campaign' },
  }),
};
