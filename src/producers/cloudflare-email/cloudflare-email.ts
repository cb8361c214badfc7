/**
 * Mails that a worker of Cloudflare Email Routing posts, or any program: JSON as the parser `postal-mime` returns it, and the
 * sender of the envelope as `returnPath`. deploy/cloudflare/mail-worker.js is the worker.
 */
import { isJsonObject, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { hasAll, hasHeader, firstOf } from '../detection.ts';
import { senderOf } from '../mail/address.ts';
import { mailBody, mailMapping, textIn } from '../mail/mail.ts';
import type { Producer } from '../producer.ts';

const ids = ({ messageId, inReplyTo, references }: JsonObject): [string, string][] =>
  Object.entries({ 'message-id': messageId, 'in-reply-to': inReplyTo, references }).flatMap(
    ([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []),
  );

const body = mailBody(jsonBody, (value) => {
  const from = isJsonObject(value.from) ? value.from : { address: value.from };
  return {
    headers: [
      ...ids(value),
      ...objectsIn(value.headers).map(({ key, value: given }): [string, string] => [
        textIn(key) ?? '',
        textIn(given) ?? '',
      ]),
    ],
    from: senderOf(from.address, from.name),
    returnPath: textIn(value.returnPath),
    subject: textIn(value.subject),
    text: textIn(value.text),
    html: textIn(value.html),
    files: objectsIn(value.attachments).map(({ filename, mimeType, size }) => ({
      name: textIn(filename) ?? '',
      bytes: typeof size === 'number' ? size : 0,
      contentType: textIn(mimeType) ?? '',
    })),
  };
});

export const cloudflareEmail: Producer = {
  name: 'cloudflare-email',
  title: 'Cloudflare Email Routing',
  ...body,
  delivers: {
    en: 'Mails that a worker of Cloudflare Email Routing, or a program of your own, posts as JSON.',
    'pt-BR':
      'E-mails que um worker do Cloudflare Email Routing, ou um programa seu, envia como JSON.',
    es: 'Correos que un worker de Cloudflare Email Routing, o un programa propio, envía como JSON.',
  },
  instructions: {
    en: 'Deploy the worker deploy/cloudflare/mail-worker.js of the repository with this URL and a secret, route the address to it, and set the same secret here.',
    'pt-BR':
      'Publique o worker deploy/cloudflare/mail-worker.js do repositório com esta URL e um segredo, direcione o endereço para ele e defina o mesmo segredo aqui.',
    es: 'Publique el worker deploy/cloudflare/mail-worker.js del repositorio con esta URL y un secreto, dirija la dirección hacia él y defina aquí el mismo secreto.',
  },
  detect: (payload) =>
    firstOf(
      [hasHeader(payload, 'x-mail-secret'), 0.97],
      [
        isJsonObject(payload.body) &&
          hasAll(payload.body, 'messageId', 'returnPath', 'from', 'text'),
        0.8,
      ],
    ),
  signature: 'cloudflare-email',
  starterMapping: mailMapping,
};
