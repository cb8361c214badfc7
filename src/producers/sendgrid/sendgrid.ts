/** Mails that SendGrid's Inbound Parse receives: a multipart form with the header block as one text. */
import { isJsonObject, objectsIn, type JsonObject } from '../../base/json/json-values.ts';
import { formWithCharsets } from '../decode/body.ts';
import { hasAll } from '../detection.ts';
import { senderOf } from '../mail/address.ts';
import { mailBody, mailMapping, parsedJson, textIn } from '../mail/mail.ts';
import type { Producer } from '../producer.ts';

const maxBlock = 131_072;

/** Parses the header block of a mail. Continued lines are joined to their header. */
function headersIn(block: string): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of block.slice(0, maxBlock).split(/\r?\n/)) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last[1] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon > 0) headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  return headers;
}

function returnPathOf({ envelope }: JsonObject): string | null {
  const parsed = parsedJson(envelope);
  return isJsonObject(parsed) ? textIn(parsed.from) : null;
}

const body = mailBody(formWithCharsets('charsets'), (value) => ({
  headers: headersIn(textIn(value.headers) ?? ''),
  from: senderOf(textIn(value.from), null),
  returnPath: returnPathOf(value),
  subject: textIn(value.subject),
  text: textIn(value.text),
  html: textIn(value.html),
  files: objectsIn(value._files).map(({ name, bytes, contentType }) => ({
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
