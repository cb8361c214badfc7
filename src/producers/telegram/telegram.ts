/**
 * Telegram bots. They send each message of a person as an update, with the secret of `setWebhook` in a header. The mapping takes
 * private chats only: in a group a bot would answer everybody.
 */
import { isJsonObject, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader } from '../detection.ts';
import { joined, starter } from '../starter.ts';
import { messengerBody, type Message } from '../messenger/messenger.ts';
import { objectIn, wordsIn } from '../messenger/shown-text.ts';
import { textOfMessage } from './message-text.ts';

function messageOf({ message }: JsonObject): Message | null {
  if (!isJsonObject(message)) return null;
  return { personId: wordsIn(objectIn(message.from).id), text: textOfMessage(message) };
}

/** The person shared their own card. */
const isOwnCard = 'message.contact.user_id == message.from.id';
const ownPhone = 'message.contact.phone_number';
const nameIn = (place: string, when = '@') =>
  joined(['first_name', 'last_name'].map((name) => `${when} && ${place}.${name} || null`));

const command =
  'curl https://api.telegram.org/bot<TOKEN>/setWebhook -d url=<URL> -d secret_token=<SECRET> -d allowed_updates=\'["message"]\'';

export const telegram: Producer = {
  name: 'telegram',
  title: 'Telegram',
  ...messengerBody(jsonBody, { itemsOf: (body) => [body], read: messageOf }),
  delivers: {
    en: 'Messages that people send to a bot.',
    'pt-BR': 'Mensagens que as pessoas enviam a um bot.',
    es: 'Mensajes que las personas envían a un bot.',
  },
  instructions: {
    en: `Choose a secret of letters and digits and set it here. Then run, with the token of @BotFather: ${command}`,
    'pt-BR': `Escolha um segredo de letras e algarismos e defina-o aqui. Depois execute, com o token do @BotFather: ${command}`,
    es: `Elija un secreto de letras y cifras y defínalo aquí. Luego ejecute, con el token de @BotFather: ${command}`,
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-telegram-bot-api-secret-token'), 0.99],
      [hasAll(payload.body, 'update_id', 'message.chat.id'), 0.95],
      [hasAll(payload.body, 'update_id'), 0.6],
    ),
  signature: 'telegram',
  starterMapping: starter({
    filter: "message.chat.type == 'private' && !(message.from.is_bot)",
    eventId: joined(['message.chat.id', 'message.message_id'], ':'),
    eventDate: 'message.date',
    contact: {
      externalId: 'message.from.id',
      name: [nameIn('message.contact', isOwnCard), nameIn('message.from')],
      phone: `${isOwnCard} && (starts_with(${ownPhone}, '+') && ${ownPhone} || join('', ['+', ${ownPhone}])) || null`,
      // Where messages to the person are sent.
      fields: { telegramChatId: { path: 'message.chat.id' } },
    },
    text: ['messenger.text', 'message.text', 'message.caption'],
  }),
};
