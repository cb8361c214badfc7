/**
 * The WhatsApp Cloud API: messages that people write, and statuses of messages that were sent, many of both in one body. The
 * sender's name and the receiving number are beside the messages, so decoding adds them to each.
 */
import { isJsonObject, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { hasAll, valueAt } from '../detection.ts';
import { challengePresets } from '../handshake/presets.ts';
import type { BodyDecoder, Producer } from '../producer.ts';
import { starter } from '../starter.ts';

/** Adds `profile_name` and `phone_number_id` to the items of one change. */
function addContext(value: JsonObject): void {
  const phoneNumberId = valueAt(value, 'metadata', 'phone_number_id');
  const names = new Map(
    objectsIn(value.contacts).map((one) => [one.wa_id, valueAt(one, 'profile', 'name')]),
  );
  for (const item of [...objectsIn(value.messages), ...objectsIn(value.statuses)]) {
    if (phoneNumberId !== undefined) item.phone_number_id ??= phoneNumberId;
    const name = item.from === undefined ? undefined : names.get(item.from);
    if (name !== undefined) item.profile_name ??= name;
  }
}

const decoder: BodyDecoder = {
  acceptsContentType: jsonBody.acceptsContentType,
  decodeBody(raw) {
    const decoded = jsonBody.decodeBody(raw);
    if (!decoded.ok || !isJsonObject(decoded.value)) return decoded;
    const changes = objectsIn(decoded.value.entry).flatMap(({ changes: all }) => objectsIn(all));
    for (const { value } of changes) if (isJsonObject(value)) addContext(value);
    return decoded;
  },
};

const items = (name: string): string => `entry[].changes[].value.${name}[]`;

/** Types of messages that no person wrote, such as a changed number. */
const silent = ['system', 'request_welcome', 'ephemeral'];

/** The words of a message; of a file its caption or name, else its type. */
const words = [
  'text.body',
  'button.text',
  'interactive.button_reply.title',
  'interactive.list_reply.title',
  'interactive.nfm_reply.body',
  'image.caption',
  'video.caption',
  'document.caption',
  'document.filename',
  'reaction.emoji',
  'location.name',
  'location.address',
  "join('', ['[', type, ']'])",
];

export const whatsapp: Producer = {
  name: 'whatsapp',
  title: 'WhatsApp (Cloud API)',
  ...decoder,
  delivers: {
    en: 'Messages that people write to a WhatsApp number, and statuses of sent messages.',
    'pt-BR':
      'Mensagens que as pessoas escrevem a um número do WhatsApp, e status das mensagens enviadas.',
    es: 'Mensajes que las personas escriben a un número de WhatsApp, y estados de los mensajes enviados.',
  },
  instructions: {
    en: 'In the app’s dashboard: WhatsApp → Configuration → Webhook, with the URL and the verify token set here; subscribe to “messages”. The secret is the app secret (App settings → Basic).',
    'pt-BR':
      'No painel do app: WhatsApp → Configuração → Webhook, com a URL e o token de verificação definido aqui; assine “messages”. O segredo é o app secret (Configurações do app → Básico).',
    es: 'En el panel de la app: WhatsApp → Configuración → Webhook, con la URL y el token de verificación definido aquí; suscríbase a “messages”. El secreto es el app secret (Configuración de la app → Básica).',
  },
  detect: ({ body }) => (hasAll(body, 'entry.changes.value.messaging_product') ? 0.97 : 0),
  signature: 'meta',
  challenge: challengePresets.meta,
  starterMapping: starter({
    split: `[${items('messages')}, ${items('statuses')}][]`,
    filter: `type && !contains(\`${JSON.stringify(silent)}\`, type) && (type != 'reaction' || reaction.emoji)`,
    // The statuses of a message have its id.
    eventId: ["status && join(':', [id, status])", 'id'],
    eventType: ['type', 'status'],
    eventDate: 'timestamp',
    contact: { name: 'profile_name', phone: "from && join('', ['+', from])" },
    text: words,
    context: { origin: { const: 'whatsapp' } },
  }),
};
