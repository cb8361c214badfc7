// The requests by which mail services post a received mail, as their public documentation shows them.
import { createHmac } from 'node:crypto';

export const mailServices = ['postmark', 'sendgrid', 'mailgun', 'cloudflare-email'] as const;
export type MailService = (typeof mailServices)[number];

export type ReceivedMail = {
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly messageId?: string;
  /** Further headers. */
  readonly headers?: readonly (readonly [string, string])[];
  /** The sender of the envelope; that of the mail by default. */
  readonly returnPath?: string;
  readonly file?: {
    readonly name: string;
    readonly contentType: string;
    readonly content: string;
  };
};

type ServiceRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export const mailSecret = 'not-for-your-eyes';
const boundary = 'xYzZY';

const completed = (given: ReceivedMail) => {
  const {
    from = 'Ana Exemplo <ana@example.com>',
    to = 'desk@example.org',
    subject = 'Preço',
    text = 'Olá',
    html = '',
    messageId = '<CAF1@mail.example.com>',
    headers = [],
    file,
  } = given;
  const address = /<([^<>]*)>$/.exec(from)?.[1] ?? from;
  const name = from.includes('<') ? from.slice(0, from.lastIndexOf('<')).trim() : '';
  const all: [string, string][] = [
    ['Received', 'from mail.example.com by mx.example.net; Tue, 06 Jan 2026 12:00:00 +0000'],
    ['From', from],
    ['To', to],
    ['Subject', subject],
    ['Date', 'Tue, 06 Jan 2026 09:00:00 -0300'],
    ['Message-ID', messageId],
    ...headers.map(([key, value]): [string, string] => [key, value]),
  ];
  const { returnPath = address } = given;
  return { from, to, subject, text, html, messageId, file, address, name, returnPath, all };
};

type Completed = ReturnType<typeof completed>;

const json = (value: object): ServiceRequest => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

function multipart(
  fields: Readonly<Record<string, string>>,
  file: Completed['file'],
): ServiceRequest {
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  if (file) {
    const { name, contentType, content } = file;
    parts.push(
      `Content-Disposition: form-data; name="attachment1"; filename="${name}"\r\nContent-Type: ${contentType}\r\n\r\n${content}\r\n`,
    );
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`,
  };
}

/** https://postmarkapp.com/developer/webhooks/inbound-webhook */
const postmark = (mail: Completed): ServiceRequest =>
  json({
    FromName: mail.name,
    MessageStream: 'inbound',
    From: mail.address,
    FromFull: { Email: mail.address, Name: mail.name, MailboxHash: '' },
    To: mail.to,
    ToFull: [{ Email: mail.to, Name: '', MailboxHash: '' }],
    Cc: '',
    CcFull: [],
    Bcc: '',
    BccFull: [],
    OriginalRecipient: mail.to,
    Subject: mail.subject,
    MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
    ReplyTo: '',
    MailboxHash: '',
    Date: 'Tue, 06 Jan 2026 09:00:00 -0300',
    TextBody: mail.text,
    HtmlBody: mail.html,
    StrippedTextReply: '',
    Tag: '',
    Headers: [
      ...mail.all.map(([Name, Value]) => ({ Name, Value })),
      { Name: 'Return-Path', Value: `<${mail.returnPath}>` },
    ],
    Attachments: mail.file
      ? [
          {
            Name: mail.file.name,
            Content: Buffer.from(mail.file.content).toString('base64'),
            ContentType: mail.file.contentType,
            ContentLength: Buffer.byteLength(mail.file.content),
            ContentID: '',
          },
        ]
      : [],
  });

/** https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook */
const sendgrid = (mail: Completed): ServiceRequest =>
  multipart(
    {
      headers: mail.all.map(([name, value]) => `${name}: ${value}`).join('\n'),
      dkim: '{@example.com : pass}',
      to: mail.to,
      ...(mail.html !== '' && { html: mail.html }),
      from: mail.from,
      text: mail.text,
      sender_ip: '203.0.113.63',
      envelope: JSON.stringify({ to: [mail.to], from: mail.returnPath }),
      attachments: mail.file ? '1' : '0',
      subject: mail.subject,
      charsets: '{"to":"UTF-8","from":"UTF-8","subject":"UTF-8","text":"UTF-8"}',
      SPF: 'pass',
    },
    mail.file,
  );

/** https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http */
function mailgun(mail: Completed): ServiceRequest {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const token = '9a4f1c8d3f0b4d7e8a5c6b7d8e9f0a1b2c3d4e5f6a7b8c9d0e';
  const fields = {
    recipient: mail.to,
    sender: mail.returnPath,
    from: mail.from,
    subject: mail.subject,
    'body-plain': mail.text,
    'stripped-text': mail.text,
    'stripped-signature': '',
    ...(mail.html !== '' && { 'body-html': mail.html }),
    // A field of each header, and all together.
    ...Object.fromEntries(mail.all),
    'message-headers': JSON.stringify(mail.all),
    'attachment-count': mail.file ? '1' : '0',
    timestamp,
    token,
    signature: createHmac('sha256', mailSecret).update(`${timestamp}${token}`).digest('hex'),
  };
  if (mail.file) return multipart(fields, mail.file);
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams(fields)),
  };
}

/** What deploy/cloudflare/mail-worker.js posts. */
function cloudflare(mail: Completed): ServiceRequest {
  const of = (wanted: string) => mail.all.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const request = json({
    headers: mail.all.map(([key, value]) => ({ key: key.toLowerCase(), value })),
    from: { address: mail.address, name: mail.name },
    to: [{ address: mail.to, name: '' }],
    subject: mail.subject,
    messageId: mail.messageId,
    inReplyTo: of('in-reply-to'),
    references: of('references'),
    date: '2026-01-06T12:00:00.000Z',
    text: mail.text,
    ...(mail.html !== '' && { html: mail.html }),
    returnPath: mail.returnPath,
    attachments: mail.file
      ? [
          {
            filename: mail.file.name,
            mimeType: mail.file.contentType,
            size: Buffer.byteLength(mail.file.content),
          },
        ]
      : [],
  });
  return { ...request, headers: { ...request.headers, 'x-mail-secret': mailSecret } };
}

const services: Readonly<Record<MailService, (mail: Completed) => ServiceRequest>> = {
  postmark,
  sendgrid,
  mailgun,
  'cloudflare-email': cloudflare,
};

export const requestOf = (service: MailService, mail: ReceivedMail = {}): ServiceRequest =>
  services[service](completed(mail));

/** Mailgun and the worker prove themselves; the others have the path key only. */
export const signs = (service: MailService): boolean =>
  service === 'mailgun' || service === 'cloudflare-email';
