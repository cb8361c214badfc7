/**
 * Mails, as the inbound webhooks of mail services post them. Each service has a form of its own; decoding adds the same member
 * `mail` to each, which the starter mapping reads, and by which a channel of the kind `smtp` knows bounces and its own mails.
 *
 * Promises: pure, linear, and never throws. `mail` replaces a member of this name: some services make a member of each header,
 * which the sender chooses.
 */
import { isJsonObject, type JsonObject } from '../../base/json/json-values.ts';
import { textOfHtml } from '../../mapping/transforms/strip-html.ts';
import { embeddedJson } from '../decode/json.ts';
import type { BodyDecoder } from '../producer.ts';
import type { MailSender } from './address.ts';
import { automaticKindOf, messageIdsIn, readBounce, type Headers } from './automatic.ts';
import { readReply } from './reply-text.ts';
import { joined, starter } from '../starter.ts';

type MailFile = {
  readonly name: string;
  readonly bytes: number;
  readonly contentType: string;
  /** The text of a part of a delivery report; absent where the service does not post it. */
  readonly text?: string;
};

type MailSource = {
  /** Names are case-insensitive. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly from: MailSender | null;
  /** The sender of the envelope; null when the service does not say it. */
  readonly returnPath: string | null;
  readonly subject: string | null;
  readonly text: string | null;
  readonly html: string | null;
  readonly files: readonly MailFile[];
};

/** Returns the text, the first of several with one name; null when there is none. */
export function textIn(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : null;
}

/** Levels of the JSON in a field: a list of pairs, or an object of lists. */
const maxJsonDepth = 8;

/** Returns the value of a field that is JSON; null for any other. */
export const parsedJson = (value: unknown): unknown =>
  typeof value === 'string' ? embeddedJson(value, maxJsonDepth) : null;

const maxTextLength = 262_144;
const maxSubjectLength = 500;
const maxFiles = 50;

const bare = <Value extends object>(value: Value): Value =>
  Object.assign(Object.create(null), value);

function headersOf(headers: MailSource['headers']): Headers {
  const first = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.trim().toLowerCase();
    if (!first.has(key)) first.set(key, value);
  }
  return (name) => first.get(name) ?? null;
}

function contentOf({ text, html }: MailSource): string {
  const plain = (text ?? '').slice(0, maxTextLength);
  if (plain.trim() !== '' || html === null) return plain;
  return textOfHtml(html.slice(0, maxTextLength));
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${Math.round(bytes / 1e3)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

const lineOf = ({ name, bytes }: MailFile): string =>
  `[${name.slice(0, 200) || 'attachment'}, ${sizeOf(bytes)}]`;

/** Returns the members that mappings read. */
function readMail(source: MailSource) {
  const header = headersOf(source.headers);
  const [messageId = null] = messageIdsIn(header('message-id'));
  const [inReplyTo = null] = messageIdsIn(header('in-reply-to'));
  const references = messageIdsIn(header('references'));
  const content = contentOf(source);
  const automatic = automaticKindOf(header, {
    returnPath: source.returnPath ?? header('return-path'),
    from: source.from?.address ?? null,
  });
  const parts = [content, ...source.files.flatMap(({ text }) => text ?? [])];
  const files = source.files.slice(0, maxFiles);
  return bare({
    messageId,
    inReplyTo,
    references: references.length > 0 || inReplyTo === null ? [...references] : [inReplyTo],
    from: source.from && bare(source.from),
    subject: source.subject?.replaceAll(/\s+/g, ' ').trim().slice(0, maxSubjectLength) || null,
    ...readReply(content),
    files: files.map(({ name, bytes, contentType }) => bare({ name, bytes, contentType })),
    fileLines: files.map(lineOf).join('\n') || null,
    automatic,
    bounce: automatic === 'bounce' ? bare(readBounce(header, parts)) : null,
  });
}

/** Adds `mail` to the bodies of a service. */
export const mailBody = (
  { acceptsContentType, decodeBody }: BodyDecoder,
  sourceOf: (body: JsonObject) => MailSource,
): BodyDecoder => ({
  acceptsContentType,
  decodeBody(raw) {
    const decoded = decodeBody(raw);
    if (!decoded.ok || !isJsonObject(decoded.value)) return decoded;
    const value = decoded.value as Record<string, unknown>;
    value.mail = readMail(sourceOf(value));
    return decoded;
  },
});

/** The subject is shown where it begins a conversation. The date is that of receipt: a mail has the clock of its sender. */
export const mailMapping = starter({
  // The sender is part of it, so that nobody can take the id of another's mail.
  eventId: joined(['mail.from.address', 'mail.messageId'], ' '),
  contact: { name: 'mail.from.name', email: 'mail.from.address' },
  text: {
    ...joined(
      ['!(mail.references[0]) && mail.subject || null', 'mail.text', 'mail.fileLines'],
      '\n\n',
    ),
    default: '[mail]',
  },
  context: { origin: { const: 'email' } },
});
