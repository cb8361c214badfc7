/**
 * Intercom. It notifies of contacts, conversations, companies and tickets. The person of a conversation is its author, unless a
 * colleague started it, and its text is HTML.
 */
import { jsonBody } from '../decode/json.ts';
import { emptyAnswer } from '../handshake/handshake.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll } from '../detection.ts';
import { starter } from '../starter.ts';

const isPerson = (type: string) => `contains(['contact', 'user', 'lead'], ${type})`;

/** A field of a conversation's author, or of the contact. The id of a conversation is not the person's. */
const person = (member: string) => [
  `${isPerson('data.item.source.author.type')} && data.item.source.author.${member} || null`,
  `${isPerson('data.item.type')} && data.item.${member} || null`,
  // Of a tag.
  `data.item.contact.${member}`,
  `data.item.user.${member}`,
];

/** A message may be files alone. */
const files =
  "join('\n', not_null(data.item.source.attachments, `[]`)[].join(' ', ['[file]', not_null(name, ''), not_null(url, '')])) || null";

export const intercom: Producer = {
  name: 'intercom',
  title: 'Intercom',
  ...jsonBody,
  delivers: {
    en: 'New contacts, and conversations that people start.',
    'pt-BR': 'Novos contatos e conversas iniciadas por pessoas.',
    es: 'Nuevos contactos y conversaciones que inician las personas.',
  },
  instructions: {
    en: 'Developer Hub → your app → Webhooks: paste the URL and choose topics. The secret is the app’s client secret.',
    'pt-BR':
      'Developer Hub → seu app → Webhooks: cole a URL e escolha os tópicos. O segredo é o client secret do app.',
    es: 'Developer Hub → su app → Webhooks: pegue la URL y elija los temas. El secreto es el client secret de la app.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'topic', 'delivery_attempts', 'app_id', 'data'), 0.95],
      [valueAt(body, 'type') === 'notification_event' && hasAll(body, 'topic'), 0.95],
    ),
  signature: 'intercom',
  handshake: ({ method }) => (method === 'HEAD' ? emptyAnswer(200) : null),
  isPing: ({ body }) => valueAt(body, 'topic') === 'ping',
  starterMapping: starter({
    filter: [
      isPerson('data.item.type'),
      isPerson('data.item.source.author.type'),
      "data.item.type != 'conversation' && (data.item.contact.id || data.item.user.id)",
    ].join(' || '),
    eventId: 'id',
    eventType: 'topic',
    eventDate: 'created_at',
    contact: {
      externalId: person('id'),
      name: person('name'),
      phone: person('phone'),
      email: person('email'),
      document: 'data.item.custom_attributes.[cpf, CPF, cnpj, CNPJ][] | [0]',
    },
    text: [{ path: 'data.item.source.body', transforms: ['stripHtml'] }, files],
    context: {
      origin: 'data.item.custom_attributes.utm_source',
      campaign: 'data.item.custom_attributes.utm_campaign',
    },
  }),
};
