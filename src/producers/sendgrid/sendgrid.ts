/** Mails that SendGrid's Inbound Parse receives: a multipart form with the header block as one text. */
import { formOrJsonBody } from '../decode/body.ts';
import { hasAll } from '../detection.ts';
import { senderOf } from '../mail/address.ts';
import { headersIn } from '../mail/headers.ts';
import { isJson, listOf, mailBody, mailMapping, textIn, type Json } from '../mail/mail.ts';
import { parsedJson } from '../mail/parsed-json.ts';
import type { Producer } from '../producer.ts';

function returnPathOf({ envelope }: Json): string | null {
  const parsed = parsedJson(envelope);
  return isJson(parsed) ? textIn(parsed.from) : null;
}

const body = mailBody(formOrJsonBody, (value) => ({
  headers: headersIn(textIn(value.headers) ?? ''),
  from: senderOf(textIn(value.from), null),
  returnPath: returnPathOf(value),
  subject: textIn(value.subject),
  text: textIn(value.text),
  html: textIn(value.html),
  files: listOf(value._files).map(({ name, bytes, contentType }) => ({
    name: textIn(name) ?? '',
    bytes: Number(bytes),
    contentType: textIn(contentType) ?? '',
  })),
}));

export const sendgrid: Producer = {
  name: 'sendgrid',
  title: 'SendGrid (Inbound Parse)',
  ...body,
  delivers: {
    en: 'Mails that people send to a domain of SendGrid’s Inbound Parse.',
    'pt-BR': 'E-mails que as pessoas enviam a um domínio do Inbound Parse do SendGrid.',
    es: 'Correos que las personas envían a un dominio del Inbound Parse de SendGrid.',
  },
  instructions: {
    en: 'In SendGrid: Settings → Inbound Parse → Add Host & URL, with the domain and the URL. Leave “POST the raw, full MIME message” off.',
    'pt-BR':
      'No SendGrid: Settings → Inbound Parse → Add Host & URL, com o domínio e a URL. Deixe “POST the raw, full MIME message” desmarcado.',
    es: 'En SendGrid: Settings → Inbound Parse → Add Host & URL, con el dominio y la URL. Deje “POST the raw, full MIME message” sin marcar.',
  },
  detect: ({ body: value }) => (hasAll(value, 'envelope', 'headers', 'sender_ip') ? 0.95 : 0),
  starterMapping: mailMapping,
};
