/**
 * Meta: lead ads, and messages of Messenger and Instagram (`entry[].messaging[]`). The webhook has ids only (`entry[].changes[]`), and the person must be read from the Graph API. Make,
 * Zapier and n8n forward the lead itself with its `field_data`. One mapping reads all.
 */
import { objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { challengePresets } from '../handshake/presets.ts';
import type { Producer } from '../producer.ts';
import { valueAt, firstOf, hasAll } from '../detection.ts';
import { isAny, joined, starter } from '../starter.ts';
import { messengerBody } from '../messenger/messenger.ts';
import { readConversation } from './conversation.ts';

const field = (...names: string[]) => `field_data[?${isAny('name', names)}].values[] | [0]`;

/** The standard fields of a form. All others are questions of the advertiser. */
const standard = [
  'email',
  'work_email',
  'full_name',
  'first_name',
  'last_name',
  'phone_number',
  'work_phone_number',
  'city',
  'state',
  'province',
  'country',
  'zip_code',
  'post_code',
  'street_address',
  'date_of_birth',
  'gender',
  'marital_status',
  'job_title',
  'company_name',
  'military_status',
  'relationship_status',
  'inbox_url',
  'cpf',
];

const answers = `field_data[?!contains(\`${JSON.stringify(standard)}\`, name)].values[]`;

/** The value of every id in the requests of the “Test” button in Meta's dashboard. */
const testId = '444444444444';

const conversationsIn = (body: JsonObject) =>
  objectsIn(body.entry).flatMap(({ messaging }) => objectsIn(messaging));

export const meta: Producer = {
  name: 'meta',
  title: 'Meta (lead ads, Messenger, Instagram)',
  ...messengerBody(jsonBody, { itemsOf: conversationsIn, read: readConversation }),
  delivers: {
    en: 'New leads of forms in Facebook and Instagram ads, and messages in Messenger and Instagram.',
    'pt-BR':
      'Novos leads de formulários em anúncios do Facebook e Instagram, e mensagens do Messenger e Instagram.',
    es: 'Nuevos leads de formularios en anuncios de Facebook e Instagram, y mensajes de Messenger e Instagram.',
  },
  instructions: {
    en: 'In the app’s dashboard: Webhooks → Page → leadgen (for messages: messages and messaging_postbacks), with the URL and the verify token set here. The secret is the app secret. Leads arrive as ids; forward them through Make, Zapier or n8n to have names and phones.',
    'pt-BR':
      'No painel do app: Webhooks → Page → leadgen (para mensagens: messages e messaging_postbacks), com a URL e o token de verificação definido aqui. O segredo é o app secret. Os leads chegam como ids; encaminhe por Make, Zapier ou n8n para ter nomes e telefones.',
    es: 'En el panel de la app: Webhooks → Page → leadgen (para mensajes: messages y messaging_postbacks), con la URL y el token de verificación definido aquí. El secreto es el app secret. Los leads llegan como ids; reenvíelos por Make, Zapier o n8n para tener nombres y teléfonos.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'entry.changes.value.leadgen_id'), 0.97],
      [hasAll(body, 'object', 'entry.messaging.sender', 'entry.messaging.recipient'), 0.95],
      // Other subscriptions of Meta.
      [
        hasAll(body, 'object') && typeof valueAt(body, 'entry', 'changes', 'value') === 'object',
        0.6,
      ],
      [hasAll(body, 'field_data', 'form_id'), 0.85],
    ),
  signature: 'meta',
  challenge: challengePresets.meta,
  isPing: ({ body }) => valueAt(body, 'entry', 'changes', 'value', 'leadgen_id') === testId,
  starterMapping: starter({
    split: 'entry[].changes[] || entry[].messaging[] || to_array(@)',
    // Echoes of the page, receipts and deleted messages are not written by a person.
    filter: '!sender || messenger',
    eventId: [
      'value.leadgen_id',
      'message.mid',
      'postback.mid',
      joined(['sender.id', 'not_null(reaction, postback) && to_string(timestamp) || null'], ':'),
      'field_data && id || null',
    ],
    eventType: [
      'field',
      ...['message', 'postback', 'reaction'].map((one) => `${one} && '${one}' || null`),
    ],
    eventDate: ['value.created_time', 'created_time', 'timestamp'],
    contact: {
      externalId: ['value.leadgen_id', 'messenger.personId', 'id'],
      name: [field('full_name'), joined([field('first_name'), field('last_name')])],
      phone: field('phone_number', 'work_phone_number'),
      email: field('email', 'work_email'),
      document: field('cpf'),
    },
    text: ['messenger.text', `field_data && join(', ', ${answers}) || null`],
    context: { origin: 'platform', campaign: ['campaign_name', 'value.ad_id'] },
  }),
};
