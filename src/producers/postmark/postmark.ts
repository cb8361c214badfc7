/** Mails that Postmark receives: JSON with the headers as a list, and the attachments in base64. */
import { isJsonObject, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { jsonBody } from '../decode/json.ts';
import { hasAll } from '../detection.ts';
import { senderOf } from '../mail/address.ts';
import { isReportPart } from '../mail/automatic.ts';
import { mailBody, mailMapping, textIn } from '../mail/mail.ts';
import type { Producer } from '../producer.ts';

/** Of the parts of a report, so that it says which mail was not delivered. */
const maxEncoded = 65_536;

const fileOf = ({ Name, Content, ContentType, ContentLength }: JsonObject) => {
  const contentType = textIn(ContentType) ?? '';
  const content = textIn(Content) ?? '';
  const decode = () => Buffer.from(content.slice(0, maxEncoded), 'base64').toString('utf8');
  return {
    name: textIn(Name) ?? '',
    bytes: typeof ContentLength === 'number' ? ContentLength : Math.floor(content.length * 0.75),
    contentType,
    ...(isReportPart(contentType) && { text: decode() }),
  };
};

const body = mailBody(jsonBody, (value) => {
  const from = isJsonObject(value.FromFull) ? value.FromFull : {};
  return {
    headers: objectsIn(value.Headers).map(({ Name, Value }) => [
      textIn(Name) ?? '',
      textIn(Value) ?? '',
    ]),
    from: senderOf(from.Email ?? value.From, from.Name ?? value.FromName),
    returnPath: null,
    subject: textIn(value.Subject),
    text: textIn(value.TextBody),
    html: textIn(value.HtmlBody),
    files: objectsIn(value.Attachments).map(fileOf),
  };
});

export const postmark: Producer = {
  name: 'postmark',
  title: 'Postmark (inbound mail)',
  ...body,
  delivers: {
    en: 'Mails that people send to an address of Postmark.',
    'pt-BR': 'E-mails que as pessoas enviam a um endereço do Postmark.',
    es: 'Correos que las personas envían a una dirección de Postmark.',
  },
  instructions: {
    en: 'In the server of Postmark: Inbound stream → Settings → Webhook, paste the URL. Then forward your address to the inbound address shown there.',
    'pt-BR':
      'No servidor do Postmark: Inbound stream → Settings → Webhook, cole a URL. Depois encaminhe o seu endereço para o endereço de entrada mostrado ali.',
    es: 'En el servidor de Postmark: Inbound stream → Settings → Webhook, pegue la URL. Luego reenvíe su dirección a la dirección de entrada que se muestra allí.',
  },
  detect: ({ body: value }) =>
    hasAll(value, 'FromFull', 'OriginalRecipient', 'TextBody') ? 0.95 : 0,
  starterMapping: mailMapping,
};
