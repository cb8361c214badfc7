/**
 * WAHA, a gateway to WhatsApp. It posts each happening of a session with the session's own number in `me`. What it says beyond
 * `payload` depends on its engine.
 */
import { isText, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { firstOf, hasAll } from '../detection.ts';
import { textOfContent } from '../messenger/baileys-text.ts';
import { personIn } from '../messenger/jid.ts';
import { messengerBody, type Message } from '../messenger/messenger.ts';
import {
  cardsLine,
  joinWords,
  kindOfFile,
  line,
  linkIn,
  objectIn,
  placeLine,
  readCard,
  wordsIn,
} from '../messenger/shown-text.ts';
import type { Producer } from '../producer.ts';
import { starter } from '../starter.ts';

/** Types of the engine that say nothing which a person wrote. */
const silent =
  /^(?:e2e_notification|notification|notification_template|protocol|gp2|ciphertext|revoked)$/;

/** Returns the text; null when nobody wrote the message. */
function textOf(payload: JsonObject): string | null {
  const { body, hasMedia, media, location, vCards, reaction, _data } = payload;
  const data = objectIn(_data);
  const { Message: goMessage, message = goMessage, type } = data;
  if (reaction !== undefined) {
    const emoji = wordsIn(objectIn(reaction).text);
    return emoji === null ? null : line('reaction', emoji);
  }
  if (isText(type) && silent.test(type)) return null;
  const written = isText(body) && body.trim() !== '' ? body : null;
  if (hasMedia === true || objectIn(media).url !== undefined) {
    const { url, mimetype, filename } = objectIn(media);
    const kind = mimetype === undefined && isText(type) ? type : kindOfFile(mimetype);
    return line(kind, joinWords([filename, written], ' '), linkIn(url));
  }
  const { latitude, longitude, description, name, address, url } = objectIn(location);
  if (latitude !== undefined)
    return placeLine({ names: [name, description, address], latitude, longitude, url });
  if (Array.isArray(vCards) && vCards.length > 0)
    return cardsLine(vCards.slice(0, 20).map(readCard));
  if (written !== null) return written;
  return textOfContent(message) ?? (isText(type) && type !== 'chat' ? line(type) : null);
}

const personOf = ({ from, _data }: JsonObject) => {
  const { key, Info, senderPn, senderLid } = objectIn(_data);
  const { remoteJidAlt, senderPn: keyPn, senderLid: keyLid } = objectIn(key);
  return personIn([
    from,
    remoteJidAlt,
    keyPn,
    keyLid,
    senderPn,
    senderLid,
    objectIn(Info).SenderAlt,
  ]);
};

const nameOf = ({ _data }: JsonObject): string | null => {
  const { notifyName, pushName, Info } = objectIn(_data);
  return wordsIn(notifyName) ?? wordsIn(pushName) ?? wordsIn(objectIn(Info).PushName);
};

/** Returns null for a message of the session itself or in a group, a broadcast or a channel. */
function messageOf(body: JsonObject): Message | null {
  const payload = objectIn(body.payload);
  if (payload.fromMe === true) return null;
  const person = personOf(payload);
  const text = person === null ? null : textOf(payload);
  if (person === null || text === null) return null;
  return { ...person, name: nameOf(payload), text };
}

const events = ['message', 'message.any', 'message.reaction'];

export const waha: Producer = {
  name: 'waha',
  title: 'WAHA',
  ...messengerBody(jsonBody, { itemsOf: (body) => [body], read: messageOf }),
  delivers: {
    en: 'Messages that people write to a WhatsApp number.',
    'pt-BR': 'Mensagens que as pessoas escrevem a um número do WhatsApp.',
    es: 'Mensajes que las personas escriben a un número de WhatsApp.',
  },
  instructions: {
    en: 'In the dashboard: Sessions → the session → Webhooks: the URL with the events message and message.reaction. The secret is the HMAC key set there. Messages in groups are ignored.',
    'pt-BR':
      'No dashboard: Sessions → a sessão → Webhooks: a URL com os eventos message e message.reaction. O segredo é a chave HMAC definida ali. Mensagens em grupos são ignoradas.',
    es: 'En el dashboard: Sessions → la sesión → Webhooks: la URL con los eventos message y message.reaction. El secreto es la clave HMAC definida allí. Los mensajes en grupos se ignoran.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'event', 'session', 'payload.from', 'payload.fromMe'), 0.95],
      [hasAll(body, 'event', 'session', 'payload', 'engine'), 0.9],
    ),
  signature: 'waha',
  starterMapping: starter({
    filter: `contains(\`${JSON.stringify(events)}\`, event) && !(payload.fromMe) && messenger`,
    eventId: 'payload.id',
    eventType: 'event',
    eventDate: 'payload.timestamp',
    contact: {
      externalId: 'messenger.personId',
      name: 'messenger.name',
      phone: 'messenger.phone',
    },
    text: 'messenger.text',
    context: { origin: { const: 'whatsapp' } },
  }),
};
