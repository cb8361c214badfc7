/** Mails that a route of Mailgun forwards: a form with the headers as JSON, and a signature of the time and a token. */
import { objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { formOrJsonBody } from '../decode/body.ts';
import { hasAll } from '../detection.ts';
import { senderOf } from '../mail/address.ts';
import { mailBody, mailMapping, parsedJson, textIn } from '../mail/mail.ts';
import type { Producer } from '../producer.ts';

function headersOf(value: JsonObject): [string, string][] {
  const list = parsedJson(value['message-headers']);
  if (!Array.isArray(list)) return [];
  return list.flatMap((pair: unknown) =>
    Array.isArray(pair) ? [[textIn(pair[0]) ?? '', textIn(pair[1]) ?? ''] as [string, string]] : [],
  );
}

/** Returns the files: those of the form (`forward()` of a route), and those that the body lists (`store()`). */
function filesOf(value: JsonObject) {
  const posted = objectsIn(value._files).map(({ name, bytes, contentType }) => ({
    name: textIn(name) ?? '',
    bytes: Number(bytes),
    contentType: textIn(contentType) ?? '',
  }));
  const stored = objectsIn(parsedJson(value.attachments)).map((one) => ({
    name: textIn(one.name) ?? '',
    bytes: typeof one.size === 'number' ? one.size : 0,
    contentType: textIn(one['content-type']) ?? '',
  }));
  return [...posted, ...stored];
}

const body = mailBody(formOrJsonBody, (value) => {
  const headers = headersOf(value);
  const own = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  return {
    headers,
    from: senderOf(own('from') ?? textIn(value.from), null),
    returnPath: own('x-envelope-from') ?? textIn(value.sender),
    subject: textIn(value.subject),
    text: textIn(value['body-plain']),
    html: textIn(value['body-html']),
    files: filesOf(value),
  };
});

export const mailgun: Producer = {
  name: 'mailgun',
  title: 'Mailgun (routes)',
  ...body,
  delivers: {
    en: 'Mails that a route of Mailgun forwards.',
    'pt-BR': 'E-mails que uma rota do Mailgun encaminha.',
    es: 'Correos que una ruta de Mailgun reenvía.',
  },
  instructions: {
    en: 'In Mailgun: Receiving → Create route → Forward, with the URL. Set the secret here to the HTTP webhook signing key (Settings → API security).',
    'pt-BR':
      'No Mailgun: Receiving → Create route → Forward, com a URL. Defina aqui como segredo a HTTP webhook signing key (Settings → API security).',
    es: 'En Mailgun: Receiving → Create route → Forward, con la URL. Defina aquí como secreto la HTTP webhook signing key (Settings → API security).',
  },
  detect: ({ body: value }) =>
    hasAll(value, 'body-plain', 'message-headers', 'recipient') ? 0.95 : 0,
  signature: 'mailgun',
  starterMapping: mailMapping,
};
