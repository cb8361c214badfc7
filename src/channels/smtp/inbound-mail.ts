/**
 * Reads a mail that a service received for a channel: the answer of a contact, or a report about a mail that was sent. The producers
 * of mail services add it to the body as `mail`.
 *
 * Promises: the own address and the own Message-IDs are never taken for a contact, and no automatic mail opens a chat, so that
 * two programs cannot answer each other.
 */
import { isJsonObject } from '../../base/json/json-values.ts';
import type { DeliveryStatus } from '../../domain/messages/delivery-status.ts';
import type { Reason } from '../../domain/events/actions.ts';
import type { ChannelSettings, Inbound, Reply } from '../channel.ts';
import { threadOf, messageIdOf, ownIdIn } from './thread.ts';

/** The names of producers. */
const producers = ['postmark', 'sendgrid', 'mailgun', 'cloudflare-email'];

type Json = Readonly<Record<string, unknown>>;
const mailIn = (item: unknown): Json =>
  isJsonObject(item) && isJsonObject(item.mail) ? item.mail : {};
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** A reported id that is not ours says nothing: it is about a mail of another program. */
function readStatus(item: unknown): DeliveryStatus | null {
  const { bounce } = mailIn(item);
  if (!isJsonObject(bounce) || bounce.failed !== true) return null;
  const externalId = textsOf(bounce.messageIds).find((id) => ownIdIn(id) !== null);
  if (externalId === undefined) return null;
  const detail = textOf(bounce.status) ?? 'bounced';
  return {
    messageId: ownIdIn(externalId),
    externalId,
    state: 'failed',
    reason: `${'destination_rejected' satisfies Reason}:${detail}`,
  };
}

const isAddress = (address: string | null, setting: unknown): boolean =>
  address !== null && typeof setting === 'string' && setting.toLowerCase() === address;

function ignores(item: unknown, settings: ChannelSettings): string | null {
  const { from, messageId, automatic } = mailIn(item);
  const address = isJsonObject(from) ? textOf(from.address) : null;
  const own = ownIdIn(textOf(messageId) ?? '');
  const isOwn =
    isAddress(address, settings.from) ||
    isAddress(address, settings.replyTo) ||
    (own !== null && messageIdOf(own, settings) === messageId);
  if (isOwn) return 'own_mail' satisfies Reason;
  const kind = textOf(automatic);
  if (kind === null || readStatus(item)) return null;
  return `${'automatic_mail' satisfies Reason}:${kind}`;
}

function readReply(item: unknown): Reply {
  const { messageId, references, subject, inReplyTo } = mailIn(item);
  const [id, answered] = [textOf(messageId), textOf(inReplyTo)];
  return {
    thread: threadOf({ id, references: textsOf(references), subject: textOf(subject) }),
    quotedId: ownIdIn(answered ?? ''),
  };
}

export const inbound: Inbound = { producers, ignores, readStatus, readReply };
