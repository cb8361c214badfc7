/**
 * Evolution API, a gateway to WhatsApp. It posts each happening of an instance; those of a message have the person in `data.key` and the
 * instance's own number in `sender`.
 */
import { type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { firstOf, hasAll } from '../detection.ts';
import { textOfContent } from '../messenger/baileys-text.ts';
import { personIn } from '../messenger/jid.ts';
import { messengerBody, type Message } from '../messenger/messenger.ts';
import { objectIn, wordsIn } from '../messenger/shown-text.ts';
import type { Producer } from '../producer.ts';
import { joined, starter } from '../starter.ts';

/** Returns null for a message of the instance itself or in a group, a broadcast or a channel. */
function messageOf(body: JsonObject): Message | null {
  const data = objectIn(body.data);
  const key = objectIn(data.key);
  if (key.fromMe === true) return null;
  const person = personIn([
    key.remoteJid,
    key.remoteJidAlt,
    key.senderPn,
    key.senderLid,
    data.senderPn,
    key.previousRemoteJid,
  ]);
  const text = person === null ? null : textOfContent(data.message);
  if (person === null || text === null) return null;
  return { ...person, name: wordsIn(data.pushName), text };
}

export const evolution: Producer = {
  name: 'evolution',
  title: 'Evolution API',
  ...messengerBody(jsonBody, { itemsOf: (body) => [body], read: messageOf }),
  delivers: {
    en: 'Messages that people write to a WhatsApp number.',
    'pt-BR': 'Mensagens que as pessoas escrevem a um número do WhatsApp.',
    es: 'Mensajes que las personas escriben a un número de WhatsApp.',
  },
  instructions: {
    en: 'In the manager: the instance → Events → Webhook: enabled, with the URL and the event MESSAGES_UPSERT; leave “Webhook by Events” off. Messages in groups are ignored.',
    'pt-BR':
      'No manager: a instância → Eventos → Webhook: ativado, com a URL e o evento MESSAGES_UPSERT; deixe “Webhook by Events” desativado. Mensagens em grupos são ignoradas.',
    es: 'En el manager: la instancia → Events → Webhook: activado, con la URL y el evento MESSAGES_UPSERT; deje “Webhook by Events” desactivado. Los mensajes en grupos se ignoran.',
  },
  detect: ({ body }) =>
    firstOf(
      [hasAll(body, 'event', 'instance', 'data.key.remoteJid'), 0.96],
      [hasAll(body, 'event', 'instance', 'server_url', 'data'), 0.9],
    ),
  starterMapping: starter({
    filter:
      "contains(['messages.upsert', 'MESSAGES_UPSERT'], event) && !(data.key.fromMe) && messenger",
    eventId: joined(['instance', 'data.key.id'], ':'),
    eventType: 'event',
    eventDate: ['data.messageTimestamp', 'date_time'],
    contact: {
      externalId: 'messenger.personId',
      name: 'messenger.name',
      phone: 'messenger.phone',
    },
    text: 'messenger.text',
    context: { origin: { const: 'whatsapp' } },
  }),
};
