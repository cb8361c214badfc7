/**
 * Telegram bots. They send each message of a person as an update, with the secret of `setWebhook` in a header. The mapping takes
 * private chats only: in a group a bot would answer everybody.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import { jsonBody } from '../decode/json.ts';
import type { Producer } from '../producer.ts';
import { firstOf, hasAll, hasHeader, valueAt } from '../detection.ts';

const types = [
  'photo',
  'voice',
  'audio',
  'video',
  'video_note',
  'animation',
  'document',
  'sticker',
  'location',
  'contact',
  'poll',
];
const typeLine = [...types.map((type) => `message.${type} && '[${type}]'`), "'[message]'"];

/** The person shared their own card. */
const isOwnCard = 'message.contact.user_id == message.from.id';
const ownPhone = 'message.contact.phone_number';
const nameIn = (place: string, when = '@'): Source => ({
  join: [
    { path: `${when} && ${place}.first_name || null` },
    { path: `${when} && ${place}.last_name || null` },
  ],
});

const command =
  'curl https://api.telegram.org/bot<TOKEN>/setWebhook -d url=<URL> -d secret_token=<SECRET> -d allowed_updates=\'["message"]\'';

export const telegram: Producer = {
  name: 'telegram',
  title: 'Telegram',
  ...jsonBody,
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
  detect: ({ body, headers, query }) =>
    firstOf(
      [hasHeader({ body, headers, query }, 'x-telegram-bot-api-secret-token'), 0.99],
      [hasAll(body, 'update_id') && valueAt(body, 'message', 'chat', 'id') !== undefined, 0.95],
      [hasAll(body, 'update_id'), 0.6],
    ),
  signature: 'telegram',
  starterMapping: {
    filter: "message.chat.type == 'private' && !(message.from.is_bot)",
    eventId: { join: [{ path: 'message.chat.id' }, { path: 'message.message_id' }], with: ':' },
    eventDate: { path: 'message.date', transforms: ['date'] },
    contact: {
      externalId: { path: 'message.from.id' },
      name: { first: [nameIn('message.contact', isOwnCard), nameIn('message.from')] },
      phone: {
        path: `${isOwnCard} && (starts_with(${ownPhone}, '+') && ${ownPhone} || join('', ['+', ${ownPhone}])) || null`,
        transforms: ['phone'],
      },
      // Where messages to the person are sent.
      fields: { telegramChatId: { path: 'message.chat.id' } },
    },
    message: { text: { path: ['message.text', 'message.caption', ...typeLine].join(' || ') } },
  },
};
