/**
 * Sends the messages of agents as mail to the email of their contact, through an SMTP server; those of events only if it is set to.
 *
 * Promises: every attempt of a message has the same Message-ID. A 2xx reply to the whole mail means delivered; 4xx is retried;
 * 5xx is final for the mail, and retried where it is about the server's login or greeting.
 * Must never: send without TLS to a public address, or put an address, a credential or a part of the mail in a reason.
 */
import { isText } from '../../base/json/json-values.ts';
import type { FieldProblem } from '../../base/errors.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import {
  maxTimeoutMs,
  type Channel,
  type ChannelSettings,
  type Deliver,
  type OutboundOptions,
  type OutgoingMessage,
  type Probe,
} from '../channel.ts';
import {
  deliverySettings,
  eventMessagesAreSent,
  eventMessagesSetting,
  ratesOf,
  regionSetting,
  textCapabilities,
} from '../delivery-settings.ts';
import { addressRefused, notAnswered, rejected, retryLater } from '../outcomes.ts';
import { DestinationNotAllowed } from '../ssrf-guard.ts';
import { inbound } from './inbound-mail.ts';
import {
  checkMailServer,
  isServerAllowed,
  mailSecurities,
  sendMail,
  type Mail,
  type MailResult,
  type MailServer,
} from './send-mail.ts';
import { threadHeaders, messageIdOf } from './thread.ts';
import type { PublicText } from '../../base/texts/texts.ts';

const maxSubjectLength = 200;
const onePart = '^[^\\u0000-\\u001f\\u007f<>"]+$';
export const emailPattern =
  '^[^\\s@<>(),;:"\\u0000-\\u001f]{1,64}@[^\\s@<>(),;:"\\u0000-\\u001f]{1,255}$';
const isEmail = new RegExp(emailPattern, 'u');

const settingsSchema = {
  type: 'object',
  properties: {
    host: {
      type: 'string',
      pattern: '^[A-Za-z0-9.:_-]+$',
      maxLength: 255,
      description: 'The SMTP server, such as smtp.example.com.',
    },
    port: {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      description: 'Usually 587 with starttls, 465 with tls.',
    },
    security: {
      type: 'string',
      enum: mailSecurities,
      description:
        'tls, or starttls, which is required before anything is sent; none only to the ranges of INLET_ALLOWED_DESTINATIONS.',
    },
    username: { type: 'string', minLength: 1, maxLength: 320, description: 'Of the mail account.' },
    password: {
      type: 'string',
      minLength: 1,
      maxLength: 1_000,
      writeOnly: true,
      description: 'Of the mail account.',
    },
    from: {
      type: 'string',
      pattern: emailPattern,
      maxLength: 320,
      description: 'The sender of each mail.',
    },
    fromName: {
      type: 'string',
      pattern: onePart,
      maxLength: 100,
      description: 'The name of the sender; that of the account by default.',
    },
    replyTo: {
      type: 'string',
      pattern: emailPattern,
      maxLength: 320,
      description:
        'Where answers go, such as an address whose mails come to a webhook of the channel; the sender by default.',
    },
    subject: {
      type: 'string',
      pattern: onePart,
      maxLength: maxSubjectLength,
      description:
        'The subject of each mail that does not answer one; the first line of the message by default.',
    },
    ...eventMessagesSetting,
    ...deliverySettings('none'),
    region: regionSetting,
  },
  required: ['host', 'port', 'security', 'from'],
  additionalProperties: false,
} as const;

const serverOf = ({ host, port, security, username, password }: ChannelSettings): MailServer => ({
  host: String(host),
  port: Number(port),
  security: mailSecurities.find((one) => one === security) ?? 'tls',
  ...(isText(username) && { username }),
  ...(isText(password) && { password }),
});

function subjectOf({ content: { text } }: OutgoingMessage): string {
  const [line = ''] = text.trim().split(/[\r\n]/u, 1);
  return Array.from(line).slice(0, 78).join('') || 'Message';
}

/** A message of an event, or a notice, has no person behind it, so that no program may answer it (RFC 3834). */
const automatic = { 'auto-submitted': 'auto-generated' };

type Recipient = { readonly address: string; readonly thread: string | undefined };

