/** What joins a mail to the last mail of the contact, so that mail programs show one conversation, and the ids of own mails. */
import { jsonObjectIn } from '../../base/json/json-values.ts';
import type { ChannelSettings } from '../channel.ts';

/** Kept with the contact as text. */
type Thread = {
  readonly id: string | null;
  /** The mails before it, the oldest first. */
  readonly references: readonly string[];
  readonly subject: string | null;
};

/** RFC 5322 lets the middle of a long list be left out. */
const maxReferences = 20;
const messageId = /^<[^<>\s]{1,250}>$/;

/** Returns null for a mail that cannot be answered in its conversation. */
export function threadOf({ id, references, subject }: Thread): string | null {
  if (id === null) return null;
  const kept =
    references.length < maxReferences
      ? references
      : [...references.slice(0, 1), ...references.slice(1 - maxReferences)];
  return JSON.stringify({ id, references: kept, subject });
}

/** Never throws. Only ids come out of it, so that a text of another writer adds no header. */
export function threadHeaders(thread: string | undefined) {
  const { id, references, subject } = jsonObjectIn(thread ?? '');
  if (typeof id !== 'string' || !messageId.test(id)) return null;
  const before = Array.isArray(references)
    ? references.filter((one): one is string => typeof one === 'string' && messageId.test(one))
    : [];
  const about = typeof subject === 'string' ? subject.replace(/^(?:re|res|rv) ?: */iu, '') : '';
  return {
    inReplyTo: id,
    references: [...before, id],
    /** Null when the contact's mail has none. */
    subject: about === '' ? null : `Re: ${about}`,
  };
}

/** The prefix tells it from the ids of mail programs at the same domain. */
const own = /^<inlet\.([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})@[^<>@\s]{1,255}>$/;

/** With angle brackets; the same in every attempt. */
export const messageIdOf = (id: string, { from }: ChannelSettings): string =>
  `<inlet.${id}@${String(from).split('@')[1]}>`;

/** Returns null for an id of another program. */
export const ownIdIn = (id: string): string | null => own.exec(id)?.[1] ?? null;
