/**
 * The WhatsApp Cloud API: messages that people write, and statuses of messages that were sent, many of both in one body. The
 * sender and the receiving number are beside the messages, so decoding adds them to each, and what a chat shows.
 */
import { isJsonObject, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { hasAll, valueAt } from '../detection.ts';
import { challengePresets } from '../handshake/presets.ts';
import { setMessage, type Message } from '../messenger/messenger.ts';
import { wordsIn } from '../messenger/shown-text.ts';
import type { BodyDecoder, Producer } from '../producer.ts';
import { starter } from '../starter.ts';
import { textOfMessage } from './message-text.ts';

/** Types of messages that no person wrote. */
const silent = ['request_welcome', 'ephemeral'];

type Sender = { readonly name: unknown; readonly number: unknown; readonly userId: unknown };

const senderOf = (contact: JsonObject): Sender => ({
  name: valueAt(contact, 'profile', 'name') ?? valueAt(contact, 'profile', 'username'),
  number: contact.wa_id,
  userId: contact.user_id,
});

/** A person has a number, an id of the business, or both; who has a username may hide the number. */
function findSender(item: JsonObject, senders: readonly Sender[]): Sender | undefined {
  const { from, from_user_id: userId } = item;
  const found = senders.find(
    (one) =>
      (from !== undefined && one.number === from) ||
      (userId !== undefined && one.userId === userId),
  );
  // The one contact of one message is its sender, whichever members name them.
  const isAlone = from === undefined && userId === undefined && senders.length === 1;
  return found ?? (isAlone ? senders[0] : undefined);
}

const messageOf = (item: JsonObject): Message | null => {
  const text = silent.includes(String(item.type)) ? null : textOfMessage(item);
  if (text === null) return null;
  return { personId: wordsIn(item.from_user_id) ?? wordsIn(item.from), text };
};

/** Adds `profile_name` and `phone_number_id` to the items of one change, and the id and the number of the sender to messages. */
function addContext(value: JsonObject): void {
  const phoneNumberId = valueAt(value, 'metadata', 'phone_number_id');
  const senders = objectsIn(value.contacts).map(senderOf);
  const messages = objectsIn(value.messages);
  for (const item of [...messages, ...objectsIn(value.statuses)])
    if (phoneNumberId !== undefined) item.phone_number_id ??= phoneNumberId;
  for (const item of messages) {
    const { name, number, userId } = findSender(item, senders) ?? {};
    if (name !== undefined) item.profile_name ??= name;
    if (number !== undefined) item.from ??= number;
    if (userId !== undefined) item.from_user_id ??= userId;
    setMessage(item, messageOf(item));
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
    // What a person writes in a group would be a chat of theirs alone.
    filter: 'messenger && !group_id',
    // The statuses of a message have its id.
    eventId: ["status && join(':', [id, status])", 'id'],
    eventType: ['type', 'status'],
    eventDate: 'timestamp',
    contact: {
      externalId: 'messenger.personId',
      name: 'profile_name',
      // The address of a messenger may be a number that no numbering plan has any more.
      phone: "from && join('', ['whatsapp:+', from])",
      // Where messages to the person are sent.
      fields: { whatsappId: { path: 'from' } },
    },
    text: 'messenger.text',
    context: { origin: { const: 'whatsapp' }, campaign: 'referral.headline' },
  }),
};
