/** Samples of services that post mails. */
import { json, multipart } from './sample.ts';

const name = 'Giulia Esempio';
const address = 'giulia.esempio@example.com';
const from = `${name} <${address}>`;
const to = 'sales@example.com';
const subject = 'A quote';
const text = 'Hello,\n\nI would like a quote for 25 people.\n\nGiulia';
const messageId = '<sample-1@example.com>';
const date = 'Tue, 06 Jan 2026 12:00:00 +0000';
const headers = [
  ['Message-ID', messageId],
  ['Date', date],
  ['From', from],
  ['To', to],
  ['Subject', subject],
] as const;

export const mailSamples = {
  'cloudflare-email': json({
    messageId,
    returnPath: address,
    from: { address, name },
    to: [{ address: to, name: '' }],
    date: '2026-01-06T12:00:00.000Z',
    subject,
    text,
    headers: headers.map(([key, value]) => ({ key: key.toLowerCase(), value })),
    attachments: [],
  }),
  mailgun: multipart({
    recipient: to,
    sender: address,
    from,
    subject,
    'body-plain': text,
    'message-headers': JSON.stringify(headers),
  }),
  postmark: json({
    FromFull: { Email: address, Name: name, MailboxHash: '' },
    ToFull: [{ Email: to, Name: '', MailboxHash: '' }],
    OriginalRecipient: to,
    Subject: subject,
    MessageID: '73e6d360-0000-4000-8000-000000000001',
    Date: date,
    TextBody: text,
    HtmlBody: '',
    Headers: headers.map(([Name, Value]) => ({ Name, Value })),
    Attachments: [],
    MessageStream: 'inbound',
  }),
  sendgrid: multipart({
    headers: headers.map((pair) => pair.join(': ')).join('\n'),
    to,
    from,
    subject,
    text,
    sender_ip: '203.0.113.63',
    envelope: JSON.stringify({ to: [to], from: address }),
    attachments: '0',
  }),
};