function mailOf(
  message: OutgoingMessage,
  settings: ChannelSettings,
  { address, thread }: Recipient,
): Mail {
  const { from, fromName, replyTo, subject } = settings;
  const name = message.contact?.name;
  const answers = message.test ? null : threadHeaders(thread);
  const own = isText(subject) ? subject : subjectOf(message);
  return {
    messageId: messageIdOf(message.id, settings),
    from: { ...(isText(fromName) && { name: fromName }), address: String(from) },
    to: { ...(name && { name }), address },
    ...(isText(replyTo) && { replyTo }),
    ...(answers && { inReplyTo: answers.inReplyTo, references: answers.references }),
    ...(message.from !== 'operator' && { headers: automatic }),
    subject: answers?.subject ?? own,
    text: message.content.text,
    date: new Date(message.date),
  };
}

const aboutTheMail = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const aboutTheRecipient = new Set(['RCPT TO', 'DATA']);
const endsTheSession = 421;

function outcomeOf(result: MailResult): DeliveryOutcome {
  if (result.kind === 'accepted') return { kind: 'delivered' };
  if (result.kind === 'invalid') return rejected('invalid');
  if (result.kind === 'rejected') {
    const { status, command } = result;
    const isMessage = aboutTheRecipient.has(command) && status !== endsTheSession;
    const scope = isMessage ? 'message' : 'channel';
    const isFinal = status >= 500 && aboutTheMail.has(command);
    return isFinal ? rejected(status, scope) : retryLater(status, { scope });
  }
  const { error, isSent } = result;
  if (error instanceof DestinationNotAllowed) return addressRefused;
  const { originalCode, code } = error as { originalCode?: string; code?: string };
  const isTimeout = error.name === 'TimeoutError';
  const detail = isTimeout ? 'timeout' : (originalCode ?? code ?? '');
  // Only codes of Node, OpenSSL and Nodemailer: a message may contain a reply.
  return notAnswered(/^[A-Za-z0-9_]{1,60}$/.test(detail) ? detail : 'failed', isSent);
}

const createProbe =
  ({ allowedDestinations }: OutboundOptions): Probe =>
  async (settings, { timeoutMs }) => {
    const terms = { allowedDestinations, timeoutMs: Math.min(timeoutMs, maxTimeoutMs) };
    return outcomeOf(await checkMailServer(serverOf(settings), terms));
  };

function createDeliver({ allowedDestinations }: OutboundOptions): Deliver {
  return async function deliver(message, settings, { timeoutMs, thread }) {
    // A test without a contact goes to the channel's own address.
    const address = message.contact ? message.contact.email : String(settings.from);
    if (address === null || !isEmail.test(address)) return rejected('no_email');
    const terms = { allowedDestinations, timeoutMs: Math.min(timeoutMs, maxTimeoutMs) };
    const mail = mailOf(message, settings, { address, thread });
    const outcome = outcomeOf(await sendMail(mail, serverOf(settings), terms));
    return outcome.kind === 'delivered' ? { ...outcome, externalId: mail.messageId } : outcome;
  };
}

/** The account is known to its server only. */
const originOf = ({ host, port, security }: ChannelSettings): string | null =>
  isText(host) ? `${String(security)}://${host.toLowerCase()}:${String(port)}` : null;

function validateSettings(
  settings: ChannelSettings,
  { allowedDestinations }: OutboundOptions,
): readonly FieldProblem[] {
  const server = serverOf(settings);
  const hasUser = server.username !== undefined;
  const hasPassword = server.password !== undefined;
  const problem = (field: string, message: PublicText): FieldProblem => ({
    path: `/${field}`,
    message,
  });
  return [
    ...(isServerAllowed(server, allowedDestinations)
      ? []
      : [problem('host', 'field.address_not_allowed')]),
    ...(server.security === 'none' && allowedDestinations.length === 0
      ? [problem('security', 'field.not_tls')]
      : []),
    ...(hasPassword && !hasUser ? [problem('username', 'field.required_with_password')] : []),
  ];
}

export const smtp: Channel = {
  kind: 'smtp',
  settingsSchema,
  inbound,
  outbound: {
    capabilities: textCapabilities,
    idempotency: 'none',
    ratesOf,
    sendsEventMessages: eventMessagesAreSent,
    createDeliver,
    createProbe,
    originOf,
    validateSettings,
  },
};
