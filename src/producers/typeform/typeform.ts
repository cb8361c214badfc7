/**
 * Typeform. It sends a list of answers without the skipped questions; each has its value under the name of its type. The
 * mapping finds answers by type, so a form with several texts needs references of its own.
 */
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { starter } from '../starter.ts';

const answer = (test: string, member: string) => `form_response.answers[?${test}].${member} | [0]`;

export const typeform: Producer = {
  name: 'typeform',
  title: 'Typeform',
  ...jsonBody,
  delivers: {
    en: 'Answers to a form when it is submitted.',
    'pt-BR': 'Respostas de um formulário quando é enviado.',
    es: 'Respuestas de un formulario cuando se envía.',
  },
  instructions: {
    en: 'Form → Connect → Webhooks → Add a webhook: paste the URL, switch it on, and set the secret.',
    'pt-BR':
      'Formulário → Connect → Webhooks → Add a webhook: cole a URL, ative e defina o segredo.',
    es: 'Formulario → Connect → Webhooks → Add a webhook: pegue la URL, actívelo y defina el secreto.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'typeform-signature'), 0.99],
      [hasAll(payload.body, 'event_id', 'event_type', 'form_response'), 0.95],
    ),
  signature: 'typeform',
  starterMapping: starter({
    eventId: 'event_id',
    eventType: 'event_type',
    eventDate: 'form_response.submitted_at',
    contact: {
      externalId: 'form_response.token',
      name: answer("field.type == 'short_text'", 'text'),
      phone: answer("type == 'phone_number'", 'phone_number'),
      email: answer("type == 'email'", 'email'),
    },
    text: answer("field.type == 'long_text'", 'text'),
    context: {
      origin: 'form_response.hidden.utm_source',
      campaign: 'form_response.hidden.utm_campaign',
    },
  }),
};
