/** What joins a mail to the last mail of the contact, so that mail programs show one conversation. Kept with the contact as text. */
import { isJson } from '../http/json-answer.ts';

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

type ThreadHeaders = {
  readonly inReplyTo: string;
  readonly references: readonly string[];
  /** Null when the contact's mail has none. */
  readonly subject: string | null;
};

/** Never throws. Only ids come out of it, so that a text of another writer adds no header. */
export function threadHeaders(thread: string | undefined): ThreadHeaders | null {
  const { id, references, subject } = parsed(thread ?? '');
  if (typeof id !== 'string' || !messageId.test(id)) return null;
  const before = Array.isArray(references)
    ? references.filter((one): one is string => typeof one === 'string' && messageId.test(one))
    : [];
  const about = typeof subject === 'string' ? subject.replace(/^(?:re|res|rv) ?: */iu, '') : '';
  return {
    inReplyTo: id,
    references: [...before, id],
    subject: about === '' ? null : `Re: ${about}`,
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : {};
  } catch {
    return {};
  }
}
