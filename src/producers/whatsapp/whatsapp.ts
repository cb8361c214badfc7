/**
 * The WhatsApp Cloud API: messages that people write, and statuses of messages that were sent, many of both in one body. The
 * sender's name and the receiving number are beside the messages, so decoding adds them to each.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import { jsonBody } from '../decode/json.ts';
import { valueAt } from '../detection.ts';
import { challengePresets } from '../handshake/presets.ts';
import type { BodyDecoder, Producer } from '../producer.ts';

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isJson) : [];

/** Adds `profile_name` and `phone_number_id` to the items of one change. */
function addContext(value: Json): void {
  const phoneNumberId = valueAt(value, 'metadata', 'phone_number_id');
  const names = new Map(
    listOf(value.contacts).map((one) => [one.wa_id, valueAt(one, 'profile', 'name')]),
  );
  for (const item of [...listOf(value.messages), ...listOf(value.statuses)]) {
    if (phoneNumberId !== undefined) item.phone_number_id ??= phoneNumberId;
    const name = item.from === undefined ? undefined : names.get(item.from);
    if (name !== undefined) item.profile_name ??= name;
  }
}

const decoder: BodyDecoder = {
  acceptsContentType: jsonBody.acceptsContentType,
  decodeBody(raw) {
    const decoded = jsonBody.decodeBody(raw);
    if (!decoded.ok || !isJson(decoded.value)) return decoded;
    const changes = listOf(decoded.value.entry).flatMap(({ changes: all }) => listOf(all));
    for (const { value } of changes) if (isJson(value)) addContext(value);
    return decoded;
  },
};

const items = (name: string): string => `entry[].changes[].value.${name}[]`;

/** Types of messages that no person wrote, such as a changed number. */
const silent = ['system', 'request_welcome', 'ephemeral'];

/** The words of a message; of a file its caption or name, else its type. */
const words: Source[] = [
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
].map((path) => ({ path }));

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
  detect: ({ body }) =>
    valueAt(body, 'entry', 'changes', 'value', 'messaging_product') === undefined ? 0 : 0.97,
  signature: 'meta',
  challenge: challengePresets.meta,
  starterMapping: {
    split: `[${items('messages')}, ${items('statuses')}][]`,
    // The statuses of a message have its id.
    eventId: { first: [{ path: "status && join(':', [id, status])" }, { path: 'id' }] },
    eventType: { first: [{ path: 'type' }, { path: 'status' }] },
    eventDate: { path: 'timestamp', transforms: ['date'] },
    filter: `type && !contains(\`${JSON.stringify(silent)}\`, type) && (type != 'reaction' || reaction.emoji)`,
    contact: {
      name: { path: 'profile_name' },
      phone: { path: "from && join('', ['+', from])", transforms: ['phone'] },
    },
    message: { text: { first: words } },
    context: { origin: { const: 'whatsapp' } },
  },
};
